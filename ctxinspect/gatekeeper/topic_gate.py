"""The topic gate: does a query go on with the active topic, or switch to a new one?

The decision depends on nothing but the query, the first t blocks, where the active topic starts, and the settings.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from typing import Literal

from ctxinspect.gatekeeper.anchor import CJK, AnchorKind, extract_anchors
from ctxinspect.gatekeeper.index import BlockIndex
from ctxinspect.settings import GatekeeperSettings
from ctxinspect.trace.types import Anchor, AnchorCut, GateTrace, Margins

__all__ = ["DEICTIC_PATTERNS", "FALLBACK_CHARS", "gate_topic", "idf", "match_deictic", "query_anchors", "rounded"]

DEICTIC_PATTERNS: tuple[str, ...] = (
    "^这个",
    "^那个",
    "^它",
    "^这",
    "^那",
    "^继续",
    "^然后呢",
    "^还有呢",
    *(
        rf"^{words}(?![\w{CJK}])"
        for words in (
            "it",
            "its",
            "this",
            "that",
            "these",
            "those",
            "they",
            "them",
            "continue",
            "go on",
            "and then",
            "what else",
        )
    ),
)
"""Queries that begin so refer to what was said before. Hard-coded; tried in this order on the trimmed, folded query."""

FALLBACK_CHARS = 20
"""Characters of a query without anchors that stand for it."""

_DEICTIC = tuple(re.compile(pattern) for pattern in DEICTIC_PATTERNS)
_DEICTIC_SPAN = 16
"""Characters of a query that any pattern can look at."""

_Decision = Literal["start", "continue", "switch"]
_Rule = Literal["no_history", "deictic", "no_anchors", "overlap", "new_topic", "middle"]


def rounded(value: float) -> float:
    """The value as comparisons see it: to 9 decimals."""
    return round(value, 9)


def idf(df: int, blocks: int) -> float:
    """`ln((N + 1) / (df + 1)) + 1`, with N blocks of which df hold the anchor; at least 1."""
    return math.log((blocks + 1) / (df + 1)) + 1


def match_deictic(query: str) -> str | None:
    """The beginning of the trimmed query that refers back, as it stands in the query, or None."""
    trimmed = query.strip()
    # Folded character by character, so that a position in the folded text is one in the query.
    head = "".join(folded if len(folded := char.casefold()) == 1 else char for char in trimmed[:_DEICTIC_SPAN])
    for pattern in _DEICTIC:
        match = pattern.match(head)
        if match:
            return trimmed[: match.end()]
    return None


def query_anchors(
    index: BlockIndex, query: str, t: int, topic_start: int, settings: GatekeeperSettings, rules_off: frozenset[str]
) -> tuple[tuple[Anchor, ...], tuple[AnchorCut, ...]]:
    """A(q) at turn t and the n-grams cut from it, each by IDF descending, then term.

    A query without anchors has one of kind `fallback`, held by no block.
    """
    kept: list[Anchor] = []
    cut: list[AnchorCut] = []
    floor_holds = t >= settings.idf_floor_min_blocks and "idf_floor" not in rules_off
    for term, kind in extract_anchors(query).items():
        df = index.df(term, t)
        weight = idf(df, t)
        if floor_holds and kind == "ngram" and rounded(weight) < rounded(settings.idf_floor):
            cut.append(AnchorCut(term, df, weight))
        else:
            kept.append(Anchor(term, kind, df, weight, index.in_turns(term, topic_start, t)))
    if not kept:
        fallback: AnchorKind = "fallback"
        kept.append(Anchor(query.strip()[:FALLBACK_CHARS], fallback, 0, idf(0, t), in_topic=False))
    return tuple(sorted(kept, key=_by_weight)), tuple(sorted(cut, key=_by_weight))


def gate_topic(
    index: BlockIndex, query: str, t: int, topic_start: int, settings: GatekeeperSettings, rules_off: frozenset[str]
) -> GateTrace:
    """The gate's decision on a query that looks back on the first t blocks (specification page 5, topic gate).

    `topic_start` is where the active topic started before this turn; the trace has where it starts after it.
    """
    anchors, cut = query_anchors(index, query, t, topic_start, settings, rules_off)
    whole = math.fsum(anchor.idf for anchor in anchors)
    overlap = _share(anchors, lambda anchor: anchor.in_topic, whole)
    new_ratio = _share(anchors, lambda anchor: not anchor.in_topic, whole)
    deictic = match_deictic(query)
    refers_back = deictic is not None and "deictic" not in rules_off
    no_anchors = anchors[0].kind == "fallback"
    decision, rule = _first_rule(t, overlap, new_ratio, settings, refers_back=refers_back, no_anchors=no_anchors)
    return GateTrace(
        decision=decision,
        rule=rule,
        overlap=overlap,
        new_ratio=new_ratio,
        deictic=deictic,
        topic_start=topic_start if decision == "continue" else t,
        blocks=t,
        anchors=anchors,
        anchors_cut=cut,
        margins=Margins(
            overlap_continue=overlap - settings.overlap_continue,
            overlap_switch=overlap - settings.overlap_switch,
            new_ratio_switch=new_ratio - settings.new_ratio_switch,
        ),
    )


def _first_rule(
    t: int, overlap: float, new_ratio: float, settings: GatekeeperSettings, *, refers_back: bool, no_anchors: bool
) -> tuple[_Decision, _Rule]:
    """The first row of the gate table that holds."""
    if t == 0:
        return "start", "no_history"
    if refers_back and settings.deictic_first:
        return "continue", "deictic"
    if no_anchors:
        return "continue", "no_anchors"
    if rounded(overlap) > rounded(settings.overlap_continue):
        return "continue", "overlap"
    if rounded(overlap) < rounded(settings.overlap_switch) and rounded(new_ratio) > rounded(settings.new_ratio_switch):
        return "switch", "new_topic"
    return "continue", "deictic" if refers_back else "middle"


def _share(anchors: Iterable[Anchor], chosen: Callable[[Anchor], bool], whole: float) -> float:
    return math.fsum(anchor.idf for anchor in anchors if chosen(anchor)) / whole


def _by_weight(anchor: Anchor | AnchorCut) -> tuple[float, str]:
    return -rounded(anchor.idf), anchor.term
