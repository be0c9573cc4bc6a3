"""Tables as lines of cells of an exact width: sanitised, clipped on character boundaries, padded.

The same table at the same width gives the same line, whatever was drawn before.
"""

from __future__ import annotations

from collections.abc import Sequence

from ctxinspect.text.clip import cell_width, clip, fit
from ctxinspect.text.sanitize import is_clean, one_line
from ctxinspect.view.table import Cell, Column, Row, Table

__all__ = ["MARK_CELLS", "column_widths", "header_line", "line_text", "row_line", "table_lines"]

_GAP = 1
"""Blanks between two columns, in cells."""
MARK_CELLS = 3
"""Cells before the first column: the cursor or the flag, the mark, a blank."""


def column_widths(columns: Sequence[Column], width: int) -> tuple[int, ...]:
    """Cells of each column in a table of `width` cells; 0 where a column is hidden.

    Spare cells go to the growing columns; where cells are missing the growing columns give theirs, then the last
    columns are cut or hidden.
    """
    shown = [column.width if width >= column.shown_from else 0 for column in columns]
    spare = width - MARK_CELLS - sum(shown) - _GAP * (sum(1 for cell in shown if cell) - 1)
    growing = [at for at, column in enumerate(columns) if column.grow and shown[at]]
    if spare > 0 and growing:
        total = sum(columns[at].grow for at in growing)
        for at in growing[:-1]:
            share = spare * columns[at].grow // total
            shown[at] += share
        shown[growing[-1]] += spare - sum(spare * columns[at].grow // total for at in growing[:-1])
    for at in range(len(columns) - 1, -1, -1):
        if spare >= 0:
            break
        given = min(shown[at], -spare)
        shown[at] -= given
        spare += given + (_GAP if not shown[at] and given else 0)
    return tuple(shown)


def row_line(row: Row, columns: Sequence[Column], widths: Sequence[int], width: int) -> list[Cell]:
    """One row as pieces of text that together take exactly `width` cells."""
    if len(row.cells) == 1 and len(columns) > 1:
        text, role = row.cells[0]
        return [Cell(fit(f"{row.flag}{row.mark} {one_line(text)}", width), role)]
    line = [Cell(f"{row.flag}{row.mark} ", "error" if row.flag == "!" else "text")]
    for at, (column, cells) in enumerate(zip(columns, widths, strict=True)):
        if not cells:
            continue
        text, role = row.cells[at] if at < len(row.cells) else Cell("")
        if len(line) > 1:
            line.append(Cell(" " * _GAP))
        line.append(Cell(fit(_shown(text), cells, column.align), role))
    return _exact(line, width)


def _shown(text: str) -> str:
    """One line of a cell; blanks before the text are a table's own and stay."""
    return text if is_clean(text) else one_line(text)


def header_line(columns: Sequence[Column], widths: Sequence[int], width: int) -> list[Cell]:
    """The line of column names, in exactly `width` cells."""
    names = Row("", tuple(Cell(column.name, "dim") for column in columns))
    if len(columns) == 1:
        return [Cell(fit(f"   {columns[0].name}", width), "dim")]
    return row_line(names, columns, widths, width)


def _exact(line: list[Cell], width: int) -> list[Cell]:
    used = sum(cell_width(text) for text, _ in line)
    if used < width:
        return [*line, Cell(" " * (width - used))]
    if used == width:
        return line
    kept: list[Cell] = []
    left = width
    for text, role in line:
        piece = clip(text, left, "") if cell_width(text) > left else text
        kept.append(Cell(piece, role))
        left -= cell_width(piece)
        if left <= 0:
            break
    return [*kept, Cell(" " * left)] if left > 0 else kept


def line_text(line: Sequence[Cell]) -> str:
    """A line's text without its roles."""
    return "".join(text for text, _ in line)


def table_lines(table: Table, width: int) -> list[str]:
    """The whole table as text: title, column names, rows (or the sentence for none)."""
    widths = column_widths(table.columns, width)
    lines = [f"{table.title}  {table.summary}".rstrip()]
    if not table.rows:
        return [*lines, f"  {table.empty}"]
    lines.append(line_text(header_line(table.columns, widths, width)).rstrip())
    lines += [line_text(row_line(row, table.columns, widths, width)).rstrip() for row in table.rows]
    return lines
