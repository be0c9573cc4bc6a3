"""Sparse recall: which earlier blocks share enough with the query to be worth a look.

Scores are lexical: IDF overlap (or BM25) of either side, a bonus for a block with every anchor, and freshness. Every
candidate gets a row, also those that the content filter or the limit drops.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ctxinspect.gatekeeper.index import BlockIndex, Hit
from ctxinspect.gatekeeper.topic_gate import rounded
from ctxinspect.gatekeeper.words import ContentWords
from ctxinspect.settings import GatekeeperSettings
from ctxinspect.trace.types import Anchor

__all__ = ["BM25_B", "BM25_K1", "Candidate", "held_words", "rank_candidates", "score_candidates", "score_masks"]

BM25_K1 = 1.2
BM25_B = 0.75


@dataclass(frozen=True, slots=True)
class Candidate:
    """An earlier block that shares an anchor with the query: its score terms, and the content words it holds.

    `filtered` says that it holds none of the query's content words; its score is then 0 and the terms stay.
    """

    turn_id: int
    lex_user: float
    lex_assistant: float
    exact: int
    recency: float
    score: float
    content_words: tuple[str, ...]
    filtered: bool


def score_candidates(
    index: BlockIndex,
    anchors: Sequence[Anchor],
    hits: Mapping[int, Sequence[Hit]],
    t: int,
    words: ContentWords | None,
    settings: GatekeeperSettings,
    rules_off: frozenset[str],
) -> list[Candidate]:
    """A row per block in `hits`, by turn (specification page 5, selection rules 3 and 4).

    `words` are the content words that a candidate must hold one of; None where the filter does not apply.
    """
    whole = math.fsum(anchor.idf for anchor in anchors)
    window = t if settings.recency_window is None else settings.recency_window
    means = index.mean_lengths(t)
    candidates = []
    for turn_id in sorted(hits):
        found = hits[turn_id]
        lengths = index.lengths(turn_id)
        if settings.lexical == "bm25":
            lex_user = _bm25([(anchors[h.position].idf, h.in_user) for h in found], lengths[0], means[0]) / whole
            lex_assistant = (
                _bm25([(anchors[h.position].idf, h.in_assistant) for h in found], lengths[1], means[1]) / whole
            )
        else:
            lex_user = math.fsum(anchors[h.position].idf for h in found if h.in_user) / whole
            lex_assistant = math.fsum(anchors[h.position].idf for h in found if h.in_assistant) / whole
        exact = int(len(found) == len(anchors) and "exact" not in rules_off)
        recency = 0.0 if "recency" in rules_off else min(1.0, max(0.0, 1 - (t - turn_id) / window))
        held = held_words(index, turn_id, [anchors[h.position].term for h in found], words) if words else ()
        filtered = words is not None and not held
        score = math.fsum(
            (
                settings.weight_user * lex_user,
                settings.weight_assistant * lex_assistant,
                settings.weight_exact * exact,
                settings.weight_recency * recency,
            )
        )
        candidates.append(
            Candidate(turn_id, lex_user, lex_assistant, exact, recency, 0.0 if filtered else score, held, filtered)
        )
    return candidates


def score_masks(
    index: BlockIndex,
    anchors: Sequence[Anchor],
    masks: Mapping[int, int],
    t: int,
    words: ContentWords | None,
    settings: GatekeeperSettings,
    rules_off: frozenset[str],
) -> list[Candidate]:
    """What `score_candidates` gives for IDF overlap, worked out once for all blocks that hold the same anchors.

    A mask has, for the anchor at position k, bit 2k where the user text holds it and bit 2k + 1 where the assistant
    text does.
    """
    whole = math.fsum(anchor.idf for anchor in anchors)
    window = t if settings.recency_window is None else settings.recency_window
    known: dict[int, tuple[float, float, int, tuple[str, ...]]] = {}
    candidates = []
    for turn_id in sorted(masks):
        mask = masks[turn_id]
        shared = known.get(mask)
        if shared is None:
            user = [k for k in range(len(anchors)) if mask >> 2 * k & 1]
            assistant = [k for k in range(len(anchors)) if mask >> 2 * k + 1 & 1]
            held = {*user, *assistant}
            shared = known[mask] = (
                math.fsum(anchors[k].idf for k in user) / whole,
                math.fsum(anchors[k].idf for k in assistant) / whole,
                int(len(held) == len(anchors) and "exact" not in rules_off),
                tuple(anchors[k].term for k in sorted(held)) if words else (),
            )
        lex_user, lex_assistant, exact, terms = shared
        recency = 0.0 if "recency" in rules_off else min(1.0, max(0.0, 1 - (t - turn_id) / window))
        content = held_words(index, turn_id, terms, words) if words else ()
        filtered = words is not None and not content
        score = 0.0
        if not filtered:
            score = math.fsum(
                (
                    settings.weight_user * lex_user,
                    settings.weight_assistant * lex_assistant,
                    settings.weight_exact * exact,
                    settings.weight_recency * recency,
                )
            )
        candidates.append(Candidate(turn_id, lex_user, lex_assistant, exact, recency, score, content, filtered))
    return candidates


def rank_candidates(candidates: Sequence[Candidate]) -> list[Candidate]:
    """By score, then newer first; filtered ones last, newer first."""
    return sorted(candidates, key=lambda c: (c.filtered, -rounded(c.score), -c.turn_id))


def held_words(index: BlockIndex, turn_id: int, shared_terms: Sequence[str], words: ContentWords) -> tuple[str, ...]:
    """The content words that a block holds in either text, sorted.

    Words and versions are anchors of the query, never cut, so that the block holds one as a whole exactly where it
    shares the anchor; pieces are looked for in the texts.
    """
    block = index.blocks[turn_id]
    shared = frozenset(shared_terms)
    held = [word for word in words.whole if word in shared]
    held += [piece for piece in words.pieces if piece in block.user or piece in block.assistant]
    return tuple(sorted(held))


def _bm25(found: Sequence[tuple[float, int]], length: int, mean: float) -> float:
    """BM25 of one side over (IDF, occurrences) of the shared anchors; 0 where the side holds none of them."""
    return math.fsum(
        weight * tf * (BM25_K1 + 1) / (tf + BM25_K1 * (1 - BM25_B + BM25_B * length / mean))
        for weight, tf in found
        if tf
    )
