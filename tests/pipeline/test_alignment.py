"""An alignment covers both sequences in order, matches only equal items, and never does more work than its budget."""

from __future__ import annotations

import difflib
import itertools

from hypothesis import given
from hypothesis import strategies as st

from ctxinspect.pipeline.alignment import Budget, align

ITEMS = st.lists(st.sampled_from("abcdx"), max_size=30)


def matched(runs) -> int:
    return sum(run.a1 - run.a0 for run in runs if run.same)


def longest(before, after) -> int:
    """The length of a longest common subsequence, by the textbook's table."""
    row = [0] * (len(after) + 1)
    for item in before:
        row_before = row[:]
        for at, other in enumerate(after, start=1):
            row[at] = row_before[at - 1] + 1 if item == other else max(row[at - 1], row_before[at])
    return row[-1]


@given(ITEMS, ITEMS)
def test_runs_cover_both_sides_in_order_and_match_only_equal_items(before, after):
    runs = align(before, after)
    assert [at for run in runs for at in range(run.a0, run.a1)] == list(range(len(before)))
    assert [at for run in runs for at in range(run.b0, run.b1)] == list(range(len(after)))
    for run in runs:
        assert not run.same or before[run.a0 : run.a1] == after[run.b0 : run.b1]
        assert run.a1 > run.a0 or run.b1 > run.b0
    assert all(one.same != other.same for one, other in itertools.pairwise(runs))


@given(ITEMS, ITEMS)
def test_as_much_is_matched_as_can_be(before, after):
    assert matched(align(before, after)) == longest(before, after)


@given(ITEMS, ITEMS, st.integers(0, 40))
def test_a_small_budget_matches_less_and_says_so(before, after, pairs):
    budget = Budget(pairs)
    runs = align(before, after, budget)
    assert budget.left >= 0
    assert [at for run in runs for at in range(run.a0, run.a1)] == list(range(len(before)))
    if not budget.spent:
        assert matched(runs) == longest(before, after)


@given(ITEMS)
def test_a_sequence_is_the_same_as_itself(items):
    assert all(run.same for run in align(items, items))


def test_endless_repetition_costs_no_more_than_the_budget():
    budget = Budget(1000)
    runs = align(["x", "y"] * 5000, ["y", "z", "x"] * 5000, budget)
    assert budget.spent
    assert budget.left >= 0
    assert sum(run.a1 - run.a0 for run in runs) == 10_000


def test_unique_items_are_found_where_common_ones_are_too_many():
    before = ["blank"] * 500 + ["only here"] + ["blank"] * 500
    after = ["new", *(["blank"] * 700), "only here", "new"]
    runs = align(before, after, Budget(1000))
    assert any(run.same and before[run.a0 : run.a1] == ["only here"] for run in runs)


def test_it_agrees_with_the_standard_library_on_a_plain_case():
    before, after = ["one", "two", "three", "four"], ["one", "three", "four", "five"]
    theirs = sum(block.size for block in difflib.SequenceMatcher(None, before, after).get_matching_blocks())
    assert matched(align(before, after)) == theirs == 3
