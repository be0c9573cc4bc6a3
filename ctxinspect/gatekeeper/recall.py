"""Who is a candidate and which of them stay: the same as scoring and ranking every candidate, at the cost of a few.

Candidates are sets of turns (see `bits`). The best are found together and scored by the formula one by one; the rows of
all others are made only when somebody looks at them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import reduce
from operator import and_

from ctxinspect.gatekeeper.bits import counting_bits, leading, members
from ctxinspect.gatekeeper.index import BlockIndex
from ctxinspect.gatekeeper.sparse import Candidate, rank_candidates, score_candidates, score_masks
from ctxinspect.gatekeeper.words import ContentWords
from ctxinspect.settings import GatekeeperSettings
from ctxinspect.text.wordlists import STOP_NGRAMS
from ctxinspect.trace.types import Anchor

__all__ = ["Recall"]


class Recall:
    """The candidates of one query at turn `t`: blocks from `first_visible` on that share an anchor and are not recent.

    `words` are the content words that a candidate must hold one of; None where the filter does not apply.
    """

    def __init__(
        self,
        index: BlockIndex,
        anchors: Sequence[Anchor],
        t: int,
        words: ContentWords | None,
        settings: GatekeeperSettings,
        rules_off: frozenset[str],
        *,
        first_visible: int,
        recent: Collection[int],
    ) -> None:
        self._index = index
        self._anchors = anchors
        self._t = t
        self._words = words
        self._settings = settings
        self._rules_off = rules_off
        self._first = first_visible
        terms = [] if anchors[0].kind == "fallback" else [anchor.term for anchor in anchors]
        self._sides = [index.sides(term) for term in terms]
        shared = 0
        for in_user, in_assistant in self._sides:
            shared |= in_user | in_assistant
        shared &= max(0, (1 << t) - (1 << first_visible))
        for turn_id in recent:
            shared &= ~(1 << turn_id)
        self._shared = shared
        self._unfiltered = shared if words is None else self._holding(words)

    def __len__(self) -> int:
        return self._shared.bit_count()

    def positions(self, turn_id: int) -> frozenset[int]:
        """The positions of the query anchors that any block holds, a candidate or not."""
        return frozenset(
            at for at, (in_user, in_assistant) in enumerate(self._sides) if (in_user | in_assistant) >> turn_id & 1
        )

    def best(self, limit: int) -> list[Candidate]:
        """The first `limit` candidates in rank order that the filter does not drop."""
        pool = self._unfiltered if limit else 0
        if self._settings.lexical == "idf" and pool.bit_count() > limit:
            pool = leading(pool, self._parts(), limit)
        return rank_candidates(self._scored(pool))[:limit]

    def dropped(self, stayed: Collection[int]) -> Mapping[int, str]:
        """The rule that drops each candidate but those that stayed, by turn."""
        rules = dict.fromkeys(members(self._shared & ~self._unfiltered), "content_filter")
        rules.update((turn_id, "recall_limit") for turn_id in members(self._unfiltered) if turn_id not in stayed)
        return rules

    def first(self, number: int) -> list[Candidate]:
        """The first so many candidates in rank order; those that the filter drops come last."""
        if number <= self._unfiltered.bit_count():
            return self.best(number)
        return rank_candidates(self._scored(self._shared))[:number]

    def _scored(self, pool: int) -> list[Candidate]:
        """The candidates of this pool, scored by the formula."""
        if not pool:
            return []
        index, terms, turns = self._index, [anchor.term for anchor in self._anchors], members(pool)
        rest = (self._t, self._words, self._settings, self._rules_off)
        if self._settings.lexical == "bm25":
            hits = index.hits(terms, self._first, self._t)
            return score_candidates(index, self._anchors, {turn_id: hits[turn_id] for turn_id in turns}, *rest)
        if len(turns) * 8 < self._t:
            masks = {turn_id: self._mask(turn_id) for turn_id in turns}
        else:
            found = index.masks(terms, self._first, self._t)
            masks = {turn_id: found[turn_id] for turn_id in turns}
        return score_masks(index, self._anchors, masks, *rest)

    def _mask(self, turn_id: int) -> int:
        """Which sides of a block hold which anchors (see `score_masks`)."""
        self._index.work.blocks_looked_at += 1
        mask = 0
        for at, (in_user, in_assistant) in enumerate(self._sides):
            mask |= (in_user >> turn_id & 1) << 2 * at | (in_assistant >> turn_id & 1) << 2 * at + 1
        return mask

    def _parts(self) -> list[tuple[int, float]]:
        """What adds to a score, as sets of turns with their weights (specification page 5, selection rule 4).

        Freshness is linear in the turn's number, so each binary digit of the number is a part; what it adds to every
        candidate alike is left out.
        """
        settings, t = self._settings, self._t
        whole = sum(anchor.idf for anchor in self._anchors)
        parts: list[tuple[int, float]] = []
        for anchor, (in_user, in_assistant) in zip(self._anchors, self._sides, strict=True):
            parts.append((in_user, settings.weight_user * anchor.idf / whole))
            parts.append((in_assistant, settings.weight_assistant * anchor.idf / whole))
        if "exact" not in self._rules_off:
            parts.append((reduce(and_, (user | assistant for user, assistant in self._sides)), settings.weight_exact))
        if "recency" not in self._rules_off:
            window = t if settings.recency_window is None else settings.recency_window
            oldest = max(0, t - window)
            for digit in range((t - oldest).bit_length()):
                fresh = counting_bits(digit, t - oldest) << oldest
                parts.append((fresh, settings.weight_recency * (1 << digit) / window))
        return [(turns, weight) for turns, weight in parts if turns and weight]

    def _holding(self, words: ContentWords) -> int:
        """The candidates that hold one of the content words.

        A piece stands in a block only where each of its 3-grams does; the texts of those blocks are searched.
        """
        terms = {anchor.term: at for at, anchor in enumerate(self._anchors)}
        holding = 0
        for word in words.whole:
            if word in terms:
                in_user, in_assistant = self._sides[terms[word]]
                holding |= in_user | in_assistant
        for piece in words.pieces:
            left = self._shared & ~holding
            for start in range(len(piece) - 2):
                gram = piece[start : start + 3]
                if gram not in STOP_NGRAMS:
                    in_user, in_assistant = self._index.sides(gram)
                    left &= in_user | in_assistant
            for turn_id in members(left):
                block = self._index.blocks[turn_id]
                if piece in block.user or piece in block.assistant:
                    holding |= 1 << turn_id
        return self._shared & holding
