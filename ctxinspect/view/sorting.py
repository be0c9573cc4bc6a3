"""A table in the order of one of its columns: numbers by value, other texts without regard to case, notes at the end.

Rows that are equal there keep their order; the table itself is never changed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from ctxinspect.view.table import LazyRows, Row, Table

__all__ = ["SORTABLE", "Order", "next_order", "ordered"]

SORTABLE = 2000
"""Rows up to which a table is sorted: each has to be built for it, at every step."""
_NUMBER = re.compile(r"[+\-]?\d+(?:\.\d+)?%?")


@dataclass(frozen=True, slots=True)
class Order:
    """By which column (by its name, empty: as the table is), and whether from the end."""

    column: str = ""
    reverse: bool = False

    def __str__(self) -> str:
        if not self.column:
            return "reversed" if self.reverse else ""
        return f"by {self.column}{' reversed' if self.reverse else ''}"


def next_order(table: Table, order: Order) -> Order:
    """The order by the next column that has a name; behind the last one as the table is."""
    names = [column.name for column in table.columns if column.name]
    at = names.index(order.column) + 1 if order.column in names else 0
    return Order(names[at] if at < len(names) else "", reverse=False)


def ordered(table: Table, order: Order) -> Table:
    """The table in this order; as it is where the order is none, its column is not there, or it has too many rows."""
    names = [column.name for column in table.columns]
    if order == Order() or len(table.rows) > SORTABLE or (order.column and order.column not in names):
        return table
    if order.column:
        column = names.index(order.column)
        keys = [_key(row, column, len(names)) for row in table.rows]
        places = sorted(range(len(keys)), key=lambda at: keys[at], reverse=order.reverse)
        notes = [at for at in places if keys[at][0] == _LAST]
        places = [at for at in places if keys[at][0] != _LAST] + sorted(notes)
    else:
        places = list(range(len(table.rows) - 1, -1, -1))
    seats = {place: at for at, place in enumerate(places)}

    def find(key: str) -> int | None:
        at = table.index(key)
        return None if at is None else seats[at]

    idents = [table.idents[place] for place in places] if table.idents else ()
    rows = LazyRows(len(places), lambda at: table.rows[places[at]])
    return replace(table, rows=rows, find=find, idents=idents)


_NUMBERS, _TEXTS, _EMPTY, _LAST = range(4)


def _key(row: Row, column: int, columns: int) -> tuple[int, float, str]:
    """Numbers before texts before empty cells before notes."""
    if len(row.cells) == 1 and columns > 1:
        return _LAST, 0.0, ""
    text = row.text(column).strip()
    if _NUMBER.fullmatch(text):
        return _NUMBERS, float(text.rstrip("%")), ""
    return (_TEXTS, 0.0, text.casefold()) if text and text != "-" else (_EMPTY, 0.0, "")
