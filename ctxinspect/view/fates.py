"""What became of every earlier turn in one request, and which rule decided: the same words everywhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from ctxinspect.trace.recall_rows import recall_rules
from ctxinspect.trace.types import Trace
from ctxinspect.view.reasons import reason

__all__ = ["TurnFate", "TurnFates", "turn_fate", "turn_fates"]


@dataclass(frozen=True, slots=True)
class TurnFate:
    """The state of an earlier turn, the rule that decided and its words; `weight` orders what a reader asks first."""

    turn: int
    state: Literal["kept", "pruned", "dropped"]
    rule: str
    why: str
    weight: int = 0


_WEIGHTS = {
    "trimmed": 7,
    "over_budget": 6,
    "history_reset": 5,
    "recall_limit": 4,
    "content_filter": 3,
    "covered": 2,
    "no_gain": 2,
    "empty_after_prune": 2,
    "no_shared_anchor": 1,
}


class TurnFates(Mapping[int, TurnFate]):
    """The fate of every turn before the trace's, oldest first; each is built when it is looked at.

    Making it costs what the request holds, whatever the number of earlier turns.
    """

    def __init__(self, trace: Trace, first_visible: int = 0) -> None:
        self._count = trace.turn_id
        self._first_visible = first_visible
        self._present = {message.turn_id: False for message in trace.messages if message.turn_id is not None}
        for message in trace.messages:
            if message.state == "pruned" and message.turn_id is not None:
                self._present[message.turn_id] = True
        self._recalled = recall_rules(trace.recall or ())
        self._recent = {row.turn_id for row in trace.selected or () if row.via == "recent"}
        self._trimmed = {unit.turn_id for unit in trace.window.dropped if unit.kind == "turn"}
        self._otherwise = "no_shared_anchor" if trace.gate is not None else "not in the recording"

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[int]:
        return iter(range(self._count))

    def __contains__(self, turn: object) -> bool:
        return isinstance(turn, int) and 0 <= turn < self._count

    def __getitem__(self, turn: int) -> TurnFate:
        if turn not in self:
            raise KeyError(turn)
        state, rule = self._decided(turn)
        return TurnFate(turn, state, rule, reason(rule), _WEIGHTS.get(rule, 0))

    def dropped_rules(self) -> dict[str, int]:
        """How many turns each rule left out; no fate is built."""
        special = {turn for turn in (*self._trimmed, *self._present) if turn is not None and turn in self}
        recalled = self._recalled
        if self._first_visible:
            recalled = {turn: rule for turn, rule in recalled.items() if turn >= self._first_visible}
        counts = Counter(recalled.values())
        counts.subtract(recalled[turn] for turn in special if turn in recalled)
        before_reset = self._first_visible - sum(turn < self._first_visible for turn in special)
        counts["history_reset"] += before_reset
        counts[self._otherwise] += self._count - len(special) - counts.total()
        for turn in special:
            state, rule = self._decided(turn)
            if state == "dropped":
                counts[rule] += 1
        return {rule: number for rule, number in counts.items() if number}

    def worst(self) -> TurnFate | None:
        """Of the turns left out, the newest whose rule a reader asks for first; None where all are in."""
        rules = self.dropped_rules()
        if not rules:
            return None
        weight = max(_WEIGHTS.get(rule, 0) for rule in rules)
        for turn in range(self._count - 1, -1, -1):
            state, rule = self._decided(turn)
            if state == "dropped" and _WEIGHTS.get(rule, 0) == weight:
                return self[turn]
        return None

    def _decided(self, turn: int) -> tuple[Literal["kept", "pruned", "dropped"], str]:
        """State and rule of a turn."""
        if turn in self._trimmed:
            return "dropped", "trimmed"
        pruned = self._present.get(turn)
        recalled = self._recalled.get(turn)
        if pruned is not None:
            rule = "recent" if turn in self._recent else recalled if recalled == "selected" else "full"
            return "pruned" if pruned else "kept", rule or "full"
        if turn < self._first_visible:
            return "dropped", "history_reset"
        return "dropped", recalled or self._otherwise


def turn_fates(trace: Trace, first_visible: int = 0) -> TurnFates:
    """The fate of every turn before the trace's."""
    return TurnFates(trace, first_visible)


def turn_fate(trace: Trace, turn: int, first_visible: int = 0) -> TurnFate | None:
    """The fate of one turn; null for the current and later ones."""
    return turn_fates(trace, first_visible).get(turn)
