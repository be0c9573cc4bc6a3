"""Two requests compared over the whole screen: unified or side by side, laid out anew for every width."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.screen import Screen

from ctxinspect.tui.actions import bound_keys, footer_text
from ctxinspect.tui.widgets.bindings import bindings_for
from ctxinspect.tui.widgets.row import LineRow
from ctxinspect.tui.widgets.text_view import TextView
from ctxinspect.view.diff import diff_lines
from ctxinspect.view.table import Cell, Detail, Role

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from ctxinspect.pipeline.comparison import Comparison

__all__ = ["DiffScreen"]

_SIDE_BY_SIDE = 120
"""Cells from which the two stand side by side at first."""
_ROLES: dict[str, Role] = {"+": "highlight", "-": "error", "~": "warn", "=": "dim", "cause": "title"}


class DiffScreen(Screen[None]):
    """Shows a comparison; `|` turns between unified and side by side, `U` between changes and everything."""

    BINDINGS: ClassVar[list[BindingType]] = bindings_for("diff")
    CSS = """
    DiffScreen TextView { width: 100%; height: 1fr; min-height: 1; }
    DiffScreen LineRow { width: 100%; height: 1; dock: bottom; }
    """

    def __init__(self, title: str, comparison: Comparison) -> None:
        super().__init__()
        self._title = title
        self._comparison = comparison
        self._side_by_side: bool | None = None
        self._full = False

    def compose(self) -> ComposeResult:
        """The text and a footer."""
        yield TextView(focusable=True, id="diff")
        yield LineRow(id="diff-footer")

    def on_mount(self) -> None:
        """The keys go to the text."""
        self.query_one(TextView).focus()

    def on_resize(self) -> None:
        """Another width: other lines."""
        self.call_after_refresh(self._show)

    def _show(self) -> None:
        width = self.size.width
        side_by_side = width >= _SIDE_BY_SIDE if self._side_by_side is None else self._side_by_side
        lines = diff_lines(self._comparison, width=max(20, width - 2), side_by_side=side_by_side, full=self._full)
        blocks = tuple(Cell(line.text, _ROLES.get(line.mark, "text")) for line in lines)
        self.query_one(TextView).show(Detail(self._title, blocks))
        self.query_one(LineRow).show([Cell(footer_text("diff", width=width, bound=bound_keys(self.app)), "dim")])

    def action_act(self, action: str) -> None:
        """Change the picture, or close."""
        if action == "diff.close":
            self.dismiss()
            return
        if action == "diff.sides":
            shown = self.size.width >= _SIDE_BY_SIDE if self._side_by_side is None else self._side_by_side
            self._side_by_side = not shown
        else:
            self._full = not self._full
        self._show()
