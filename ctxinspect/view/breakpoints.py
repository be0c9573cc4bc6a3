"""Panel 9: the breakpoints set on context events, and how often each holds; without one, a sentence that says how."""

from __future__ import annotations

from ctxinspect.view.inspection import BreakRow, Inspection
from ctxinspect.view.table import Cell, Column, Detail, Role, Row, Table, cells

__all__ = ["COLUMNS", "breakpoints_detail", "breakpoints_table"]

COLUMNS = (
    Column("nr", 3),
    Column("on", 3),
    Column("expression", 12, grow=1),
    Column("hits", 6, align=">", compared=False),
)
_EMPTY = "None set; b sets one on a row."
_HELP = (
    "b on a row proposes what to stop at; :b EXPR sets any other. c goes on to the next stop, C back to the one before.\n"
    "space switches one on and off, X deletes it, b edits it, :ignore NR N passes over its first N stops.\n"
    "Kinds: topic recall cover trunc drop budget text change finding pair at fork; for example: topic margin<0.05"
)


def breakpoints_table(inspection: Inspection) -> Table:
    """One row a breakpoint; `*` marks those that hold at this position."""
    rows = tuple(_row(item) for item in inspection.breaks)
    on = sum(item.enabled for item in inspection.breaks)
    off = len(rows) - on
    return Table("BREAKS", f"{on} on" + (f", {off} off" if off else ""), COLUMNS, rows, _EMPTY)


def _row(item: BreakRow) -> Row:
    role: Role = "text" if item.enabled else "dim"
    more = (f"  ignore {item.ignore}" if item.ignore else "") + ("  once" if item.once else "")
    return Row(
        str(item.id),
        cells(
            f"B{item.id}", Cell("on" if item.enabled else "off", role), Cell(item.expression + more, role), item.hits
        ),
        flag="*" if item.here else " ",
    )


def breakpoints_detail(inspection: Inspection, key: str) -> Detail:
    """The breakpoint's expression and its hits."""
    item = next((item for item in inspection.breaks if str(item.id) == key), None)
    if item is None:
        return Detail("breakpoints", (Cell(_EMPTY), Cell(_HELP, "dim")))
    hits = f"{item.hits} hit{'' if item.hits == '1' else 's'} in the session"
    hits += "; more may come, not all requests are looked at yet" if item.hits.endswith("+") else ""
    return Detail(f"breakpoint B{item.id}", (Cell(item.expression), Cell(hits), Cell(_HELP, "dim")))
