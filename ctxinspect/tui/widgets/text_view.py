"""A text of any length as one widget: only the rows on screen are laid out and drawn.

Lines wrap, or go on to the right and are looked at from an offset, which another text does not take back. Raw, every
character without a shape of its own stands there as an escape.
"""

from __future__ import annotations

from typing import Any, ClassVar

from textual.binding import BindingType
from textual.geometry import Offset, Region
from textual.selection import Selection
from textual.strip import Strip

from ctxinspect.text.clip import cell_width, clip
from ctxinspect.text.escapes import escaped
from ctxinspect.text.sanitize import sanitize
from ctxinspect.tui.widgets.bindings import bindings_for
from ctxinspect.tui.widgets.paint import changed_span, marked, paint, styles_of
from ctxinspect.tui.widgets.quiet import Quiet
from ctxinspect.tui.widgets.wheel import Wheel
from ctxinspect.view.table import Cell, Detail
from ctxinspect.view.text_rows import TextRows

__all__ = ["TextView"]


class TextView(Wheel, Quiet):
    """Draws a detail: its title in the first row, then its blocks."""

    ALLOW_SELECT = True
    BINDINGS: ClassVar[list[BindingType]] = bindings_for("list")

    def __init__(self, *, focusable: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.can_focus = focusable
        self.detail = Detail("")
        self.wrap = True
        self.raw = False
        self.top = 0
        """The first row that is seen."""
        self.left = 0
        """The first cell of long lines that is seen, where they do not wrap."""
        self._rows = TextRows((), 1)
        self._drawn: dict[int, Strip] = {}

    def show(self, detail: Detail) -> None:
        """Draw another detail, from its top; the same one stays where it is."""
        if detail == self.detail and self._rows.width == self._room:
            self.redraw()
            return
        self.detail = detail
        self._lay_out()
        self.top = 0
        self.redraw()

    @property
    def _room(self) -> int:
        return max(1, self.size.width - 2)

    def _lay_out(self) -> None:
        blocks = self.detail.blocks
        if self.raw:
            blocks = tuple(Cell(escaped(text), role) for text, role in blocks)
        self._rows = TextRows(blocks, self._room, wrapped=self.wrap)

    def redraw(self) -> None:
        """Draw the lines that are others now: little goes to a slow terminal."""
        drawn = dict(self._drawn)
        for y in range(self.size.height):
            start, end = changed_span(drawn.get(y), self.render_line(y))
            if end:
                self.refresh(Region(start, y, end - start, 1))

    def turn_wrap(self) -> None:
        """Wrap long lines, or leave them long; from the top, since rows are counted otherwise."""
        self.wrap = not self.wrap
        self.left = 0
        self._again()

    def turn_raw(self) -> None:
        """Escape what is hidden, or show the text as it is."""
        self.raw = not self.raw
        self._again()

    def _again(self) -> None:
        self._lay_out()
        self.scroll_rows(0)

    def go_sideways(self, by: int) -> None:
        """Half a width to the right or left (`by` times), to where the longest line that is seen ends."""
        if self.wrap:
            return
        half = max(1, self._room // 2)
        reach = self._rows.reach(self.top, self.size.height)
        wanted = max(0, self.left + by * half)
        self.left = wanted if by < 0 or wanted < reach else self.left
        self.redraw()

    def on_resize(self) -> None:
        """Another width lays out anew; the place is kept as near as the rows allow."""
        if self._rows.width != self._room:
            self._lay_out()
        self.scroll_rows(0)

    def scroll_rows(self, by: int) -> None:
        """Look at rows further down (or up, below 0)."""
        last = max(0, len(self._rows) - max(1, self.size.height - 1))
        self.top = max(0, min(last, self.top + by))
        self.redraw()

    def action_act(self, action: str) -> None:
        """A movement by its action id; a text has no order to change."""
        page = max(1, self.size.height - 1)
        if action in ("list.left", "list.right"):
            self.go_sideways(-1 if action == "list.left" else 1)
            return
        by = {
            "list.down": 1,
            "list.up": -1,
            "list.page-down": page,
            "list.page-up": -page,
            "list.half-down": page // 2,
            "list.half-up": -(page // 2),
            "list.top": -self.top,
            "list.bottom": len(self._rows),
        }.get(action)
        if by is not None:
            self.scroll_rows(by)

    def render_line(self, y: int) -> Strip:
        """The title, then rows from the scroll offset on."""
        strip = self._drawn[y] = self._line(y, self.size.width)
        return strip

    def _line(self, y: int, width: int) -> Strip:
        styles = styles_of(self)
        if y == 0:
            return self._title(width)
        at = y - 1 + self.top
        if not 0 <= at < len(self._rows):
            return paint([], width, styles)
        strip = self._row(at, width)
        span = self.text_selection.get_span(at) if self.text_selection is not None else None
        return (strip if span is None else marked(strip, *span)).apply_offsets(0, at)

    def _row(self, at: int, width: int) -> Strip:
        styles = styles_of(self)
        row = self._rows.row(at) if self.wrap else self._rows.line(at, self.left)
        if not self.wrap and cell_width(row.text[: 2 * width]) > width - 2:
            return paint([Cell(" "), Cell(clip(row.text, width - 2, ""), row.role), Cell(">", "dim")], width, styles)
        return paint([Cell("<" if self.left and row.text else " ", "dim"), row], width, styles)

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The text under a drag of the mouse, as it is shown; rows of one line are one line again."""
        first = selection.start or Offset(0, 0)
        last = selection.end or Offset(self.size.width, len(self._rows) - 1)
        text = ""
        for at in range(max(0, first.y), min(last.y, len(self._rows) - 1) + 1):
            row = " " + (self._rows.row(at) if self.wrap else self._rows.line(at, self.left)).text
            end = last.x if at == last.y else len(row)
            text += "\n" if at > first.y and (not self.wrap or self._rows.begins_line(at)) else ""
            text += row[max(1, first.x) if at == first.y else 1 : end]
        return text, "\n"

    def selection_updated(self, selection: Selection | None) -> None:
        """More or less is selected."""
        del selection
        self.redraw()

    def _title(self, width: int) -> Strip:
        seen = max(0, self.size.height - 1)
        more = len(self._rows) - self.top - seen
        tail = " raw" if self.raw else ""
        tail += f" from cell {self.left}" if self.left else "" if self.wrap else " not wrapped"
        tail += f" {more} row{'' if more == 1 else 's'} below" if more > 0 else ""
        title = clip(sanitize(self.detail.title), max(0, width - len(tail) - 6))
        rule = "-" * max(0, width - cell_width(title) - len(tail) - 4)
        line = [Cell("-- ", "dim"), Cell(title, "title"), Cell(f" {rule}{tail}", "dim")]
        return paint(line, width, styles_of(self))
