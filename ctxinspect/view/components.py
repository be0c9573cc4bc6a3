"""Panel 3: the components of the system prompt: what each wanted, what it got, and where the cut is in its text."""

from __future__ import annotations

from ctxinspect.trace.types import ComponentRow
from ctxinspect.view.inspection import Inspection
from ctxinspect.view.reasons import explain_rule, reason
from ctxinspect.view.table import Cell, Column, Detail, Role, Row, Table, cells, note

__all__ = ["COLUMNS", "components_detail", "components_table"]

COLUMNS = (
    Column("pri", 3, align=">"),
    Column("component", 14, grow=1),
    Column("want", 6, align=">"),
    Column("got", 6, align=">"),
    Column("cut%", 4, align=">"),
    Column("state", 9),
    Column("why", 24, grow=2),
)
_EMPTY = "The session has no components: there is no system prompt."
_RECORDED = "No components in RECORDED; a: REPLAY."
_ROLES: dict[str, Role] = {"kept": "text", "truncated": "warn", "dropped": "error"}


def _why(row: ComponentRow) -> str:
    text = reason(row.rule) if row.truncatable or row.rule != "fits" else "pinned, fits"
    if row.state == "truncated":
        return f"{text}: {row.remaining} left, {-row.margin} missing"
    if row.state == "dropped" and row.rule != "empty":
        return f"{text}: {row.remaining} left"
    return f"{text}, {row.margin} to spare" if row.state == "kept" else text


def components_table(inspection: Inspection) -> Table:
    """One row a component in priority order, dropped ones in their place; then the sums."""
    assembly = inspection.trace.assembly
    if assembly is None:
        return Table("COMPONENTS", "", COLUMNS, (), _RECORDED)
    rows = [_row(row) for row in assembly.components]
    kept = sum(row.state == "kept" for row in assembly.components)
    cut = sum(row.state == "truncated" for row in assembly.components)
    dropped = len(assembly.components) - kept - cut
    sums = f"sum {assembly.rendered_tokens} of limit {assembly.limit} ({assembly.requested_tokens} wanted), "
    sums += f"{assembly.overflow} over" if assembly.overflow else f"{assembly.unused_tokens} unused"
    if rows:
        rows.append(note("sum", sums))
    summary = f"{kept} kept, {cut} truncated, {dropped} dropped"
    return Table("COMPONENTS", summary, COLUMNS, tuple(rows), _EMPTY)


def _row(row: ComponentRow) -> Row:
    role = _ROLES[row.state] if row.rule != "empty" else "dim"
    lost = 100 * (row.requested_tokens - row.rendered_tokens) / row.requested_tokens if row.requested_tokens else 0.0
    percent = f"{max(lost, 0):.0f}%"
    name = Cell(row.name, role)
    numbers = (str(row.requested_tokens), str(row.rendered_tokens), percent)
    state = Cell(row.state, role)
    return Row(row.name, cells(str(row.priority), name, *numbers, state, _why(row)))


def components_detail(inspection: Inspection, key: str) -> Detail:
    """The component's decision in words, then its text with the cut shown in its place."""
    assembly = inspection.trace.assembly
    row = next((row for row in assembly.components if row.name == key), None) if assembly else None
    if row is None or assembly is None:
        return Detail("components", (Cell(_budget(inspection)),))
    room = f"{row.remaining} tokens were left before it, "
    room += f"{row.margin} would remain after it." if row.margin >= 0 else f"{-row.margin} are missing."
    blocks = [
        Cell(f"{row.state} (rule {row.rule}): {explain_rule(row.rule)} {room}"),
        Cell(f"priority {row.priority}, {'may be cut' if row.truncatable else 'may not be cut'}", "dim"),
    ]
    if row.rendered_chars:
        blocks.append(Cell(row.content[: row.rendered_chars]))
    if row.rendered_chars < len(row.content):
        lost = len(row.content) - row.rendered_chars
        blocks.append(
            Cell(f"<<<< {'cut here' if row.rendered_chars else 'left out'}: {lost} chars not sent >>>>", "error")
        )
        blocks.append(Cell(row.content[row.rendered_chars :], "dim"))
    return Detail(f"component {row.name} {row.rendered_tokens} of {row.requested_tokens} tokens", tuple(blocks))


def _budget(inspection: Inspection) -> str:
    assembly = inspection.trace.assembly
    if assembly is None:
        return _RECORDED
    return (
        f"Budget {assembly.budget} tokens, limit {assembly.limit} after the buffer; all sections whole would take "
        f"{assembly.requested_tokens}, {assembly.rendered_tokens} are rendered."
    )
