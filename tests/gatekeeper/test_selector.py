"""The cover takes the largest gain per cost that fits, and says why it stopped."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from ctxinspect.gatekeeper.selector import CoverCandidate, select_cover

WEIGHTS = (3.0, 2.0, 1.0, 1.0)


def candidate(turn_id, covers, cost, score=1.0):
    return CoverCandidate(turn_id, frozenset(covers), score, cost)


def cover(*candidates, recent=(), budget=100, target=0.85, alpha=0.8, weights=WEIGHTS):
    return select_cover(weights, frozenset(recent), candidates, budget=budget, target=target, alpha=alpha)


def taken(result):
    return [take.turn_id for take in result.takes]


def test_the_largest_gain_per_cost_goes_first():
    result = cover(candidate(0, [0, 1], 40), candidate(1, [2], 2))
    assert taken(result) == [1, 0]
    assert result.takes[0].gain == 1.0 / math.pow(2, 0.8)
    assert [take.newly for take in result.takes] == [(2,), (0, 1)]
    assert [take.budget_left for take in result.takes] == [98, 58]
    assert result.takes[-1].coverage == 1.0


def test_only_what_is_new_counts():
    result = cover(candidate(0, [0, 1], 4), candidate(1, [0, 2], 4), target=None)
    assert [take.newly for take in result.takes] == [(0, 1), (2,)]
    assert result.stop == "no_gain"


def test_it_stops_at_the_target():
    result = cover(candidate(0, [0, 1, 2], 4), candidate(1, [3], 4))
    assert (taken(result), result.stop) == ([0], "target")
    assert result.coverage == 6 / 7
    assert result.leftover_gains[1] > 0


def test_what_recent_turns_cover_counts_before_the_first_step():
    result = cover(candidate(0, [2], 4), recent=[0, 1])
    assert (taken(result), result.stop, result.coverage) == ([0], "target", 1.0)
    result = cover(candidate(0, [0], 4), recent=[0, 1])
    assert (taken(result), result.stop, result.coverage) == ([], "target", 1.0)


def test_nothing_recalled_is_said_first():
    assert (cover().stop, cover().coverage) == ("no_candidates", None)
    assert (cover(recent=[0]).stop, cover(recent=[0]).coverage) == ("no_candidates", 1.0)


def test_candidates_that_cover_nothing_leave_no_coverage():
    result = cover(candidate(0, [], 4))
    assert (result.stop, result.coverage) == ("no_gain", None)


def test_a_block_that_does_not_fit_is_passed_over_for_one_that_does():
    result = cover(candidate(0, [0, 1], 50), candidate(1, [2], 10), budget=20)
    assert (taken(result), result.stop, result.budget_left) == ([1], "budget", 10)


def test_a_block_that_fits_exactly_is_taken():
    assert taken(cover(candidate(0, [0], 20), budget=20)) == [0]
    assert taken(cover(candidate(0, [0], 21), budget=20)) == []


def test_ties_go_to_the_higher_score_then_to_the_newer():
    assert taken(cover(candidate(0, [0], 4, 2.0), candidate(1, [0], 4, 1.0))) == [0]
    assert taken(cover(candidate(0, [0], 4), candidate(1, [0], 4))) == [1]
    assert taken(cover(candidate(0, [0], 4, 1.0 + 1e-12), candidate(1, [0], 4, 1.0))) == [1]


def test_coverage_within_a_billionth_of_the_target_reaches_it():
    assert cover(candidate(0, [0], 4), candidate(1, [1], 4), target=0.6 + 1e-11).takes[0].coverage == 0.6
    assert taken(cover(candidate(0, [0], 4), candidate(1, [1], 4), target=0.6 + 1e-11)) == [0]


def test_a_cost_too_large_for_a_float_gains_nothing():
    assert cover(candidate(0, [0], 10**6), alpha=1000.0, budget=10**7).stop == "no_gain"


CANDIDATES = st.lists(st.tuples(st.frozensets(st.integers(0, 3)), st.integers(1, 30), st.floats(0, 3)), max_size=7)


@given(CANDIDATES, st.frozensets(st.integers(0, 3)), st.integers(0, 60), st.floats(0, 1))
def test_coverage_never_falls_and_the_budget_holds(rows, recent, budget, target):
    candidates = [CoverCandidate(i, covers, score, cost) for i, (covers, cost, score) in enumerate(rows)]
    result = cover(*candidates, recent=recent, budget=budget, target=target)
    coverages = [take.coverage for take in result.takes]
    assert coverages == sorted(coverages)
    assert sum(take.cost for take in result.takes) + result.budget_left == budget
    assert result.budget_left >= 0
    assert len(set(taken(result))) == len(result.takes)
    assert result.covered <= result.coverable
    assert all(take.newly for take in result.takes)
    backwards = cover(*reversed(candidates), recent=recent, budget=budget, target=target)
    assert backwards.takes == result.takes
    assert backwards.stop == result.stop
