"""The way of every earlier turn through the stages of one request: what each stage decided about it, with numbers.

Read from the trace alone; a ledger, where the trace has one, adds the numbers of turns that stayed out. Rules are named
as in the specification, with blanks for underscores where they stand in a sentence.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from ctxinspect.trace.types import STAGES, LedgerEntry, RecallRow, SelectedRow, Stage, Trace

__all__ = ["History", "Way", "first_parting", "history_of", "number", "turn_ways"]

History = Literal["gatekeeper", "full", "recorded"]
"""Where the earlier turns of a request come from."""


@dataclass(frozen=True, slots=True)
class Way:
    """What became of a turn: the rule by stage, whether any of it is in the request, and what was decided in words.

    `chosen` are its texts as rendered, where the gatekeeper selected it.
    """

    turn_id: int
    rules: Mapping[Stage, str]
    present: bool
    words: str
    chosen: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class _Facts:
    """The parts of a trace by turn."""

    recall: Mapping[int, RecallRow]
    selected: Mapping[int, SelectedRow]
    ledger: Mapping[str | int, LedgerEntry]
    gains: Mapping[int, str]
    present: frozenset[int]
    trimmed: Mapping[int, int] = field(default_factory=dict)


def number(value: float) -> str:
    """A figure of a sentence: whole numbers as they are, others with at most four decimals, small ones by digits."""
    if float(value).is_integer() and abs(value) < 1e15:
        return str(int(value))
    return f"{value:.3g}" if abs(value) < 0.01 else f"{value:.4f}".rstrip("0").rstrip(".")


def history_of(trace: Trace) -> History | None:
    """Whether earlier turns are recorded, all of them, or selected by the gatekeeper; null where it cannot be seen."""
    if trace.view == "recorded":
        return "recorded"
    if trace.ledger is not None and any(e.kind == "turn" and e.rule == "full" for e in trace.ledger):
        return "full"
    selected = {row.turn_id for row in trace.selected or ()}
    rendered = {row.turn_id for row in trace.messages} | {unit.turn_id for unit in trace.window.dropped}
    rendered -= {None, trace.turn_id}
    if rendered - selected or selected - rendered:
        return "full"
    return "gatekeeper" if selected else None


def turn_ways(trace: Trace, history: History) -> dict[int, Way]:
    """The way of every turn before the trace's own, oldest first. Linear in turns and messages."""
    facts = _facts(trace)
    return {turn: _way(turn, history, facts) for turn in range(trace.turn_id)}


def _facts(trace: Trace) -> _Facts:
    trimmed: dict[int, int] = {}
    for unit in trace.window.dropped:
        if unit.turn_id is not None:
            trimmed[unit.turn_id] = trimmed.get(unit.turn_id, 0) + unit.tokens
    steps = trace.cover.steps if trace.cover else ()
    return _Facts(
        recall={row.turn_id: row for row in trace.recall or ()},
        selected={row.turn_id: row for row in trace.selected or ()},
        ledger={entry.id: entry for entry in trace.ledger or () if entry.kind == "turn"},
        gains={step.turn_id: f"gain {number(step.gain)}, {step.cost} tokens" for step in steps},
        present=frozenset(row.turn_id for row in trace.messages if row.turn_id is not None),
        trimmed=trimmed,
    )


def _way(turn: int, history: History, facts: _Facts) -> Way:
    present = turn in facts.present
    if history == "recorded":
        word = "recorded" if present else "not in the recording"
        return Way(turn, {"ingest": word}, present, word)
    entry = facts.ledger.get(turn)
    rules: dict[Stage, str]
    chosen = None
    if entry is not None and entry.stage == "ingest":
        rules, words = {"ingest": entry.rule}, entry.rule.replace("_", " ")
    elif entry is not None and entry.rule == "history_reset":
        rules, words = {"ingest": entry.rule}, "history reset"
    elif history == "full":
        known = present or turn in facts.trimmed
        rules, words = ({"render": "full"}, "full history") if known else ({"ingest": "history_reset"}, "history reset")
    else:
        rules, words = _gatekept(turn, facts)
        row = facts.selected.get(turn)
        chosen = (row.user, row.assistant) if row is not None and row.via == "cover" else None
    if turn in facts.trimmed:
        rules["window"] = "trimmed"
        words = f"{'partly ' if present else ''}trimmed, {facts.trimmed[turn]} tokens"
    return Way(turn, rules, present, words, chosen)


def _gatekept(turn: int, facts: _Facts) -> tuple[dict[Stage, str], str]:
    selected, row = facts.selected.get(turn), facts.recall.get(turn)
    if selected is not None and selected.via == "recent":
        return {"recall": "recent"}, "recent turn of the topic"
    if row is None:
        return {"recall": "no_shared_anchor"}, "no shared anchor"
    words = row.rule.replace("_", " ") + _numbers(turn, row, facts)
    if row.rule in ("content_filter", "recall_limit"):
        return {"recall": row.rule}, words
    if row.rule == "empty_after_prune":
        return {"recall": "recalled", "prune": row.rule}, words
    return {"recall": "recalled", "cover": row.rule}, words


def _numbers(turn: int, row: RecallRow, facts: _Facts) -> str:
    """The figures that decided, in brackets."""
    if turn in facts.gains:
        return f" ({facts.gains[turn]})"
    entry = facts.ledger.get(turn)
    if entry is None or entry.value is None or entry.threshold is None:
        return f" (score {number(row.score)})" if row.rule != "content_filter" else ""
    value, threshold = number(entry.value), number(entry.threshold)
    if row.rule == "over_budget":
        return f" ({value} tokens > {threshold} left)"
    if row.rule == "recall_limit":
        return f" (rank {value} > {threshold})"
    if row.rule == "covered" and entry.threshold > 0:
        return f" (coverage {value} reached {threshold})"
    return ""


def first_parting(before: Way, after: Way) -> Stage | None:
    """The first stage at which two ways part, or null where they are one."""
    for stage in STAGES:
        if stage == "prune" and before.chosen and after.chosen and before.chosen != after.chosen:
            return stage
        if before.rules.get(stage) != after.rules.get(stage):
            return stage
    return None
