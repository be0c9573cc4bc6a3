"""A list of any length as one widget: title and column names stay, only the rows on screen are built and drawn.

The cursor is `>` and reverse video; it keeps its row by key when the table changes.
"""

from __future__ import annotations

from typing import Any, ClassVar

from textual import events
from textual.binding import BindingType
from textual.cache import LRUCache
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from ctxinspect.text.clip import cell_width, fit
from ctxinspect.text.sanitize import sanitize
from ctxinspect.tui.widgets.bindings import bindings_for
from ctxinspect.tui.widgets.paint import REVERSE, paint, styles_of
from ctxinspect.view.layout import column_widths, header_line, row_line
from ctxinspect.view.table import Cell, Table

__all__ = ["LineList"]

_FIXED = 2
"""Rows that never scroll: title and column names."""
_EMPTY = Table("", "", (), (), "")


class LineList(ScrollView, can_focus=True):
    """Draws a table. `number` is the digit before its title, empty where it has none."""

    BINDINGS: ClassVar[list[BindingType]] = bindings_for("list")

    class Moved(Message):
        """The cursor stands on another row."""

        def __init__(self, source: LineList, key: str | None) -> None:
            super().__init__()
            self.source = source
            self.key = key

        @property
        def control(self) -> LineList:
            """The list that was moved in."""
            return self.source

    class Opened(Moved):
        """A row was clicked twice: show everything about it."""

    def __init__(self, number: str = "", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.number = number
        self.table = _EMPTY
        self.cursor = 0
        self._drawn: dict[int, Strip] = {}
        self._strips: LRUCache[tuple[int, int], Strip] = LRUCache(512)

    def show(self, table: Table, key: str | None = None) -> None:
        """Draw another table; the cursor goes to `key`, else to the row it had by key, else by number."""
        wanted = key if key is not None else self.key
        self.table = table
        at = table.index(wanted) if wanted is not None else None
        self.cursor = max(0, min(self.cursor if at is None else at, len(table.rows) - 1))
        self.virtual_size = Size(self.size.width, len(table.rows) + _FIXED)
        self._reveal()
        self.redraw()

    def redraw(self) -> None:
        """Draw again, but only the lines that are others now: little goes to a slow terminal."""
        self._strips.clear()
        drawn = dict(self._drawn)
        for y in range(self.size.height):
            if self.render_line(y) != drawn.get(y):
                self.refresh(Region(0, y, self.size.width, 1))

    @property
    def key(self) -> str | None:
        """The key of the row under the cursor, null where there is no row."""
        return self.table.rows[self.cursor].key if 0 <= self.cursor < len(self.table.rows) else None

    @property
    def page(self) -> int:
        """Rows that can be seen at once."""
        return max(1, self.size.height - _FIXED)

    def move(self, to: int) -> None:
        """Put the cursor on a row (clamped), scroll it into view, and tell."""
        to = max(0, min(to, len(self.table.rows) - 1))
        if to != self.cursor:
            old, self.cursor = self.cursor, to
            self._redraw(old, to)
            self.post_message(self.Moved(self, self.key))

    def _redraw(self, *rows: int) -> None:
        before = self.scroll_offset.y
        self._reveal()
        if self.scroll_offset.y != before:
            self.refresh()
            return
        self.refresh(Region(0, 0, self.size.width, 1))
        for row in rows:
            y = row + _FIXED - self.scroll_offset.y
            self.refresh(Region(0, y, self.size.width, 1))

    def _reveal(self) -> None:
        top = self.scroll_offset.y
        low = self.cursor - self.page + 1
        if self.cursor < top or low > top:
            self.scroll_to(y=self.cursor if self.cursor < top else low, animate=False, immediate=True, force=True)

    def action_act(self, action: str) -> None:
        """A movement by its action id."""
        target = {
            "list.down": self.cursor + 1,
            "list.up": self.cursor - 1,
            "list.page-down": self.cursor + self.page,
            "list.page-up": self.cursor - self.page,
            "list.half-down": self.cursor + self.page // 2,
            "list.half-up": self.cursor - self.page // 2,
            "list.top": 0,
            "list.bottom": len(self.table.rows) - 1,
        }[action]
        self.move(target)

    def on_click(self, event: events.Click) -> None:
        """A click puts the cursor there, a double click opens the row."""
        row = event.y - _FIXED + self.scroll_offset.y
        if event.y >= _FIXED and 0 <= row < len(self.table.rows):
            self.move(row)
            if event.chain > 1:
                self.post_message(self.Opened(self, self.key))

    def on_resize(self) -> None:
        """Rows are laid out anew for another width."""
        self._strips.clear()
        self._drawn.clear()
        self.virtual_size = Size(self.size.width, len(self.table.rows) + _FIXED)
        self._reveal()

    def watch_has_focus(self, has_focus: bool) -> None:  # noqa: FBT001 - the toolkit's signature
        """The title and the cursor row show who has the keys."""
        super().watch_has_focus(has_focus)
        self._strips.clear()
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """The line at `y` of what is seen: title, column names, then rows from the scroll offset on."""
        strip = self._drawn[y] = self._line(y, self.size.width)
        return strip

    def _line(self, y: int, width: int) -> Strip:
        if y == 0:
            return self._title(width)
        if not self.table.rows:
            text = self.table.empty if y == 1 else ""
            return paint([Cell(f"   {text}", "dim")], width, styles_of(self))
        if y == 1:
            return paint(self._header(width), width, styles_of(self))
        return self._row(y - _FIXED + self.scroll_offset.y, width)

    def _title(self, width: int) -> Strip:
        title = f"{'>' if self.has_focus else ' '}{self.number} {self.table.title}"
        where = f" {self.cursor + 1}/{len(self.table.rows)}" if len(self.table.rows) > self.page else ""
        room = max(0, width - cell_width(title) - len(where) - 2)
        summary = Cell("  " + fit(sanitize(self.table.summary), room), "text" if self.has_focus else "dim")
        return paint([Cell(title, "title"), summary, Cell(where, "dim")], width, styles_of(self))

    def _header(self, width: int) -> list[Cell]:
        return header_line(self.table.columns, column_widths(self.table.columns, width), width)

    def _row(self, at: int, width: int) -> Strip:
        if not 0 <= at < len(self.table.rows):
            return paint([], width, styles_of(self))
        known = self._strips.get((at, width + 100_000 * (at == self.cursor)))
        if known is not None:
            return known
        columns = self.table.columns
        line = row_line(self.table.rows[at], columns, column_widths(columns, width), width)
        chosen = at == self.cursor
        if chosen:
            line = [Cell(">" + line[0].text[1:], line[0].role), *line[1:]]
        strip = paint(line, width, styles_of(self), REVERSE if chosen and self.has_focus else None)
        self._strips[at, width + 100_000 * chosen] = strip
        return strip
