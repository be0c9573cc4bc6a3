"""Pairing in a flat list: every result belongs to the nearest open call with its id, or, without one, to a name."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ctxinspect.model.flat_pairing import Slot, pair_messages
from ctxinspect.model.session import CallPart, ResultPart
from tests.support.messages import asked, assistant, call, results, tool, user

HI = user("hi")


def pairs(*messages, items=False):
    """(message of the call, its place there, message of the result) of every pair."""
    found = pair_messages(messages, items=items).pairs
    return [(pair.call.message, pair.call.part, pair.result.message) for pair in found]


def test_a_result_belongs_to_the_nearest_open_call_with_its_id():
    assert pairs(HI, asked("c"), tool("c"), user("b"), asked("c"), tool("c")) == [(1, 0, 2), (4, 0, 5)]


def test_a_late_result_belongs_to_an_earlier_turn():
    assert pairs(HI, asked("c"), user("b"), asked("d"), tool("d"), tool("c")) == [(3, 0, 4), (1, 0, 5)]


def test_of_two_calls_with_one_id_in_a_message_the_first_is_answered_first():
    assert pairs(HI, asked("c", "c"), tool("c"), tool("c")) == [(1, 0, 2), (1, 1, 3)]


def test_results_pair_by_id_in_any_order():
    assert pairs(HI, asked("a", "b", "c"), tool("c"), tool("a"), tool("b")) == [(1, 2, 2), (1, 0, 3), (1, 1, 4)]


def test_without_ids_the_tool_name_decides_whatever_the_order():
    batch = assistant(call("c1", "tide"), call("c2", "wind"))
    found = pair_messages((HI, batch, tool(None, name="wind"), tool(None, name="tide")))
    assert [(pair.call.part, pair.result.message, pair.by, pair.guessed) for pair in found.pairs] == [
        (1, 2, "name", False),
        (0, 3, "name", False),
    ]


def test_empty_ids_are_missing_and_not_equal():
    batch = assistant(call("", "lock"), call("", "feed"))
    assert pairs(HI, batch, tool("", name="feed"), tool("", name="lock")) == [(1, 1, 2), (1, 0, 3)]


def test_a_name_never_reaches_back_to_an_older_batch():
    found = pair_messages((HI, asked(None, name="dew"), user("b"), asked(None, name="rain"), tool(None, name="dew")))
    assert found.pairs == ()
    assert [unpaired.kind for unpaired in found.unpaired] == ["orphan"]


def test_a_nameless_result_is_a_guess_by_adjacency():
    (pair,) = pair_messages((HI, asked(None), tool(None))).pairs
    assert (pair.by, pair.guessed, pair.candidates) == ("adjacency", True, 1)


def test_several_open_calls_of_one_name_make_a_guess():
    first, second = pair_messages((HI, asked(None, None), tool(None, name="look"), tool(None, name="look"))).pairs
    assert (first.guessed, second.guessed) == (True, False)


def test_a_second_result_is_a_duplicate_that_knows_the_first():
    found = pair_messages((HI, asked("w"), tool("w"), tool("w")))
    (unpaired,) = found.unpaired
    assert (unpaired.kind, unpaired.first, unpaired.call) == ("duplicate", Slot(2, 0), Slot(1, 0))


def test_results_inside_user_messages_pair_like_others():
    assert pairs(HI, asked("a", "b"), results("b", "a", text="so")) == [(1, 1, 2), (1, 0, 2)]


def test_a_run_of_items_is_one_batch():
    found = pair_messages((HI, asked("a"), asked("b"), tool("b"), tool("a")), items=True)
    assert found.batches == ((Slot(1, 0), Slot(2, 0)),)
    assert len(pair_messages((HI, asked("a"), asked("b"))).batches) == 2


IDS = st.sampled_from([None, "", "a", "b", "c"])
NAMES = st.sampled_from(["look", "read", None])
MESSAGES = st.one_of(
    st.just(user("x")),
    st.builds(asked, IDS),
    st.builds(asked, IDS, IDS, name=st.sampled_from(["look", "read"])),
    st.builds(tool, IDS, name=NAMES),
    st.builds(results, IDS, IDS),
    st.just(assistant("so")),
)


@given(st.lists(MESSAGES, max_size=14), st.booleans())
def test_every_call_and_every_result_has_exactly_one_fate(messages, items):
    found = pair_messages(messages, items=items)
    slots = [(Slot(i, n), part) for i, message in enumerate(messages) for n, part in enumerate(message.parts)]
    calls = [slot for slot, part in slots if isinstance(part, CallPart)]
    answers = [slot for slot, part in slots if isinstance(part, ResultPart)]
    assert sorted([pair.call for pair in found.pairs] + list(found.open_calls)) == calls
    assert sorted([pair.result for pair in found.pairs] + [unpaired.result for unpaired in found.unpaired]) == answers
    assert [slot for batch in found.batches for slot in batch] == calls
    assert all(pair.call < pair.result for pair in found.pairs)
