"""A text of any length as one widget: only the rows on screen are wrapped and drawn."""

from __future__ import annotations

from typing import Any, ClassVar

from textual.binding import BindingType
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from ctxinspect.text.clip import cell_width, clip
from ctxinspect.text.sanitize import sanitize
from ctxinspect.tui.widgets.bindings import bindings_for
from ctxinspect.tui.widgets.paint import paint, styles_of
from ctxinspect.view.table import Cell, Detail
from ctxinspect.view.text_rows import TextRows

__all__ = ["TextView"]


class TextView(ScrollView):
    """Draws a detail: its title in the first row, then its blocks, wrapped."""

    BINDINGS: ClassVar[list[BindingType]] = bindings_for("list")

    def __init__(self, *, focusable: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.can_focus = focusable
        self.detail = Detail("")
        self._rows = TextRows((), 1)

    def show(self, detail: Detail) -> None:
        """Draw another detail, from its top."""
        self.detail = detail
        self._lay_out()
        self.scroll_to(y=0, animate=False, immediate=True, force=True)
        self.refresh()

    def _lay_out(self) -> None:
        self._rows = TextRows(self.detail.blocks, max(1, self.size.width - 2))
        self.virtual_size = Size(self.size.width, len(self._rows) + 1)

    def on_resize(self) -> None:
        """Another width wraps anew; the place is kept as near as the rows allow."""
        if self._rows.width != max(1, self.size.width - 2):
            self._lay_out()
            self.refresh()

    def action_act(self, action: str) -> None:
        """A movement by its action id."""
        page = max(1, self.size.height - 1)
        top = self.scroll_offset.y
        target = {
            "list.down": top + 1,
            "list.up": top - 1,
            "list.page-down": top + page,
            "list.page-up": top - page,
            "list.half-down": top + page // 2,
            "list.half-up": top - page // 2,
            "list.top": 0,
            "list.bottom": len(self._rows),
        }[action]
        self.scroll_to(y=max(0, target), animate=False, immediate=True, force=True)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """The title, then rows from the scroll offset on."""
        width, styles = self.size.width, styles_of(self)
        if y == 0:
            seen = max(0, self.size.height - 1)
            more = len(self._rows) - self.scroll_offset.y - seen
            tail = f" {more} row{'' if more == 1 else 's'} below" if more > 0 else ""
            title = clip(sanitize(self.detail.title), max(0, width - len(tail) - 6))
            rule = "-" * max(0, width - cell_width(title) - len(tail) - 4)
            line = [Cell("-- ", "dim"), Cell(title, "title"), Cell(f" {rule}{tail}", "dim")]
            return paint(line, width, styles)
        at = y - 1 + self.scroll_offset.y
        if not 0 <= at < len(self._rows):
            return paint([], width, styles)
        row = self._rows.row(at)
        return paint([Cell(" "), row], width, styles)
