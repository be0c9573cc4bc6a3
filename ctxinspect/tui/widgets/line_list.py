"""A list of any length as one widget: title and column names stay, only the rows on screen are built and drawn.

The cursor is `>` and reverse video; it keeps its row by key when the table changes. So do the order of the rows and the
place to the right from which they are seen: both are stated in the title.
"""

from __future__ import annotations

from typing import Any, ClassVar

from textual import events
from textual.binding import BindingType
from textual.cache import LRUCache
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip

from ctxinspect.text.clip import cell_width, fit
from ctxinspect.text.sanitize import sanitize
from ctxinspect.tui.widgets.bindings import bindings_for
from ctxinspect.tui.widgets.paint import REVERSE, changed_span, paint, styles_of
from ctxinspect.tui.widgets.quiet import Quiet
from ctxinspect.tui.widgets.wheel import Wheel
from ctxinspect.view.layout import column_widths, header_line, row_line
from ctxinspect.view.sheet import Sheet
from ctxinspect.view.sorting import SORTABLE, Order, next_order, ordered
from ctxinspect.view.table import Cell, Table

__all__ = ["LineList"]

_FIXED = 2
"""Rows that never scroll: title and column names."""
_EMPTY = Table("", "", (), (), "")


class LineList(Wheel, Quiet, can_focus=True):
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

    class Told(Message):
        """Something to say in a line: what was done, or why nothing was."""

        def __init__(self, source: LineList, text: str) -> None:
            super().__init__()
            self.source = source
            self.text = text

        @property
        def control(self) -> LineList:
            """The list that says it."""
            return self.source

    class Opened(Moved):
        """A row was clicked twice: show everything about it."""

    def __init__(self, number: str = "", **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.number = number
        self.table = _EMPTY
        """The table in the order it is shown in."""
        self.order = Order()
        self.left = 0
        """Cells of the rows that are out of sight on the left, behind the first column."""
        self.cursor = 0
        self.top = 0
        """The first row that is seen. The toolkit's own scrolling would draw the whole list again at every step."""
        self._given = _EMPTY
        self._sheet: Sheet | None = None
        self._drawn: dict[int, Strip] = {}
        self._strips: LRUCache[tuple[int, int, bool, str], Strip] = LRUCache(512)

    def show(self, table: Table, key: str | None = None) -> None:
        """Draw another table; the cursor goes to `key`, else to the row it had by key, else by number."""
        wanted = key if key is not None else self.key
        self._given = table
        self.table = table = ordered(table, self.order)
        at = table.index(wanted) if wanted is not None else None
        self.cursor = max(0, min(self.cursor if at is None else at, len(table.rows) - 1))
        self._reveal()
        self.redraw()

    def redraw(self) -> None:
        """Draw again, but only the lines that are others now: little goes to a slow terminal."""
        self._strips.clear()
        self._sheet = None
        drawn = dict(self._drawn)
        for y in range(self.size.height):
            start, end = changed_span(drawn.get(y), self.render_line(y))
            if end:
                self.refresh(Region(start, y, end - start, 1))

    @property
    def key(self) -> str | None:
        """The key of the row under the cursor, null where there is no row."""
        return self.table.rows[self.cursor].key if 0 <= self.cursor < len(self.table.rows) else None

    @property
    def page(self) -> int:
        """Rows that can be seen at once."""
        return max(1, self.size.height - _FIXED)

    def go_to_key(self, key: str) -> None:
        """Put the cursor on the row of this key, if there is one."""
        at = self.table.index(key)
        if at is not None:
            self.move(at)

    def move(self, to: int) -> None:
        """Put the cursor on a row (clamped), scroll it into view, and tell."""
        to = max(0, min(to, len(self.table.rows) - 1))
        if to != self.cursor:
            self.cursor = to
            self._reveal()
            self.redraw()
            self.post_message(self.Moved(self, self.key))

    def _reveal(self) -> None:
        """Scroll the cursor into view."""
        low = self.cursor - self.page + 1
        last = max(0, len(self.table.rows) - self.page)
        self.top = max(0, low, min(self.top, self.cursor, last))

    def action_act(self, action: str) -> None:
        """A movement or another order, by its action id."""
        if action in ("list.left", "list.right"):
            self.go_sideways(-1 if action == "list.left" else 1)
        elif action in ("list.sort", "list.reverse"):
            self._sort(reverse=action == "list.reverse")
        else:
            self.move(_target(action, self.cursor, self.page, len(self.table.rows)))

    def _sort(self, *, reverse: bool) -> None:
        count = len(self._given.rows)
        if count > SORTABLE:
            text = f"STAY   {count} rows are not sorted, which is for up to {SORTABLE}; they stay in their own order"
            self.post_message(self.Told(self, text))
            return
        order = self.order
        self.order = Order(order.column, not order.reverse) if reverse else next_order(self._given, order)
        self.show(self._given)
        self.post_message(self.Told(self, f"SORT   {self.order or 'in their own order'}"))

    def go_sideways(self, by: int) -> None:
        """Half a width to the right or left (`by` times), to where the longest row that is seen ends."""
        wanted = max(0, self.left + by * max(1, self.size.width // 2))
        sheet = self.sheet
        if by > 0 and wanted >= sheet.width - sheet.frozen:
            self.post_message(self.Told(self, "STAY   nothing is further to the right"))
            return
        self.left = wanted
        self.redraw()

    @property
    def sheet(self) -> Sheet:
        """The rows that are seen, laid out without anything hidden."""
        if self._sheet is None:
            seen = range(self.top, min(len(self.table.rows), self.top + self.page))
            rows = [self.table.rows[at] for at in seen]
            self._sheet = Sheet(self.table.columns, rows)
        return self._sheet

    def scroll_rows(self, by: int) -> None:
        """Look at other rows; the cursor comes along where it would go out of sight."""
        last = max(0, len(self.table.rows) - self.page)
        self.top = max(0, min(last, self.top + by))
        self.redraw()
        self.move(max(self.top, min(self.cursor, self.top + self.page - 1)))

    def on_click(self, event: events.Click) -> None:
        """A click puts the cursor there, a double click opens the row."""
        row = event.y - _FIXED + self.top
        if event.y >= _FIXED and 0 <= row < len(self.table.rows):
            self.move(row)
            if event.chain > 1:
                self.post_message(self.Opened(self, self.key))

    def on_resize(self) -> None:
        """Rows are laid out anew for another width."""
        self._reveal()
        self.redraw()

    def watch_has_focus(self, has_focus: bool) -> None:  # noqa: FBT001 - the toolkit's signature
        """The title and the cursor row show who has the keys."""
        super().watch_has_focus(has_focus)
        self.redraw()

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
            columns = self.table.columns
            fitted = header_line(columns, column_widths(columns, width), width)
            return paint(self.sheet.header(self.left, width) if self.left else fitted, width, styles_of(self))
        return self._row(y - _FIXED + self.top, width)

    def _title(self, width: int) -> Strip:
        title = f"{'>' if self.has_focus else ' '}{self.number} {self.table.title}"
        title += f" {self.order}" if self.order != Order() and self.table is not self._given else ""
        title += f" from cell {self.left}" if self.left else ""
        where = f" {self.cursor + 1}/{len(self.table.rows)}" if len(self.table.rows) > self.page else ""
        room = max(0, width - cell_width(title) - len(where) - 2)
        summary = Cell("  " + fit(sanitize(self.table.summary), room), "text" if self.has_focus else "dim")
        return paint([Cell(title, "title"), summary, Cell(where, "dim")], width, styles_of(self))

    def _row(self, at: int, width: int) -> Strip:
        if not 0 <= at < len(self.table.rows):
            return paint([], width, styles_of(self))
        chosen = at == self.cursor
        place = (at, width, chosen, self.app.theme)
        known = self._strips.get(place)
        if known is not None:
            return known
        columns, row = self.table.columns, self.table.rows[at]
        if self.left:
            line = self.sheet.line(row, self.left, width)
        else:
            line = row_line(row, columns, column_widths(columns, width), width)
        if chosen:
            line = [Cell(">" + line[0].text[1:], line[0].role), *line[1:]]
        strip = paint(line, width, styles_of(self), REVERSE if chosen and self.has_focus else None)
        self._strips[place] = strip
        return strip


def _target(action: str, cursor: int, page: int, rows: int) -> int:
    """Where a movement leads to."""
    return {
        "list.down": cursor + 1,
        "list.up": cursor - 1,
        "list.page-down": cursor + page,
        "list.page-up": cursor - page,
        "list.half-down": cursor + page // 2,
        "list.half-up": cursor - page // 2,
        "list.top": 0,
        "list.bottom": rows - 1,
    }[action]
