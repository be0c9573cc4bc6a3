"""What the gatekeeper would bring along at one turn, and the fate of everything it did not bring.

A selection is complete: every earlier turn and every sentence of a chosen block has exactly one fate. The ledgers are
built only when asked for, since they are as long as the session.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from ctxinspect.gatekeeper.prune import PrunedBlock, PrunedSide
from ctxinspect.trace.recall_rows import RecallRows
from ctxinspect.trace.types import STAGES, CoverTrace, Finding, LedgerEntry, RecallRow, SelectedRow, Stage

__all__ = ["Measure", "Selection"]

_STAGE_OF_RULE: dict[str, Stage] = {
    "content_filter": "recall",
    "recall_limit": "recall",
    "empty_after_prune": "prune",
    "no_gain": "cover",
    "over_budget": "cover",
    "covered": "cover",
    "selected": "cover",
}


@dataclass(frozen=True, slots=True)
class Measure:
    """The number a rule looked at and the one it was compared with; `margin` is the first minus the second."""

    value: float
    threshold: float

    @property
    def margin(self) -> float:
        """Value minus threshold."""
        return self.value - self.threshold


@dataclass(frozen=True, slots=True)
class Selection:
    """The selection at turn `t` (specification page 5); earlier turns are 0 to t - 1.

    `selected` is in turn order, its texts without the label of who spoke. `pruned` are the blocks chosen to cover, in
    turn order; `recent` the turns that came along whole, newest first. Turns below `first_visible` are out by a reset.
    `measures` are the numbers of the rules that have one, by turn: tokens against the budget left (`recent`,
    `over_budget`), gain against 0 (`selected`, `no_gain`, `covered` where the target is not reached), coverage against
    the target (`covered` otherwise). Not among them, since they follow from the rows: rank against `recall_limit`,
    content words held, none, against 1 (`content_filter`), anchors shared, none, against 1 (`no_shared_anchor`).
    """

    t: int
    first_visible: int
    recall: RecallRows
    cover: CoverTrace
    selected: tuple[SelectedRow, ...]
    pruned: tuple[PrunedBlock, ...]
    recent: tuple[int, ...]
    findings: tuple[Finding, ...]
    measures: Mapping[int, Measure]
    recall_limit: int

    def cut_sides(self, turn_id: int) -> tuple[bool, bool]:
        """Whether a sentence of the user text, and of the assistant text, of a chosen turn was left out."""
        for block in self.pruned:
            if block.turn_id == turn_id:
                return block.user.pruned, block.assistant.pruned
        return False, False

    def turn_ledger(self) -> tuple[LedgerEntry, ...]:
        """The fate of every earlier turn, in stage order, then by turn."""
        recent = frozenset(self.recent)
        recalled = {row.turn_id: (rank, row) for rank, row in enumerate(self.recall, start=1)}
        entries = [self._turn_entry(turn_id, recent, *recalled.get(turn_id, (0, None))) for turn_id in range(self.t)]
        return tuple(sorted(entries, key=lambda entry: (STAGES.index(entry.stage), int(entry.id))))

    def sentence_ledger(self) -> tuple[LedgerEntry, ...]:
        """The fate of every sentence of the chosen blocks, by turn, side (`user` first) and number.

        The value is the sentence's Σ IDF of query anchors, the threshold the smallest one kept for its weight. A first
        sentence is kept whatever its weight.
        """
        return tuple(
            entry
            for block in self.pruned
            for side, name in ((block.user, "user"), (block.assistant, "assistant"))
            for entry in _sentence_entries(side, f"{block.turn_id}.{name}")
        )

    def _turn_entry(self, turn_id: int, recent: frozenset[int], rank: int, row: RecallRow | None) -> LedgerEntry:
        if turn_id < self.first_visible:
            return self._entry(turn_id, "recall", "dropped", "history_reset")
        if turn_id in recent:
            return self._entry(turn_id, "recall", "kept", "recent")
        if row is None:
            return self._entry(turn_id, "recall", "dropped", "no_shared_anchor", Measure(0, 1))
        measure = None
        if row.rule == "recall_limit":
            measure = Measure(rank, self.recall_limit)
        elif row.rule == "content_filter":
            measure = Measure(0, 1)
        return self._entry(turn_id, _STAGE_OF_RULE[row.rule], row.state, row.rule, measure)

    def _entry(
        self,
        turn_id: int,
        stage: Stage,
        state: Literal["kept", "pruned", "dropped"],
        rule: str,
        measure: Measure | None = None,
    ) -> LedgerEntry:
        measure = measure or self.measures.get(turn_id)
        if measure is None:
            return LedgerEntry("turn", turn_id, stage, state, rule)
        return LedgerEntry("turn", turn_id, stage, state, rule, measure.value, measure.threshold, measure.margin)


def _sentence_entries(side: PrunedSide, prefix: str) -> Iterator[LedgerEntry]:
    kept = frozenset(side.kept)
    for k, weight in enumerate(side.weights):
        yield LedgerEntry(
            "sentence",
            f"{prefix}.{k}",
            "prune",
            "kept" if k in kept else "dropped",
            "sentence_rank",
            weight,
            side.threshold,
            weight - side.threshold,
        )
