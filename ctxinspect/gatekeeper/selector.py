"""Minimum coverage selection: blocks are taken by newly covered IDF per cost until enough is covered or nothing fits.

Coverage never falls from step to step, and the costs of what is taken never exceed the budget.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ctxinspect.gatekeeper.topic_gate import rounded

__all__ = ["CoverCandidate", "CoverResult", "CoverTake", "Stop", "select_cover"]

Stop: TypeAlias = Literal["target", "no_gain", "budget", "no_candidates"]


@dataclass(frozen=True, slots=True)
class CoverCandidate:
    """A recalled block: the positions of the query anchors that its pruned text covers, its score and cost (tokens)."""

    turn_id: int
    covers: frozenset[int]
    score: float
    cost: int


@dataclass(frozen=True, slots=True)
class CoverTake:
    """One step: what was taken, its gain, the positions it newly covers, coverage and budget after it (tokens)."""

    turn_id: int
    gain: float
    cost: int
    newly: tuple[int, ...]
    coverage: float
    budget_left: int


@dataclass(frozen=True, slots=True)
class CoverResult:
    """The steps in order, why they stopped, the final coverage (None where nothing is coverable), and what is left.

    `leftover_gains` has the gain, after the last step, of every candidate not taken.
    """

    takes: tuple[CoverTake, ...]
    stop: Stop
    coverable: frozenset[int]
    covered: frozenset[int]
    coverage: float | None
    budget_left: int
    leftover_gains: dict[int, float]


def select_cover(
    weights: Sequence[float],
    recent: frozenset[int],
    candidates: Sequence[CoverCandidate],
    *,
    budget: int,
    target: float | None,
    alpha: float,
) -> CoverResult:
    """The blocks to take (specification page 5, selection rule 6).

    `weights` are the IDF of the query anchors by position, `recent` the positions that recent turns cover, `budget`
    what recent turns left of it (tokens), `target` the coverage to stop at (None: never).
    """
    coverable = recent.union(*(candidate.covers for candidate in candidates))
    covered = recent
    left = list(candidates)
    takes: list[CoverTake] = []
    while True:
        coverage = _coverage(weights, covered, coverable)
        gains = {c.turn_id: _gain(weights, c, covered, alpha) for c in left}
        stop: Stop
        if not candidates:
            stop = "no_candidates"
            break
        if target is not None and coverage is not None and rounded(coverage) >= rounded(target):
            stop = "target"
            break
        useful = [c for c in left if rounded(gains[c.turn_id]) > 0]
        if not useful:
            stop = "no_gain"
            break
        fitting = [c for c in useful if c.cost <= budget]
        if not fitting:
            stop = "budget"
            break
        best = min(fitting, key=lambda c: (-rounded(gains[c.turn_id]), -rounded(c.score), -c.turn_id))
        newly = tuple(sorted(best.covers - covered))
        covered |= best.covers
        budget -= best.cost
        left.remove(best)
        after = _coverage(weights, covered, coverable) or 0.0
        takes.append(CoverTake(best.turn_id, gains[best.turn_id], best.cost, newly, after, budget))
    return CoverResult(tuple(takes), stop, coverable, covered, coverage, budget, gains)


def _total(weights: Sequence[float], positions: Iterable[int]) -> float:
    return math.fsum(weights[position] for position in positions)


def _coverage(weights: Sequence[float], covered: frozenset[int], coverable: frozenset[int]) -> float | None:
    return _total(weights, covered) / _total(weights, coverable) if coverable else None


def _gain(weights: Sequence[float], candidate: CoverCandidate, covered: frozenset[int], alpha: float) -> float:
    """`Σ IDF of newly covered anchors / cost ** alpha`; a cost too large for a float gains nothing."""
    newly = _total(weights, candidate.covers - covered)
    try:
        return newly / math.pow(candidate.cost, alpha)
    except OverflowError:
        return 0.0
