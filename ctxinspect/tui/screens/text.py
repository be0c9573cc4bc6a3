"""A text in full, over the inspector: the selected row whole, or the help."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen

from ctxinspect.tui.actions import ACTIONS, key_label
from ctxinspect.tui.widgets.bars import Bar
from ctxinspect.tui.widgets.text_view import TextView
from ctxinspect.view.table import Cell, Detail

__all__ = ["TextScreen", "help_detail"]


def help_detail() -> Detail:
    """Every action with its keys, by group."""
    blocks: list[Cell] = []
    for group in dict.fromkeys(action.group for action in ACTIONS):
        blocks.append(Cell(group, "title"))
        for action in ACTIONS:
            if action.group == group:
                keys = " ".join(key_label(key) for key in action.keys)
                blocks.append(Cell(f"  {keys:<22} {action.help}"))
        blocks.append(Cell(""))
    blocks += [
        Cell("Letters in the timeline", "title"),
        Cell("  S topic switched   T cut   D dropped or trimmed   L error finding   B over budget   P broken pair"),
        Cell(""),
        Cell("Drag with shift held selects text with the terminal.", "dim"),
    ]
    return Detail("ctxinspect keys", tuple(blocks))


class TextScreen(Screen[None]):
    """One detail over the whole screen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,escape,enter,question_mark,f1", "close", "close"),
        Binding("j,down", "scroll(1)", "down"),
        Binding("k,up", "scroll(-1)", "up"),
        Binding("space,pagedown,ctrl+d", "page(1)", "page down"),
        Binding("b,pageup,ctrl+u", "page(-1)", "page up"),
        Binding("g,home", "end(0)", "top"),
        Binding("G,end", "end(1)", "bottom"),
    ]

    def __init__(self, detail: Detail) -> None:
        super().__init__()
        self._detail = detail

    def compose(self) -> ComposeResult:
        """The text and one line of keys."""
        yield TextView("text")
        yield Bar("text-keys")

    def on_mount(self) -> None:
        """Show the text."""
        self.query_one("#text", TextView).show(self._detail)
        self.query_one("#text-keys", Bar).show([Cell(" q close  j k line  space b page  g G ends", "dim")])
        self.query_one("#text", TextView).focus()

    def action_close(self) -> None:
        """Back to the inspector."""
        self.dismiss()

    def action_scroll(self, by: int) -> None:
        """Scroll by lines."""
        self.query_one("#text", TextView).scroll_relative(y=by, animate=False)

    def action_page(self, by: int) -> None:
        """Scroll by screens."""
        view = self.query_one("#text", TextView)
        view.scroll_relative(y=by * max(1, view.size.height - 2), animate=False)

    def action_end(self, last: int) -> None:
        """To the start or the end."""
        view = self.query_one("#text", TextView)
        view.scroll_to(y=view.virtual_size.height if last else 0, animate=False)
