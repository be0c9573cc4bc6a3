"""How every row of a panel stands to a reference request: `=` unchanged, `+` new, `~` changed, `-` gone.

Marks follow from the two tables alone. Rows that are gone stand at the end, so that no place of a row moves. Only rows
that are looked at are compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ctxinspect.view.table import Cell, LazyRows, Mark, Row, Table

__all__ = ["GONE", "marked"]

GONE = "gone:"
"""What the key of a row that is gone begins with."""


def _names(table: Table) -> Sequence[str]:
    """The name of every row; empty where rows are built when looked at and have no names."""
    if table.idents or isinstance(table.rows, LazyRows):
        return table.idents
    return [row.key for row in table.rows]


def _compared(row: Row, table: Table) -> tuple[str, ...]:
    if len(row.cells) == 1:
        return (row.cells[0].text,)
    return tuple(cell.text for cell, column in zip(row.cells, table.columns, strict=False) if column.compared)


def marked(table: Table, reference: Table | None) -> Table:
    """The table with its rows marked against the reference's; without a reference, or an empty one, as it is."""
    if reference is None or not (table.rows and reference.rows):
        return table
    names, others = _names(table), _names(reference)
    there = {name: at for at, name in enumerate(others)}
    here = set(names)
    gone = [at for name, at in there.items() if name not in here] if names else []
    count = len(table.rows)

    def build(at: int) -> Row:
        if at >= count:
            row = reference.rows[gone[at - count]]
            return replace(row, key=GONE + row.key, cells=tuple(Cell(text, "dim") for text, _ in row.cells), mark="-")
        row = table.rows[at]
        place = there.get(names[at]) if names else reference.index(row.key)
        mark: Mark = "+"
        if place is not None:
            same = _compared(row, table) == _compared(reference.rows[place], reference)
            mark = "=" if same else "~"
        return replace(row, mark=mark)

    def find(key: str) -> int | None:
        if key.startswith(GONE):
            wanted = key.removeprefix(GONE)
            return next((count + n for n, at in enumerate(gone) if reference.rows[at].key == wanted), None)
        return table.index(key)

    return replace(table, rows=LazyRows(count + len(gone), build), find=find, idents=())
