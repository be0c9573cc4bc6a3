"""A repaired list has no pairing error, says what was done and why, and invents nothing but marked stubs."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxinspect.lint import judge, plan_repair
from ctxinspect.lint.repair import PAIRING_RULES, STUB
from ctxinspect.trace.codes import PROFILE_NAMES
from tests.support.messages import asked, assistant, call, result, results, system, thinking, tool, user

HI = user("hi")


def shape(messages):
    """`U A[c1] T(c1)`: roles with ids, as failure cases are written down."""
    shown = []
    for message in messages:
        calls = ",".join(str(part.id) for part in message.calls)
        answers = ",".join(str(part.call_id) for part in message.results)
        letter = "T" if answers else message.role[0].upper()
        shown.append(letter + (f"[{calls}]" if calls else "") + (f"({answers})" if answers else ""))
    return " ".join(shown)


def kinds(repair):
    return [(step.kind, step.message, step.call_id) for step in repair.steps]


def test_a_valid_list_is_returned_as_it_is():
    messages = (system("s"), HI, asked("a", "b"), tool("b"), tool("a"), assistant("so"), user("x"))
    repair = plan_repair(messages, profile="openai")
    assert repair.steps == ()
    assert repair.messages == messages


def test_a_missing_result_becomes_a_stub_behind_its_call():
    repair = plan_repair((HI, asked("a", "b"), tool("a", "41 %"), user("x")), profile="openai")
    assert shape(repair.messages) == "U A[a,b] T(a) T(b) U"
    assert kinds(repair) == [("stub", 1, "b")]
    assert [part.content for message in repair.messages for part in message.results] == ["41 %", STUB]
    assert "synthetic" in repair.messages[3].marks


def test_calls_in_flight_become_stubs_in_the_order_of_the_calls():
    repair = plan_repair((HI, asked("1", "2", "3"), tool("2")), profile="openai")
    assert shape(repair.messages) == "U A[1,2,3] T(1) T(2) T(3)"


def test_orphans_and_duplicates_are_dropped():
    messages = (system("s"), tool("old"), HI, asked("w"), tool("w", "ok"), tool("w", "busy"), user("x"))
    repair = plan_repair(messages, profile="openai")
    assert shape(repair.messages) == "S U A[w] T(w) U"
    assert kinds(repair) == [("drop", 1, "old"), ("drop", 5, "w")]


def test_a_result_is_moved_behind_its_call_and_none_is_invented():
    repair = plan_repair((HI, asked("s"), user("45"), tool("s", "12 kg"), assistant("a")), profile="openai")
    assert shape(repair.messages) == "U A[s] T(s) U A"
    assert kinds(repair) == [("move", 3, "s")]
    assert "message 1" in repair.steps[0].reason


def test_results_inside_user_messages_stay_there_and_their_text_stays_too():
    repair = plan_repair((HI, asked("a", "b"), results("b", text="so")), profile="anthropic")
    assert shape(repair.messages) == "U A[a,b] T(a,b) U"
    assert repair.messages[-1].text == "so"
    assert repair.messages[2].role == "user"


def test_ids_that_the_profile_refuses_are_renamed_on_both_halves():
    repair = plan_repair((HI, asked("c"), tool("c"), asked("c"), tool("c"), user("x")), profile="anthropic")
    assert shape(repair.messages) == "U A[c] T(c) A[c-2] T(c-2) U"
    assert plan_repair((HI, asked("c"), tool("c"), asked("c"), tool("c"), user("x")), profile="openai").steps == ()


def test_calls_without_ids_get_one():
    repair = plan_repair((HI, asked(None), tool(None, name="look"), user("x")), profile="openai")
    assert shape(repair.messages) == "U A[m1c0] T(m1c0) U"
    assert plan_repair((HI, asked(None), tool(None, name="look"), user("x")), profile="gemini").steps == ()


def test_items_keep_their_run_and_results_follow_it():
    messages = (HI, asked("a"), assistant(thinking(item_id="rs")), asked("b"), tool("b"), user("x"))
    repair = plan_repair(messages, profile="openai-responses")
    assert shape(repair.messages) == "U A[a] A A[b] T(a) T(b) U"


def test_a_call_run_by_the_provider_goes_where_its_result_is_gone():
    messages = (HI, assistant("looking", call("s", "web_search", server=True)), user("x"))
    repair = plan_repair(messages, profile="anthropic")
    assert shape(repair.messages) == "U A U"
    assert kinds(repair) == [("drop", 1, "s")]


IDS = st.sampled_from([None, "", "a", "b", "c d", "m1c0"])
NAMES = st.sampled_from(["look", "read", None])
SEARCH = assistant("looking", call("s", "web", server=True), result("s", server=True), "found")
MESSAGES = st.one_of(
    st.just(user("x")),
    st.builds(asked, IDS),
    st.builds(asked, IDS, IDS, name=st.sampled_from(["look", "read"])),
    st.builds(tool, IDS, name=NAMES),
    st.builds(results, IDS, IDS, text=st.sampled_from([None, "so"])),
    st.just(assistant("so")),
    st.just(assistant(thinking(item_id="rs"))),
    st.just(system("later")),
    st.just(SEARCH),
    st.just(assistant("looking", call("s", "web", server=True))),
)


@pytest.mark.parametrize("profile", PROFILE_NAMES)
@settings(max_examples=150, deadline=None)
@given(st.lists(MESSAGES, max_size=12))
def test_a_repaired_list_has_no_pairing_error_and_needs_no_second_repair(profile, messages):
    repair = plan_repair(messages, profile=profile)
    left = [
        fault
        for fault in judge(repair.messages, profile=profile)
        if fault.id in PAIRING_RULES and fault.severity == "error"
    ]
    assert left == []
    assert plan_repair(repair.messages, profile=profile).steps == ()


@given(st.lists(MESSAGES, max_size=12))
def test_texts_are_neither_lost_nor_reordered(messages):
    repair = plan_repair(messages, profile="anthropic")
    assert [m.text for m in repair.messages if m.text] == [m.text for m in messages if m.text]
