"""Panel 5: recall and coverage: the four score terms of every candidate, and why it was taken or not."""

from __future__ import annotations

from ctxinspect.trace.recall_rows import recall_row, stayed_rows
from ctxinspect.trace.types import CoverStep, RecallRow
from ctxinspect.view.inspection import Inspection, turn_text
from ctxinspect.view.reasons import explain_rule, reason
from ctxinspect.view.table import Cell, Column, Detail, LazyRows, Row, Table, cells, note, ratio

__all__ = ["COLUMNS", "recall_detail", "recall_table"]

COLUMNS = (
    Column("turn", 5),
    Column("lexU", 4, align=">"),
    Column("lexA", 4, align=">"),
    Column("ex", 2, align=">", shown_from=46),
    Column("rec", 4, align=">"),
    Column("score", 5, align=">"),
    Column("gain", 6, align=">", shown_from=52),
    Column("cost", 5, align=">", shown_from=52),
    Column("why", 10, grow=1),
)
_EMPTY = "No candidate: no earlier turn shares an anchor with the query."
_RECORDED = "No recall in RECORDED; a: REPLAY."
_STOPS = {
    "target": "coverage target reached",
    "no_gain": "nothing left adds coverage",
    "budget": "nothing left fits the history budget",
    "no_candidates": "no candidates",
}


def recall_table(inspection: Inspection) -> Table:
    """Recent turns, then candidates in rank order with the cover step that took them; then what stayed uncovered."""
    trace = inspection.trace
    if trace.recall is None or trace.cover is None:
        return Table("RECALL", "", COLUMNS, (), _RECORDED)
    steps = {step.turn_id: step for step in trace.cover.steps}
    turns = len(inspection.session.turns)
    recent = [row.turn_id for row in trace.selected or () if row.via == "recent"]
    recall, uncovered = trace.recall, trace.cover.uncovered
    count = len(recent) + len(recall)
    last = 1 if uncovered and count else 0

    def build(at: int) -> Row:
        if at < len(recent):
            return note(
                f"recent:{recent[at]}",
                f"{turn_text(recent[at], turns)} recent turn of the topic, comes along whole",
                "text",
            )
        if at < count:
            row = recall[at - len(recent)]
            return _row(row, steps.get(row.turn_id), turns)
        return note("uncovered", f"uncovered: {', '.join(uncovered)}")

    def find(key: str) -> int | None:
        if key == "uncovered":
            return count if last else None
        turn = int(key.removeprefix("recent:"))
        if key.startswith("recent:"):
            return recent.index(turn) if turn in recent else None
        if recall_row(recall, turn) is None:
            return None
        return next(at for at, row in enumerate(recall, start=len(recent)) if row.turn_id == turn)

    chosen = sum(row.rule == "selected" for row in stayed_rows(recall))
    coverage = "-" if trace.cover.coverage is None else ratio(trace.cover.coverage)
    target = inspection.settings.gatekeeper.coverage_target
    summary = f"{chosen} of {len(trace.recall)}  cover {coverage} of {target:g}  stop: {trace.cover.stop}"
    return Table("RECALL", summary, COLUMNS, LazyRows(count + last, build), _EMPTY, find)


def _row(row: RecallRow, step: CoverStep | None, turns: int) -> Row:
    taken = row.rule == "selected"
    role = "text" if taken else "dim"
    why = Cell(("taken, pruned" if row.state == "pruned" else "taken whole") if taken else reason(row.rule), role)  # type: ignore[arg-type]
    name = Cell(turn_text(row.turn_id, turns), "highlight" if taken else "text")
    terms = (ratio(row.lex_user), ratio(row.lex_assistant), str(row.exact), ratio(row.recency), ratio(row.score))
    figures = (ratio(step.gain), str(step.cost)) if step else ("-", "-")
    return Row(str(row.turn_id), cells(name, *terms, *figures, why))


def recall_detail(inspection: Inspection, key: str) -> Detail:
    """The score as a sum of its terms, the step that took the turn, or the rule that left it out."""
    trace, weights = inspection.trace, inspection.settings.gatekeeper
    if trace.recall is None or trace.cover is None:
        return Detail("recall", (Cell(_RECORDED),))
    if key == "uncovered":
        stop = _STOPS[trace.cover.stop]
        return Detail("uncovered anchors", (Cell("\n".join(trace.cover.uncovered)), Cell(f"Stopped: {stop}.", "dim")))
    turn = int(key.removeprefix("recent:"))
    name = turn_text(turn, len(inspection.session.turns))
    chosen = next((row for row in trace.selected or () if row.turn_id == turn), None)
    row = recall_row(trace.recall, turn)
    blocks: list[Cell] = []
    if row is None:
        blocks.append(Cell(explain_rule("recent")))
    else:
        parts = (
            f"{weights.weight_user:g} x {row.lex_user:.4f} user + {weights.weight_assistant:g} x {row.lex_assistant:.4f} "
            f"assistant + {weights.weight_exact:g} x {row.exact} exact + {weights.weight_recency:g} x {row.recency:.4f} recency"
        )
        blocks.append(Cell(f"{row.state} (rule {row.rule}): {explain_rule(row.rule)}"))
        blocks.append(Cell(f"score {row.score:.4f} = {parts}"))
        words = ", ".join(row.content_words) or "none"
        blocks.append(Cell(f"content words of the query in it: {words}", "dim"))
    step = next((step for step in trace.cover.steps if step.turn_id == turn), None)
    if step is not None:
        number = trace.cover.steps.index(step) + 1
        blocks.append(
            Cell(
                f"step {number}: gain {step.gain:.4f} at a cost of {step.cost} tokens; newly covers "
                f"{', '.join(step.newly)}; coverage {step.coverage:.4f}, {step.budget_left} tokens of history budget left"
            )
        )
    if chosen is not None:
        blocks += [Cell("user, as sent:", "title"), Cell(chosen.user)]
        blocks += [Cell("assistant, as sent:", "title"), Cell(chosen.assistant)]
    return Detail(f"recall {name}", tuple(block for block in blocks if block.text))
