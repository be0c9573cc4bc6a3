"""The way of every earlier turn through the stages of one request: what each stage decided about it, with numbers.

Read from the trace alone; a ledger, where the trace has one, adds the numbers of turns that stayed out. Rules are named
as in the specification, with blanks for underscores where they stand in a sentence.
"""

from __future__ import annotations

from typing import Literal

from ctxinspect.trace.recall_rows import recall_rules
from ctxinspect.trace.types import STAGES, Stage, Trace

__all__ = ["History", "Ways", "first_parting", "history_of", "number"]

History = Literal["gatekeeper", "full", "recorded"]
"""Where the earlier turns of a request come from."""


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


class Ways:
    """The ways of the turns before a trace's own. Built in one pass; the words of a turn when they are asked for.

    Turns before `first_visible` are before a reset; a ledger says so too.
    """

    def __init__(self, trace: Trace, history: History, first_visible: int = 0) -> None:
        self.turns = trace.turn_id
        self._first_visible = first_visible
        self.history = history
        self._trace = trace
        self._rules = recall_rules(trace.recall) if trace.recall is not None and history == "gatekeeper" else {}
        self._selected = {row.turn_id: row for row in trace.selected or ()} if history == "gatekeeper" else {}
        self._ledger = {entry.id: entry for entry in trace.ledger or () if entry.kind == "turn"}
        self._present = frozenset(row.turn_id for row in trace.messages if row.turn_id is not None)
        self._trimmed: dict[int, int] = {}
        for unit in trace.window.dropped:
            if unit.turn_id is not None:
                self._trimmed[unit.turn_id] = self._trimmed.get(unit.turn_id, 0) + unit.tokens

    @property
    def notable(self) -> frozenset[int]:
        """The turns about which more is to be said than that they share no anchor, or are in no recording."""
        ledger = (int(key) for key, entry in self._ledger.items() if entry.stage == "ingest")
        reset = (int(key) for key, entry in self._ledger.items() if entry.rule == "history_reset")
        known = (*self._rules, *self._selected, *self._present, *self._trimmed, *range(self._first_visible))
        return frozenset((*known, *ledger, *reset))

    def present(self, turn: int) -> bool:
        """Whether any of the turn is in the request."""
        return turn in self._present

    def chosen(self, turn: int) -> tuple[str, str] | None:
        """Its texts as rendered, where the gatekeeper selected it to cover something."""
        row = self._selected.get(turn)
        return (row.user, row.assistant) if row is not None and row.via == "cover" else None

    def rules(self, turn: int) -> dict[Stage, str]:
        """The rule that each stage applied to the turn, as far as it came."""
        rules = self._rules_before_window(turn)
        if turn in self._trimmed:
            rules["window"] = "trimmed"
        return rules

    def _rules_before_window(self, turn: int) -> dict[Stage, str]:
        if self.history == "recorded":
            return {"ingest": "recorded" if turn in self._present else "not in the recording"}
        entry = self._ledger.get(turn)
        if entry is not None and (entry.stage == "ingest" or entry.rule == "history_reset"):
            return {"ingest": entry.rule}
        if turn < self._first_visible:
            return {"ingest": "history_reset"}
        if self.history == "full":
            known = turn in self._present or turn in self._trimmed
            return {"render": "full"} if known else {"ingest": "history_reset"}
        selected, rule = self._selected.get(turn), self._rules.get(turn, "no_shared_anchor")
        if selected is not None and selected.via == "recent":
            return {"recall": "recent"}
        if rule in ("content_filter", "recall_limit", "no_shared_anchor"):
            return {"recall": rule}
        return {"recall": "recalled", "prune" if rule == "empty_after_prune" else "cover": rule}

    def words(self, turn: int) -> str:
        """What decided about the turn, with the numbers it looked at."""
        if turn in self._trimmed:
            return f"{'partly ' if turn in self._present else ''}trimmed, {self._trimmed[turn]} tokens"
        rules = self._rules_before_window(turn)
        rule = rules[max(rules, key=STAGES.index)]
        named = {"recent": "recent turn of the topic", "full": "full history"}.get(rule, rule.replace("_", " "))
        return named + (self._numbers(turn, rule) if rule == self._rules.get(turn) else "")

    def _numbers(self, turn: int, rule: str) -> str:
        """The figures that decided on a candidate, in brackets."""
        entry = self._ledger.get(turn)
        step = next((s for s in self._trace.cover.steps if s.turn_id == turn), None) if self._trace.cover else None
        if step is not None:
            return f" (gain {number(step.gain)}, {step.cost} tokens)"
        if entry is None or entry.value is None or entry.threshold is None:
            return ""
        value, threshold = number(entry.value), number(entry.threshold)
        if rule == "over_budget":
            return f" ({value} tokens > {threshold} left)"
        if rule == "recall_limit":
            return f" (rank {value} > {threshold})"
        return f" (coverage {value} reached {threshold})" if rule == "covered" and entry.threshold > 0 else ""


def first_parting(before: Ways, after: Ways, turn: int) -> Stage | None:
    """The first stage at which the two ways of a turn part, or null where they are one."""
    old, new = before.rules(turn), after.rules(turn)
    texts = (before.chosen(turn), after.chosen(turn))
    for stage in STAGES:
        if old.get(stage) != new.get(stage) or (stage == "prune" and None not in texts and texts[0] != texts[1]):
            return stage
    return None
