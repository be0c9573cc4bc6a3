"""Sentence-level pruning: of a recalled block, each side keeps its first sentence and those richest in query anchors.

What is kept are exact slices of the text in its own order. A block's sentences are found once and remembered as long as
memory allows; what is remembered never changes an answer.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from ctxinspect.gatekeeper.anchor import extract_anchors
from ctxinspect.gatekeeper.topic_gate import rounded
from ctxinspect.text.sentences import split_sentences

__all__ = ["PrunedBlock", "PrunedSide", "SentenceStore", "SplitText", "prune_side", "whole_side"]

_OPENING = re.compile(r"[\"“‘「『《`]|(?<!\w)'")
_QUOTE = re.compile(r"[\"“”‘’「」『』《》`]|(?<!\w)'|'(?!\w)")
"""Quotation marks as `anchor` has them; an apostrophe inside a word is none."""

_REMEMBERED_CHARS = 4_000_000
"""Characters of text whose sentences are remembered."""


@dataclass(frozen=True, slots=True)
class SplitText:
    """A text's sentences, white-space-only slices left out, and the anchors of each."""

    text: str
    sentences: tuple[str, ...]
    anchors: tuple[frozenset[str], ...]
    quotes: tuple[tuple[bool, bool], ...] = ()
    """Of each sentence, whether a quotation may begin in it, and whether one may begin or end in it."""
    covers: dict[tuple[int, ...], frozenset[str]] = field(default_factory=dict, compare=False)
    """Anchors of the text that certain sentences make together; a phrase may span two of them."""

    def joined(self, kept: tuple[int, ...]) -> str:
        """The sentences of these numbers, concatenated and trimmed."""
        return "".join(self.sentences[k] for k in kept).strip()

    def anchors_of(self, kept: tuple[int, ...]) -> frozenset[str]:
        """The anchors of `joined(kept)`."""
        if not self._quotes_may_span(kept):
            return frozenset().union(*(self.anchors[k] for k in kept))
        known = self.covers.get(kept)
        if known is None:
            known = self.covers[kept] = frozenset(extract_anchors(self.joined(kept)))
        return known

    def _quotes_may_span(self, kept: tuple[int, ...]) -> bool:
        """Whether a quotation may begin in one of these sentences and end in another.

        Where none does, the sentences have no anchor together that none of them has alone: each ends in white space or
        in a mark, which no word, version or run of Chinese crosses.
        """
        open_quote = False
        for k in kept:
            begins, touches = self.quotes[k]
            if open_quote and touches:
                return True
            open_quote = open_quote or begins
        return False


@dataclass(frozen=True, slots=True)
class PrunedSide:
    """One side of a block after pruning: the text, its anchors, the sentences kept, and the weight of each sentence.

    `weights` are Σ IDF of the query anchors in each sentence; `threshold` is the smallest of those kept by weight, 0
    where none was. `pruned` says that a sentence was left out.
    """

    text: str
    anchors: frozenset[str]
    kept: tuple[int, ...]
    weights: tuple[float, ...]
    threshold: float
    pruned: bool


@dataclass(frozen=True, slots=True)
class PrunedBlock:
    """A recalled block, each side pruned for itself."""

    turn_id: int
    user: PrunedSide
    assistant: PrunedSide

    @property
    def pruned(self) -> bool:
        """Whether a sentence of either side was left out."""
        return self.user.pruned or self.assistant.pruned

    @property
    def anchors(self) -> frozenset[str]:
        """The anchors of both pruned texts."""
        return self.user.anchors | self.assistant.anchors


class SentenceStore:
    """The sentences of texts already split, the oldest forgotten beyond a number of characters."""

    def __init__(self, limit: int = _REMEMBERED_CHARS) -> None:
        self._limit = limit
        self._held = 0
        self._known: dict[str, SplitText] = {}
        self.texts_split = 0

    def split(self, text: str) -> SplitText:
        """The text's sentences and their anchors."""
        known = self._known.get(text)
        if known is None:
            self.texts_split += 1
            sentences = tuple(piece for piece in split_sentences(text) if not piece.isspace())
            anchors = tuple(frozenset(extract_anchors(piece)) for piece in sentences)
            quotes = tuple((bool(_OPENING.search(piece)), bool(_QUOTE.search(piece))) for piece in sentences)
            known = SplitText(text, sentences, anchors, quotes)
            self._known[text] = known
            self._held += len(text)
            while self._held > self._limit and len(self._known) > 1:
                oldest = next(iter(self._known))
                del self._known[oldest]
                self._held -= len(oldest)
        return known


def prune_side(split: SplitText, idf_of: Mapping[str, float], max_sentences: int) -> PrunedSide:
    """The side that these query anchors leave (specification page 5, selection rule 5).

    Kept are at most `max_sentences` with the largest Σ IDF above 0 (ties: earlier), and the first sentence anyway.
    """
    terms = idf_of.keys()
    weights = tuple(math.fsum(idf_of[term] for term in anchors & terms) for anchors in split.anchors)
    ranked = sorted((-rounded(weight), k) for k, weight in enumerate(weights) if rounded(weight) > 0)
    best = [k for _, k in ranked[:max_sentences]]
    kept = tuple(sorted({*best, 0})) if split.sentences else ()
    return PrunedSide(
        text=split.joined(kept),
        anchors=split.anchors_of(kept),
        kept=kept,
        weights=weights,
        threshold=weights[best[-1]] if best else 0.0,
        pruned=len(kept) < len(split.sentences),
    )


def whole_side(text: str) -> PrunedSide:
    """A side that is not pruned at all: no sentence of it was a candidate."""
    return PrunedSide(text, frozenset(extract_anchors(text)), (), (), 0.0, pruned=False)
