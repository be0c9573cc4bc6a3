"""Panel 1: every turn of the session, and what became of it in the request under the cursor."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from ctxinspect.model.content import content_text
from ctxinspect.pipeline.plan import Step
from ctxinspect.trace.recall_rows import recall_row
from ctxinspect.view.inspection import Inspection, turn_text
from ctxinspect.view.reasons import explain_rule
from ctxinspect.view.table import Cell, Column, Detail, LazyRows, Role, Row, Table

__all__ = ["COLUMNS", "turns_detail", "turns_table"]

COLUMNS = (
    Column("turn", 5),
    Column("gate", 6, compared=False),
    Column("here", 7),
    Column("tok", 6, align=">", compared=False),
    Column("ev", 4, compared=False),
    Column("what was asked", 10, grow=1, shown_from=52),
)
_GATE_WORDS = {"switch": "SWITCH", "continue": "cont", "start": "start"}


def turns_table(inspection: Inspection) -> Table:
    """One row a turn, built when looked at; `here` is its fate in this request (`now` is the current turn)."""
    session, trace = inspection.session, inspection.trace
    fates = inspection.fates
    total = len(session.turns)

    listed = inspection.only[1] if inspection.only else range(total)

    def build(at: int) -> Row:
        turn = listed[at]
        last = Step(turn, len(session.turns[turn].rounds))
        known = inspection.summaries.get(last)
        current = turn == trace.turn_id
        here, role = ("now", "title") if current else ("-", "dim")
        if turn in fates:
            here = fates[turn].state
            role = "warn" if here == "pruned" else "dim" if here == "dropped" else "text"
        tone: Role = "text" if turn <= trace.turn_id else "dim"
        gate = _GATE_WORDS.get(known.decision, "-") if known else ""
        return Row(
            str(turn),
            (
                Cell(turn_text(turn, total), "title" if current else tone),
                Cell(gate, "accent" if gate == "SWITCH" else tone),
                Cell(here, role),  # type: ignore[arg-type]
                Cell(str(known.tokens) if known else "", tone),
                Cell((known.letters or ".") if known else "", "warn" if known and known.letters else tone),
                Cell(content_text(session.turns[turn].user), tone),
            ),
            flag="*" if current else " ",
        )

    inside = len(fates) - sum(fates.dropped_rules().values())
    rounds = len(session.turns[trace.turn_id].rounds)
    at = f"request {trace.request}/{rounds}" if rounds else "1 request"
    summary = f"{inside} of {trace.turn_id} in, {at}" if trace.view == "replay" else at
    if inspection.only:
        summary = f"{len(listed)} of {total} where {inspection.only[0]}; {summary}"
    empty = "The session has no turns."
    return Table("TURNS", summary, COLUMNS, LazyRows(len(listed), build), empty, lambda key: _place(listed, key))


def _place(listed: Sequence[int], key: str) -> int | None:
    """Where a turn stands in the list, null where it is not listed."""
    turn = int(key)
    at = bisect_left(listed, turn)
    return at if at < len(listed) and listed[at] == turn else None


def turns_detail(inspection: Inspection, key: str) -> Detail:
    """What the turn was, and why it is or is not in this request."""
    turn = int(key)
    own = inspection.session.turns[turn]
    trace = inspection.trace
    name = turn_text(turn, len(inspection.session.turns))
    blocks: list[Cell] = []
    fate = inspection.fates.get(turn)
    if turn == trace.turn_id:
        blocks.append(Cell("The turn of this request: its user message and the rounds so far are always in."))
    elif fate is None:
        blocks.append(Cell("It comes after this request.", "dim"))
    else:
        blocks.append(Cell(f"{fate.state}: {fate.why}. {explain_rule(fate.rule)}"))
        blocks += [Cell(_scores(inspection, turn))] if trace.recall else []
    facts = [f"source {own.source}", f"{len(own.rounds)} rounds"]
    facts += ["interrupted"] if own.interrupted else []
    facts += ["resets history"] if own.resets_history else []
    facts += [f"topic {own.topic}"] if own.topic else []
    blocks.append(Cell(", ".join(facts), "dim"))
    blocks += [Cell("user:", "title"), Cell(content_text(own.user))]
    if own.has_answer:
        blocks += [Cell("assistant:", "title"), Cell(content_text(own.assistant))]
    return Detail(f"turn {name}", tuple(block for block in blocks if block.text))


def _scores(inspection: Inspection, turn: int) -> str:
    row = recall_row(inspection.trace.recall or (), turn)
    if row is None:
        return ""
    return (
        f"score {row.score:.4f}: user {row.lex_user:.2f}, assistant {row.lex_assistant:.2f}, recency {row.recency:.2f}"
    )
