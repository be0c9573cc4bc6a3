"""Aligning two sequences: the longest common subsequence where it is affordable, rare items only where it is not.

The work is bounded by a `Budget` of matching pairs, so that no content, however repetitive, can stall a comparison; a
budget that ran out says so.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

__all__ = ["PAIRS", "Budget", "Run", "align"]

PAIRS = 200_000
"""Matching pairs that one comparison may look at: some tenths of a second at most."""


@dataclass
class Budget:
    """Pairs left to look at; `spent` says that some alignment had to do with less than all of its pairs."""

    left: int = PAIRS
    spent: bool = False


class Run(NamedTuple):
    """A stretch `before[a0:a1]` against `after[b0:b1]`: the same items, or items that have no partner."""

    same: bool
    a0: int
    a1: int
    b0: int
    b1: int

    def turned(self) -> Run:
        """The same stretch with the sides changed."""
        return Run(self.same, self.b0, self.b1, self.a0, self.a1)


def align(before: Sequence[Hashable], after: Sequence[Hashable], budget: Budget | None = None) -> list[Run]:
    """Runs that cover both sequences in order, common ones as long in sum as the budget allows.

    Hunt and Szymanski's algorithm (1977) between the common start and end: O(pairs log n) time.
    """
    budget = Budget() if budget is None else budget
    low, high_a, high_b = 0, len(before), len(after)
    while low < min(high_a, high_b) and before[low] == after[low]:
        low += 1
    while min(high_a, high_b) > low and before[high_a - 1] == after[high_b - 1]:
        high_a, high_b = high_a - 1, high_b - 1
    pairs = [(at, at) for at in range(low)]
    pairs += _common(before, after, (low, high_a, high_b), budget)
    pairs += zip(range(high_a, len(before)), range(high_b, len(after)), strict=True)
    return _runs(pairs, len(before), len(after))


def _common(
    before: Sequence[Hashable], after: Sequence[Hashable], span: tuple[int, int, int], budget: Budget
) -> list[tuple[int, int]]:
    """The pairs of a longest common subsequence inside the span, of affordable items."""
    low, high_a, high_b = span
    in_before: dict[Hashable, int] = defaultdict(int)
    for at in range(low, high_a):
        in_before[before[at]] += 1
    places: dict[Hashable, list[int]] = defaultdict(list)
    for at in range(high_b - 1, low - 1, -1):
        if after[at] in in_before:
            places[after[at]].append(at)
    allowed = _affordable({item: in_before[item] * len(places[item]) for item in places}, budget)
    ends: list[int] = []
    links: list[tuple[int, int, int]] = []
    chain: list[int] = []
    for a in range(low, high_a):
        if before[a] not in allowed:
            continue
        for b in places[before[a]]:
            length = bisect_left(ends, b)
            links.append((a, b, chain[length - 1] if length else -1))
            if length == len(ends):
                ends.append(b)
                chain.append(len(links) - 1)
            else:
                ends[length] = b
                chain[length] = len(links) - 1
    found: list[tuple[int, int]] = []
    at = chain[-1] if chain else -1
    while at >= 0:
        a, b, at = links[at]
        found.append((a, b))
    return found[::-1]


def _affordable(costs: dict[Hashable, int], budget: Budget) -> set[Hashable]:
    """The items whose pairs the budget can pay for, rarest first, first seen among equals."""
    allowed: set[Hashable] = set()
    for item, cost in sorted(costs.items(), key=lambda pair: pair[1]):
        if cost > budget.left:
            budget.spent = True
            break
        budget.left -= cost
        allowed.add(item)
    return allowed


def _runs(pairs: Sequence[tuple[int, int]], end_a: int, end_b: int) -> list[Run]:
    runs: list[Run] = []
    a = b = 0
    for pair_a, pair_b in (*pairs, (end_a, end_b)):
        if pair_a > a or pair_b > b:
            runs.append(Run(same=False, a0=a, a1=pair_a, b0=b, b1=pair_b))
        a, b = pair_a, pair_b
        if a == end_a and b == end_b:
            break
        last = runs[-1] if runs else None
        if last is not None and last.same and last.a1 == a and last.b1 == b:
            runs[-1] = last._replace(a1=a + 1, b1=b + 1)
        else:
            runs.append(Run(same=True, a0=a, a1=a + 1, b0=b, b1=b + 1))
        a, b = a + 1, b + 1
    return runs
