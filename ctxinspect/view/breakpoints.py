"""Panel 9: the breakpoints set on context events; without one, a sentence that says what they are for."""

from __future__ import annotations

from ctxinspect.view.inspection import Inspection
from ctxinspect.view.table import Cell, Column, Detail, Table

__all__ = ["COLUMNS", "breakpoints_detail", "breakpoints_table"]

COLUMNS = (Column("nr", 3), Column("on", 3), Column("expression", 12, grow=1), Column("hits", 6, align=">"))
_EMPTY = "None set. } and { stop at every event."


def breakpoints_table(inspection: Inspection) -> Table:
    """One row a breakpoint."""
    del inspection
    return Table("BREAKS", "0 on", COLUMNS, (), _EMPTY)


def breakpoints_detail(inspection: Inspection, key: str) -> Detail:
    """The breakpoint's expression and its hits."""
    del inspection, key
    return Detail("breakpoints", (Cell(_EMPTY),))
