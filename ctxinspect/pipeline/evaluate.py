"""Gate and recall measured against topic labels (specification page 5, reference session).

On every switch the gate decides: are the selected turns of the same topic, and how much of what could be covered is? And
which changes of the label did the gate miss? Zero contamination with nothing recalled is no success, so both stand side
by side. Turns without a label are replayed as all others are and judged in nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ctxinspect.pipeline.replay import Replay
from ctxinspect.trace.types import CoverTrace, GateTrace

__all__ = ["Evaluation", "Judged", "evaluate", "mean"]


@dataclass(frozen=True, slots=True)
class Judged:
    """One labelled turn: what the gate decided, whether its label changed, what the gatekeeper selected.

    `change` compares with the nearest earlier labelled turn (false for the first one); `returns` says that an earlier
    turn has this label. `same`, `other` and `unlabelled` are the selected turns by their label. `anchor_recall` is
    Σ idf of the coverable anchors that are covered / Σ idf of the coverable ones, null where nothing can be covered.
    """

    turn_id: int
    topic: str
    decision: str
    rule: str
    change: bool
    returns: bool
    same: tuple[int, ...]
    other: tuple[int, ...]
    unlabelled: tuple[int, ...]
    anchor_recall: float | None


@dataclass(frozen=True, slots=True)
class Evaluation:
    """Every labelled turn of a session, oldest first, and what follows from them."""

    turns: int
    judged: tuple[Judged, ...]

    @property
    def topics(self) -> tuple[str, ...]:
        """The labels, in the order in which they first appear."""
        return tuple(dict.fromkeys(turn.topic for turn in self.judged))

    @property
    def changes(self) -> tuple[Judged, ...]:
        """Turns whose label is another than that of the labelled turn before."""
        return tuple(turn for turn in self.judged if turn.change)

    @property
    def switches(self) -> tuple[Judged, ...]:
        """Turns at which the gate decided a switch."""
        return tuple(turn for turn in self.judged if turn.decision == "switch")

    @property
    def switches_inside(self) -> tuple[Judged, ...]:
        """Switches decided although the label stayed."""
        return tuple(turn for turn in self.switches if not turn.change)

    @property
    def missed(self) -> tuple[Judged, ...]:
        """Label changes at which the gate decided no switch."""
        return tuple(turn for turn in self.changes if turn.decision != "switch")

    @property
    def contaminated(self) -> tuple[Judged, ...]:
        """Switches at which a turn of another topic was selected."""
        return tuple(turn for turn in self.switches if turn.other)

    @property
    def returns(self) -> tuple[Judged, ...]:
        """Switches to a topic that was there before: where something of the same topic can come back."""
        return tuple(turn for turn in self.switches if turn.returns)

    @property
    def empty_returns(self) -> tuple[Judged, ...]:
        """Switches to a topic that was there before, with no turn of it selected."""
        return tuple(turn for turn in self.returns if not turn.same)

    @property
    def contaminated_continues(self) -> tuple[Judged, ...]:
        """Turns that continue, with a selected turn of another topic: a known limit of the gate."""
        return tuple(turn for turn in self.judged if turn.decision == "continue" and turn.other)


def evaluate(replay: Replay, *, progress: Callable[[int, int], None] | None = None) -> Evaluation:
    """Judge every labelled turn. `progress` is told (turns done, turns in all).

    What is selected is judged also where history is `full`: then it is what the gatekeeper would have chosen.
    """
    topics = [turn.topic for turn in replay.session.turns]
    judged: list[Judged] = []
    seen: set[str] = set()
    before: str | None = None
    for turn_id, topic in enumerate(topics):
        if progress is not None:
            progress(turn_id, len(topics))
        if topic is None:
            continue
        gate, selection = replay.gate(turn_id), replay.selection(turn_id)
        chosen = [row.turn_id for row in selection.selected]
        judged.append(
            Judged(
                turn_id=turn_id,
                topic=topic,
                decision=gate.decision,
                rule=gate.rule,
                change=before is not None and topic != before,
                returns=topic in seen,
                same=tuple(t for t in chosen if topics[t] == topic),
                other=tuple(t for t in chosen if topics[t] not in (topic, None)),
                unlabelled=tuple(t for t in chosen if topics[t] is None),
                anchor_recall=_anchor_recall(gate, selection.cover),
            )
        )
        seen.add(topic)
        before = topic
    return Evaluation(len(topics), tuple(judged))


def _anchor_recall(gate: GateTrace, cover: CoverTrace) -> float | None:
    weights = {anchor.term: anchor.idf for anchor in gate.anchors}
    uncovered = frozenset(cover.uncovered)
    coverable = math.fsum(weights[term] for term in cover.coverable)
    if not coverable:
        return None
    return math.fsum(weights[term] for term in cover.coverable if term not in uncovered) / coverable


def mean(values: Sequence[float]) -> float | None:
    """The arithmetic mean by an exact sum; null of nothing."""
    return math.fsum(values) / len(values) if values else None
