"""Panel 4: the anchors of the query: how rare each is, whether the topic holds it, which turn covers it."""

from __future__ import annotations

from ctxinspect.trace.types import Anchor, Trace
from ctxinspect.view.inspection import Inspection, turn_text
from ctxinspect.view.table import Cell, Column, Detail, Row, Table, cells

__all__ = ["COLUMNS", "anchors_detail", "anchors_table", "covered_by"]

COLUMNS = (
    Column("anchor", 12, grow=1),
    Column("kind", 10, shown_from=56),
    Column("df", 3, align=">"),
    Column("idf", 5, align=">"),
    Column("topic", 6),
    Column("covered", 9),
)
_EMPTY = "No anchors in RECORDED; a: REPLAY."


def covered_by(trace: Trace) -> dict[str, int]:
    """Which chosen turn covers each anchor first: recent turns before recalled ones. `covered_ids` index the anchors."""
    found: dict[str, int] = {}
    anchors = trace.gate.anchors if trace.gate else ()
    for row in trace.selected or ():
        for at in row.covered_ids:
            if at < len(anchors):
                found[anchors[at].term] = row.turn_id
    return found


def anchors_table(inspection: Inspection) -> Table:
    """Anchors by idf, the cut ones after them."""
    trace = inspection.trace
    gate = trace.gate
    if gate is None:
        return Table("ANCHORS", "", COLUMNS, (), _EMPTY)
    found = covered_by(trace)
    coverable = set(trace.cover.coverable) if trace.cover else set()
    rows = [_row(inspection, anchor, found.get(anchor.term), coverable) for anchor in gate.anchors]
    floor = inspection.settings.gatekeeper.idf_floor
    rows += [
        Row(
            f"cut:{cut.term}",
            cells(Cell(cut.term, "dim"), "ngram", str(cut.df), f"{cut.idf:.2f}", Cell("cut", "warn"), f"idf<{floor:g}"),
        )
        for cut in gate.anchors_cut
    ]
    shared = sum(anchor.in_topic for anchor in gate.anchors)
    summary = f"{shared} shared, {len(gate.anchors) - shared} new"
    summary += f", {len(gate.anchors_cut)} cut" if gate.anchors_cut else ""
    return Table("ANCHORS", summary, COLUMNS, tuple(rows), "The query has no anchors.")


def _row(inspection: Inspection, anchor: Anchor, turn: int | None, coverable: set[str]) -> Row:
    covered = turn_text(turn, len(inspection.session.turns))
    if turn is None:
        covered = "uncovered" if anchor.term in coverable else "nowhere"
    role = "text" if turn is not None else "warn" if anchor.term in coverable else "dim"
    kind = Cell("shared" if anchor.in_topic else "new", "text" if anchor.in_topic else "accent")
    name = Cell(anchor.term, "text")
    return Row(
        f"anchor:{anchor.term}",
        cells(name, anchor.kind, str(anchor.df), f"{anchor.idf:.2f}", kind, Cell(covered, role)),  # type: ignore[arg-type]
    )


def anchors_detail(inspection: Inspection, key: str) -> Detail:
    """Where the anchor occurs, why it weighs what it weighs, what it decided."""
    gate = inspection.trace.gate
    kind, _, term = key.partition(":")
    if gate is None:
        return Detail("anchors", (Cell(_EMPTY),))
    if kind == "cut":
        cut = next((item for item in gate.anchors_cut if item.term == term), None)
        floor = inspection.settings.gatekeeper.idf_floor
        text = (
            f"idf {cut.idf:.4f} is {floor - cut.idf:.4f} below the floor {floor:g}: too common to tell topics apart."
            if cut
            else ""
        )
        return Detail(f"anchor {term} (cut)", (Cell(text),))
    anchor = next((item for item in gate.anchors if item.term == term), None)
    if anchor is None:
        return Detail("anchors", (Cell("No such anchor in this request.", "dim"),))
    turn = covered_by(inspection.trace).get(term)
    total = sum(item.idf for item in gate.anchors)
    share = 100 * anchor.idf / total if total else 0.0
    lines = [
        f"{anchor.kind}, in {anchor.df} of {gate.blocks} earlier blocks, idf {anchor.idf:.4f}: {share:.1f}% of the query's weight.",
        "The active topic holds it: it counts for overlap."
        if anchor.in_topic
        else "New to the active topic: it counts for the new ratio.",
    ]
    if turn is not None:
        lines.append(f"Covered by {turn_text(turn, len(inspection.session.turns))}, which came along.")
    elif anchor.df:
        lines.append("No turn in this request covers it: " + _uncovered(inspection.trace, term))
    else:
        lines.append("It occurs in no earlier turn, so nothing can cover it.")
    return Detail(f"anchor {term}", tuple(Cell(line) for line in lines))


def _uncovered(trace: Trace, term: str) -> str:
    if trace.cover is None or term not in trace.cover.coverable:
        return "no recalled turn holds it after pruning."
    return {
        "target": "the coverage target was reached without it.",
        "budget": "what holds it does not fit the history budget.",
    }.get(trace.cover.stop, "selection stopped before it.")
