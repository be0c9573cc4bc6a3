from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ctxinspect.model.messages import Message
from ctxinspect.window import Unit, group_units, trim_turns


def units(*tokens):
    return [Unit("turn", n, None, cost) for n, cost in enumerate(tokens)]


def test_the_oldest_units_go_until_it_fits():
    result = trim_turns(10, units(5, 5, 5), 20)
    assert [unit.turn_id for unit in result.dropped] == [0]
    assert (result.request_tokens, result.missing) == (20, 0)


def test_the_boundary_is_exact():
    assert trim_turns(10, units(5, 5), 20).dropped == ()
    assert len(trim_turns(10, units(5, 5), 19).dropped) == 1


def test_an_older_unit_never_stays_where_a_newer_one_goes():
    assert trim_turns(0, units(1, 50, 1), 10).kept == tuple(units(1, 50, 1)[2:])


def test_pinned_over_budget_drops_everything_else_and_says_what_is_missing():
    result = trim_turns(30, units(1, 1), 20)
    assert result.kept == ()
    assert (result.request_tokens, result.missing) == (30, 10)
    assert trim_turns(3, units(0), -5).missing == 8


@given(st.integers(0, 50), st.lists(st.integers(0, 30), max_size=12), st.integers(-10, 200))
def test_the_kept_part_is_the_longest_suffix_that_fits(pinned, tokens, budget):
    result = trim_turns(pinned, units(*tokens), budget)
    fitting = [k for k in range(len(tokens) + 1) if pinned + sum(tokens[k:]) <= budget]
    assert len(result.dropped) == (fitting[0] if fitting else len(tokens))
    assert [*result.dropped, *result.kept] == units(*tokens)
    assert result.request_tokens == pinned + sum(unit.tokens for unit in result.kept)


def message(role, turn=None, number=None, tokens=1):
    return Message(role, "", tokens, turn, number)


REQUEST = [
    message("system"),
    message("user", 0, tokens=2),
    message("assistant", 0, 0, 3),
    message("tool", 0, 0, 4),
    message("assistant", 0, tokens=5),
    message("user", 1),
    message("assistant", 1, 0, 6),
    message("tool", 1, 0, 7),
    message("assistant", 1, 2, 8),
]


def test_units_are_earlier_turns_then_older_rounds_of_the_current_turn():
    grouped = group_units(REQUEST, 1)
    assert grouped.pinned == (0, 5, 8)
    assert grouped.units == (Unit("turn", 0, None, 14, (1, 2, 3, 4)), Unit("round", 1, 0, 13, (6, 7)))


def test_the_newest_round_that_renders_anything_is_pinned():
    assert group_units(REQUEST[:-1], 1).pinned == (0, 5, 6, 7)


def test_in_the_flattened_layout_the_current_turn_is_pinned_whole():
    grouped = group_units(REQUEST, 1, flattened=True)
    assert grouped.pinned == (0, 5, 6, 7, 8)
    assert [unit.kind for unit in grouped.units] == ["turn"]


def test_a_system_turn_in_history_is_a_unit_and_not_the_system_message():
    grouped = group_units([message("system"), message("system", 0), message("user", 1)], 1)
    assert grouped.pinned == (0, 2)
    assert [unit.turn_id for unit in grouped.units] == [0]
