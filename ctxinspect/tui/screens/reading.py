"""A full screen for one thing: a row's whole text, the log, every key. Any of q, esc and enter closes it."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import Screen

from ctxinspect.tui.actions import SCOPE_TITLES, Scope, footer_text, keys_of, scoped
from ctxinspect.tui.widgets.bindings import bindings_for
from ctxinspect.tui.widgets.row import LineRow
from ctxinspect.tui.widgets.text_view import TextView
from ctxinspect.view.table import Cell, Detail

__all__ = ["ReadingScreen", "help_detail"]


class ReadingScreen(Screen[None]):
    """Shows a detail over the whole screen."""

    BINDINGS: ClassVar[list[BindingType]] = bindings_for("text")
    CSS = """
    ReadingScreen TextView { width: 100%; height: 1fr; min-height: 1; }
    ReadingScreen LineRow { width: 100%; height: 1; dock: bottom; }
    """

    def __init__(self, detail: Detail) -> None:
        super().__init__()
        self._detail = detail

    def compose(self) -> ComposeResult:
        """The text and a footer."""
        yield TextView(focusable=True, id="reading")
        yield LineRow(id="reading-footer")

    def on_mount(self) -> None:
        """Show the text; the keys go to it."""
        self.query_one(TextView).focus()
        self.query_one(LineRow).show([Cell(footer_text("text", width=self.size.width), "dim")])
        self.call_after_refresh(lambda: self.query_one(TextView).show(self._detail))

    def action_act(self, action: str) -> None:
        """Close."""
        assert action == "text.close"
        self.dismiss()


def help_detail() -> Detail:
    """Every key, from the registry, and how to read the screen."""
    blocks: list[Cell] = []
    scopes: tuple[Scope, ...] = ("inspect", "list", "text", "picker", "app")
    for scope in scopes:
        blocks.append(Cell(SCOPE_TITLES[scope], "title"))
        blocks += [Cell(f"  {keys_of(action):<20}{action.help}") for action in scoped(scope)]
        blocks.append(Cell(""))
    blocks.append(Cell("How to read the screen", "title"))
    blocks += [Cell(f"  {line}") for line in _READING]
    return Detail("KEYS", tuple(blocks))


_READING = (
    "t042r3 is a position: turn 42, the request after three tool rounds; t042 is a request without rounds before it.",
    "RECORDED is what the file says was sent; REPLAY is what this program builds from the session; FORK is a replay",
    "under edited settings.",
    "Marks before a row: = as in the request before, + new, ~ changed or cut, - left out, ! wrong, * decided, > cursor.",
    "Event letters: S switch, T truncated, D dropped, L lint error, B over budget, P pair broken.",
    "Pairs: 3> is call number 3, >3 its result, ? a half without its other half.",
    "A ~ behind the counter's name means its numbers are an estimate for this model.",
    "Hold shift and drag to select text with the terminal.",
)
