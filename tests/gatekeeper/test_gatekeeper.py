"""The library face: turns in, the turns worth their tokens out; asking changes nothing."""

from __future__ import annotations

import math
import warnings

import pytest

from ctxinspect.errors import SettingsError
from ctxinspect.gatekeeper import ContextGatekeeper
from ctxinspect.tokens.counter import named_counter

PUMP = ("Which pump filter fits?", "Pump filters come in two sizes.")
GARDEN = ("How deep is the compost bin?", "The compost bin is one metre deep.")


def gatekeeper(*turns, budget=4000, **more):
    keeper = ContextGatekeeper(budget, **more)
    for user, assistant in turns:
        keeper.add_turn(user, assistant)
    return keeper


def test_turn_ids_count_from_zero():
    keeper = ContextGatekeeper(token_budget=4000)
    assert [keeper.add_turn(*PUMP), keeper.add_turn(*GARDEN)] == [0, 1]


def test_a_selection_has_the_keys_of_the_library_face():
    rows = gatekeeper(PUMP, GARDEN).select("What does the pump filter cost?")
    assert [sorted(row) for row in rows] == [["assistant", "covered_ids", "score", "turn_id", "user"]]
    assert rows[0]["turn_id"] == 0
    assert rows[0]["user"] == PUMP[0]
    assert isinstance(rows[0]["score"], float)
    assert rows[0]["covered_ids"] == [1, 2]


def test_a_recent_turn_has_no_score():
    assert [row["score"] for row in gatekeeper(PUMP).select("it leaks")] == [None]


def test_no_history_selects_nothing():
    assert ContextGatekeeper(4000).select("pump") == []
    assert gatekeeper(PUMP).select("violin strings") == []


def test_asking_changes_nothing():
    keeper = gatekeeper(PUMP, GARDEN)
    before = keeper.select("pump filter"), keeper.anchors("pump violin"), keeper.build_prompt("pump")
    for query in ("violin strings", "it", "", "pump"):
        keeper.select(query)
        keeper.build_prompt(query)
        keeper.anchors(query)
    assert (keeper.select("pump filter"), keeper.anchors("pump violin"), keeper.build_prompt("pump")) == before


def test_a_turn_decides_its_gate_as_it_comes():
    keeper = gatekeeper(PUMP, GARDEN)
    # The second turn switched, so that the first is not recent for a query that goes on.
    assert [row["turn_id"] for row in keeper.select("it smells")] == [1]


def test_a_turn_larger_than_the_budget_warns_and_stays():
    keeper = ContextGatekeeper(5)
    with pytest.warns(UserWarning, match=r"turn 0 costs \d+ tokens, more than the budget of 5") as caught:
        assert keeper.add_turn(*PUMP) == 0
    assert caught[0].filename == __file__
    assert keeper.select("it leaks") == []
    assert keeper.anchors("pump") == {"pump": 1.0}


def test_a_turn_of_exactly_the_budget_does_not_warn():
    count = named_counter("cl100k_base")
    budget = 4 + count(PUMP[0]) + 4 + count(PUMP[1])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        keeper = gatekeeper(PUMP, budget=budget)
    assert [row["turn_id"] for row in keeper.select("it leaks")] == [0]
    with pytest.warns(UserWarning, match="budget"):
        gatekeeper(PUMP, budget=budget - 1)


def test_a_prompt_has_speakers_on_lines_and_a_blank_line_between_turns():
    keeper = gatekeeper(PUMP, ("It leaks", ""))
    assert keeper.build_prompt("this pump again") == (
        f"User: {PUMP[0]}\nAssistant: {PUMP[1]}\n\nUser: It leaks\n\nUser: this pump again"
    )
    assert ContextGatekeeper(10).build_prompt("hi") == "User: hi"


def test_anchors_are_weighed_by_idf_now():
    keeper = gatekeeper(PUMP, GARDEN)
    assert keeper.anchors("pump violin the") == {"violin": math.log(3) + 1, "pump": math.log(3 / 2) + 1}
    assert list(keeper.anchors("pump violin")) == ["violin", "pump"]


def test_anchors_leave_out_what_the_floor_cuts():
    keeper = gatekeeper(*[("堆肥", "")] * 5)
    assert list(keeper.anchors("堆肥 园子")) == ["园子"]


def test_a_text_without_anchors_has_its_beginning_as_one():
    assert gatekeeper(PUMP).anchors("Why?") == {"Why?": math.log(2) + 1}


def test_the_counter_is_a_choice():
    keeper = gatekeeper(("x" * 40, ""), budget=14, counter="chars/4")
    assert [row["turn_id"] for row in keeper.select("it")] == [0]
    with pytest.raises(SettingsError, match="no such counter"):
        ContextGatekeeper(10, counter="words")


def test_a_negative_budget_is_refused():
    with pytest.raises(ValueError, match="token_budget"):
        ContextGatekeeper(-1)
