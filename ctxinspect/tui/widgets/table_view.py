"""A table of any length in one widget: only the visible lines are built, so a million rows cost what a screenful does.

The first line is the title, the second the column names; both stay while the rows scroll. The selected row is marked
with `>`; focus is a bold title with `*` and a reversed row. Cells are sanitised before they become segments.
"""

from __future__ import annotations

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from ctxinspect.text.clip import fit
from ctxinspect.text.sanitize import one_line
from ctxinspect.tui.theme import role_style
from ctxinspect.view.layout import column_widths, header_line, row_line
from ctxinspect.view.table import Cell, Table

__all__ = ["TableView"]

_HEAD = 2
"""Lines above the rows: title and column names."""


class TableView(ScrollView, can_focus=True):
    """One panel's table with a cursor."""

    DEFAULT_CSS = """
    TableView { height: 1fr; width: 1fr; min-width: 8; scrollbar-size: 1 1; overflow-x: hidden; }
    """

    class Selected(Message):
        """The cursor of a table stands on another row."""

        def __init__(self, view: TableView) -> None:
            super().__init__()
            self.view = view

        @property
        def control(self) -> TableView:
            return self.view

    class Opened(Message):
        """A row was clicked that was selected already."""

        def __init__(self, view: TableView) -> None:
            super().__init__()
            self.view = view

    def __init__(self, name: str, digit: int) -> None:
        super().__init__(id=f"panel-{name}")
        self.panel = name
        self.digit = digit
        self.table = Table(name.upper(), "", (), (), "")
        self.cursor = 0

    # --- content ---

    def show(self, table: Table, cursor_key: str | None = None, *, start: int = 0) -> None:
        """Show a table. The cursor stays on its key if that is still there, else on the same place."""
        kept = cursor_key if cursor_key is not None else self.selected_key
        self.table = table
        found = table.index(kept) if kept is not None else None
        self.cursor = max(0, min(found if found is not None else (start or self.cursor), len(table.rows) - 1))
        self._resize()
        self._follow()
        self.refresh()

    @property
    def selected_key(self) -> str | None:
        """The key of the selected row, or None in an empty table."""
        return self.table.rows[self.cursor].key if 0 <= self.cursor < len(self.table.rows) else None

    def move(self, by: int) -> None:
        """Move the cursor by rows, stopping at the ends."""
        self.select(self.cursor + by)

    def select(self, index: int) -> None:
        """Put the cursor on a row."""
        index = max(0, min(index, len(self.table.rows) - 1))
        if index != self.cursor and self.table.rows:
            self.cursor = index
            self._follow()
            self.refresh()
            self.post_message(self.Selected(self))

    # --- drawing ---

    def _resize(self) -> None:
        self.virtual_size = Size(self.size.width, len(self.table.rows) + _HEAD)

    def _follow(self) -> None:
        """Scroll so that the cursor is visible below the two fixed lines."""
        room = max(1, self.size.height - _HEAD)
        top = self.scroll_offset.y
        if self.cursor < top:
            self.scroll_to(y=self.cursor, animate=False)
        elif self.cursor >= top + room:
            self.scroll_to(y=self.cursor - room + 1, animate=False)

    def on_resize(self) -> None:
        """Widths are those of the screen: measure again and keep the cursor in sight."""
        self._resize()
        self._follow()

    def render_line(self, y: int) -> Strip:
        """One visible line."""
        width = self.size.width
        if width <= 0:
            return Strip.blank(0)
        theme = self.app.theme
        if y == 0:
            return self._title(width, theme)
        if not self.table.rows:
            text = f"  {self.table.empty}" if y == 1 else ""
            return self._strip([Cell(fit(one_line(text), width), "dim")], theme)
        widths = column_widths(self.table.columns, width - 1)
        if y == 1:
            return self._strip([Cell(" "), *header_line(self.table.columns, widths, width - 1)], theme)
        at = y - _HEAD + self.scroll_offset.y
        if at >= len(self.table.rows):
            return Strip.blank(width, Style(bgcolor=None))
        line = row_line(self.table.rows[at], self.table.columns, widths, width - 1)
        chosen = at == self.cursor
        cells = [Cell(">" if chosen else " ", "highlight"), *line]
        return self._strip(cells, theme, reverse=chosen and self.has_focus)

    def _title(self, width: int, theme: str) -> Strip:
        star = "*" if self.has_focus else " "
        head = f"{star}{self.digit} {self.table.title.upper()}"
        text = f"{head}  {one_line(self.table.summary)}" if self.table.summary else head
        if len(self.table.rows) > max(1, self.size.height - _HEAD):
            where = f"  {self.cursor + 1}/{len(self.table.rows)}"
            text = fit(text, max(0, width - len(where))) + where
        style = role_style("title", theme) if self.has_focus else role_style("dim", theme)
        return Strip([Segment(fit(text, width), style + Style(underline=True))], width)

    def _strip(self, cells: list[Cell], theme: str, *, reverse: bool = False) -> Strip:
        extra = Style(reverse=True) if reverse else Style()
        segments = [Segment(text, role_style(role, theme) + extra) for text, role in cells if text]
        return Strip(segments).adjust_cell_length(self.size.width)

    # --- mouse ---

    def on_click(self, event: events.Click) -> None:
        """Click selects; a click on the selected row opens it."""
        at = event.y - _HEAD + self.scroll_offset.y
        self.focus()
        if event.y >= _HEAD and at < len(self.table.rows):
            if at == self.cursor:
                self.post_message(self.Opened(self))
            else:
                self.select(at)

    def on_focus(self) -> None:
        """The title and the cursor change with focus."""
        self.refresh(Region(0, 0, *self.size))

    def on_blur(self) -> None:
        """See `on_focus`."""
        self.refresh(Region(0, 0, *self.size))
