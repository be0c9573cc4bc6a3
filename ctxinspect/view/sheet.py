"""A table seen from a place to the right: its mark and first column stay, nothing of it is hidden or cut.

The growing columns are as wide as the rows that are seen need.
"""

from __future__ import annotations

from collections.abc import Sequence

from ctxinspect.text.clip import cell_width, skip_cells, take
from ctxinspect.text.sanitize import one_line
from ctxinspect.view.layout import MARK_CELLS, row_line
from ctxinspect.view.table import Cell, Column, Row

__all__ = ["Sheet"]


class Sheet:
    """The columns laid out for these rows."""

    def __init__(self, columns: Sequence[Column], rows: Sequence[Row]) -> None:
        self.columns = columns
        self.widths = tuple(
            max(column.width, _widest(rows, at)) if column.grow else column.width for at, column in enumerate(columns)
        )
        notes = (cell_width(one_line(row.cells[0].text)) for row in rows if self._is_note(row))
        self.width = max(MARK_CELLS + sum(self.widths) + max(0, len(self.widths) - 1), *notes, 0)
        """Cells of the longest row."""
        self.frozen = MARK_CELLS + (self.widths[0] + 1 if self.widths else 0)
        """Cells that stay in sight."""

    def _is_note(self, row: Row) -> bool:
        return len(row.cells) == 1 and len(self.columns) > 1

    def header(self, left: int, width: int) -> list[Cell]:
        """The names of the columns, in `width` cells."""
        return self.line(Row("", tuple(Cell(column.name, "dim") for column in self.columns)), left, width)

    def line(self, row: Row, left: int, width: int) -> list[Cell]:
        """A row without the `left` cells behind those that stay; it may be wider than `width` cells, or end before."""
        whole = row_line(row, self.columns, self.widths, max(self.width, self.frozen + left + width))
        return _without(whole, MARK_CELLS if self._is_note(row) else self.frozen, left)


def _widest(rows: Sequence[Row], column: int) -> int:
    return max((cell_width(one_line(row.text(column))) for row in rows if len(row.cells) > 1), default=0)


def _without(line: Sequence[Cell], frozen: int, left: int) -> list[Cell]:
    """The line without the cells from `frozen` to `frozen + left`."""
    kept: list[Cell] = []
    at = 0
    for text, role in line:
        cells = cell_width(text)
        head = max(0, min(cells, frozen - at))
        gone = max(0, min(cells, frozen + left - at) - head)
        piece = take(text, head) + skip_cells(text, head + gone) if gone else text
        kept += [Cell(piece, role)] if piece else []
        at += cells
    while kept and not kept[-1].text.strip():
        kept.pop()
    return [*kept[:-1], Cell(kept[-1].text.rstrip(), kept[-1].role)] if kept else []
