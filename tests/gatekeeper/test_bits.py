"""Sets of turns as integers: what `leading` leaves out is certainly not among the best."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from ctxinspect.gatekeeper.bits import counting_bits, leading, members, turn_bits

TURNS = st.sets(st.integers(0, 200))


@given(TURNS)
def test_members_are_what_went_in_ascending(turns):
    assert members(turn_bits(turns, 201)) == sorted(turns)


def test_no_turn_makes_an_empty_set():
    assert turn_bits([], 0) == 0
    assert members(0) == []


@given(st.integers(0, 9), st.integers(1, 300))
def test_the_turns_of_a_binary_digit_are_those_whose_number_has_it(digit, count):
    assert members(counting_bits(digit, count)) == [turn for turn in range(count) if turn >> digit & 1]


@given(
    TURNS,
    st.lists(st.tuples(TURNS, st.floats(0, 1e6, allow_subnormal=False)), max_size=12),
    st.integers(1, 30),
)
def test_whoever_is_left_out_is_worse_than_enough_of_those_that_stay(pool, parts, limit):
    bits = turn_bits(pool, 201)
    left = set(members(leading(bits, [(turn_bits(turns, 201), weight) for turns, weight in parts], limit)))
    assert left <= pool
    score = {turn: math.fsum(weight for turns, weight in parts if turn in turns) for turn in pool}
    for out in pool - left:
        better = [turn for turn in left if round(score[turn], 9) > round(score[out], 9)]
        assert len(better) >= limit


def test_only_a_few_of_many_are_left():
    parts = [(counting_bits(digit, 10_000), float(1 << digit)) for digit in range(14)]
    assert members(leading((1 << 10_000) - 1, parts, 3))[-3:] == [9997, 9998, 9999]
    assert leading((1 << 10_000) - 1, parts, 3).bit_count() < 20


def test_weights_that_say_nothing_leave_everybody():
    assert leading(0b111, [(0b1, math.inf)], 1) == 0b111
    assert leading(0b111, [(0b1, 0.0)], 1) == 0b111
    assert leading(0b111, [], 1) == 0b111
