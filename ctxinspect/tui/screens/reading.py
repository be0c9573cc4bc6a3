"""A full screen for one thing: a row's whole text, the log, every key. Any of q, esc and enter closes it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar, cast

from textual.screen import Screen
from textual.widgets import Input

from ctxinspect.errors import CtxInspectError
from ctxinspect.text.clip import hanging
from ctxinspect.text.sanitize import sanitize_lines
from ctxinspect.tui.actions import SCOPE_TITLES, bound_keys, footer_text, key_label, scoped
from ctxinspect.tui.copying import copy_text
from ctxinspect.tui.handover import hand_over
from ctxinspect.tui.prompts import Prompt
from ctxinspect.tui.widgets.bindings import bindings_for
from ctxinspect.tui.widgets.command_line import CommandLine
from ctxinspect.tui.widgets.row import LineRow
from ctxinspect.tui.widgets.text_view import TextView
from ctxinspect.view.detail_filter import filtered
from ctxinspect.view.table import Cell, Detail

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from ctxinspect.tui.app import InspectorApp

__all__ = ["ReadingScreen", "help_detail"]

_FILTER = Prompt("filter", "/", "only lines with this text; escape shows all")


class ReadingScreen(Screen[None]):
    """Shows a detail over the whole screen; a table of `prose` goes on behind its labels where a line is too long."""

    BINDINGS: ClassVar[list[BindingType]] = bindings_for("text")
    CSS = """
    ReadingScreen TextView { width: 100%; height: 1fr; min-height: 1; }
    ReadingScreen LineRow, ReadingScreen CommandLine { width: 100%; height: 1; dock: bottom; }
    """

    def __init__(self, detail: Detail, *, prose: bool = False) -> None:
        super().__init__()
        self._prose = prose
        self._detail = detail
        self._filter = ""

    def compose(self) -> ComposeResult:
        """The text, a row to ask in, a footer."""
        yield TextView(focusable=True, id="reading")
        yield CommandLine(id="reading-filter")
        yield LineRow(id="reading-footer")

    @property
    def text(self) -> TextView:
        """What shows the text."""
        return self.query_one(TextView)

    def on_mount(self) -> None:
        """Show the text; the keys go to it."""
        self.text.focus()
        self.call_after_refresh(self._show)

    def on_resize(self) -> None:
        """As many keys as fit."""
        self.say("")
        if self._prose:
            self.call_after_refresh(self._show)

    def say(self, text: str) -> None:
        """One line instead of the keys; an empty one brings them back."""
        line = (
            Cell(f" {text}", "title")
            if text
            else Cell(footer_text("text", width=self.size.width, bound=bound_keys(self.app)), "dim")
        )
        self.query_one(LineRow).show([line])

    def show_only(self, text: str) -> None:
        """Only the lines with this text; all of them where it is empty."""
        if text != self._filter:
            self._filter = text
            self._show()

    def _show(self) -> None:
        shown = filtered(self._detail, self._filter)
        width = max(1, self.size.width - 2)
        if self._prose:
            lines = [Cell(line, role) for text, role in shown.blocks for line in text.split("\n")]
            shown = replace(shown, blocks=tuple(Cell("\n".join(hanging(line, width)), role) for line, role in lines))
        self.text.show(shown)

    def action_act(self, action: str) -> None:
        """Close, first the filter where there is one; filter, wrap, copy, hand over."""
        app = cast("InspectorApp", self.app)
        try:
            if action == "text.close":
                self._close()
            elif action == "text.filter":
                self.query_one(LineRow).display = False
                self.query_one(CommandLine).ask(_FILTER, self._filter)
            elif action == "reading.wrap":
                self.text.turn_wrap()
            elif action == "reading.raw":
                self.text.turn_raw()
            elif action == "reading.yank":
                copy_text(app, sanitize_lines(self.text.detail.text), self.say)
            else:
                kind = action.removeprefix("reading.")
                self.say(hand_over(app, kind, f"{self._detail.title}\n\n{self._detail.text}", app.programs))
        except CtxInspectError as error:
            self.say(f"ERROR  {error}")

    def _close(self) -> None:
        if self._filter:
            self.show_only("")
        else:
            self.dismiss()

    def on_input_changed(self, event: Input.Changed) -> None:
        """The filter follows what is typed."""
        if self.query_one(CommandLine).display:
            self.show_only(event.value.strip())

    def on_command_line_given(self, message: CommandLine.Given) -> None:
        """Keep the filter, or with an empty answer drop it; the keys go back to the text."""
        self.query_one(LineRow).display = True
        self.show_only(message.text)
        self.text.focus()


def help_detail(bound: Mapping[str, Sequence[str]] | None = None) -> Detail:
    """Every key, from the registry, and how to read the screen; `bound` are keys that were given to actions by id."""
    blocks: list[Cell] = []
    given = bound or {}
    for scope, title in SCOPE_TITLES.items():
        blocks.append(Cell(title, "title"))
        for action in scoped(scope):
            keys = " ".join(key_label(key) for key in given.get(action.id, action.keys)) or "(no key)"
            blocks.append(Cell(f"  {keys:<20}{'' if len(keys) < 20 else ' '}{action.help}"))
        blocks.append(Cell(""))
    blocks.append(Cell("How to read the screen", "title"))
    blocks += [Cell(f"  {line}") for line in _READING]
    return Detail("KEYS  / filter", tuple(blocks))


_READING = (
    "t042r3 is a position: turn 42, the request after three tool rounds; t042 is a request without rounds before it.",
    "RECORDED is what the file says was sent; REPLAY is what this program builds from the session; FORK is a replay",
    "under edited settings.",
    "Marks before a row: = as in the reference, + new, ~ changed, - gone; ! wrong, * decided, > cursor. The stage row",
    "says what the reference is.",
    "Event letters: S switch, T truncated, D dropped, L lint error, B over budget, P pair broken.",
    "Pairs: 3> is call number 3, >3 its result, ? a half without its other half.",
    "A ~ behind the counter's name means its numbers are an estimate for this model.",
    "Hold shift and drag to select text with the terminal.",
)
