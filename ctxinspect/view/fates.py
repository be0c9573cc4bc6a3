"""What became of every earlier turn in one request, and which rule decided: the same words everywhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ctxinspect.trace.types import Trace
from ctxinspect.view.reasons import reason

__all__ = ["TurnFate", "turn_fate", "turn_fates"]


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


def turn_fates(trace: Trace, first_visible: int = 0) -> dict[int, TurnFate]:
    """The fate of every turn before the trace's, oldest first. Linear in the number of turns and messages."""
    present = {message.turn_id: False for message in trace.messages if message.turn_id is not None}
    for message in trace.messages:
        if message.state == "pruned" and message.turn_id is not None:
            present[message.turn_id] = True
    recalled = {row.turn_id: row for row in trace.recall or ()}
    recent = {row.turn_id for row in trace.selected or () if row.via == "recent"}
    trimmed = {unit.turn_id for unit in trace.window.dropped if unit.kind == "turn"}
    fates: dict[int, TurnFate] = {}
    for turn in range(trace.turn_id):
        state: Literal["kept", "pruned", "dropped"] = "dropped"
        if turn in trimmed:
            rule = "trimmed"
        elif turn in present:
            state = "pruned" if present[turn] else "kept"
            rule = "recent" if turn in recent else recalled[turn].rule if turn in recalled else "full"
            rule = "full" if rule not in ("recent", "selected") else rule
        elif turn < first_visible:
            rule = "history_reset"
        elif turn in recalled:
            rule = recalled[turn].rule
        else:
            rule = "no_shared_anchor" if trace.gate is not None else "not in the recording"
        fates[turn] = TurnFate(turn, state, rule, reason(rule), _WEIGHTS.get(rule, 0))
    return fates


def turn_fate(trace: Trace, turn: int, first_visible: int = 0) -> TurnFate | None:
    """The fate of one turn; null for the current and later ones."""
    return turn_fates(trace, first_visible).get(turn)
