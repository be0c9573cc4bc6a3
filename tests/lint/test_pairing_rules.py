"""The rules about calls and results: which message is named, which id, and what is not reported beside."""

from __future__ import annotations

import pytest

from tests.support.messages import asked, assistant, call, codes, found, result, results, system, thinking, tool, user

HI = user("hi")
SHAPES = ("openai", "anthropic")


@pytest.mark.parametrize("profile", SHAPES)
def test_a_missing_result_names_the_message_of_the_call_and_nothing_else_is_found(profile):
    messages = (system("s"), HI, asked("soil", "vent"), tool("soil"), user("and now?"))
    (fault,) = found("missing-result", *messages, profile=profile)
    assert (fault.message, fault.call_id) == (2, "vent")
    assert codes(*messages, profile=profile) == [("missing-result", "error", 2)]


def test_an_orphan_after_the_system_message_is_found_and_is_no_fault_of_order():
    messages = (system("s"), tool("old"), assistant("Three."), user("Renew."))
    assert codes(*messages) == [("orphan-result", "error", 1)]


def test_a_result_before_its_call_is_an_orphan_that_says_so():
    (fault,) = found("orphan-result", HI, tool("c1"), asked("c1"), user("x"))
    assert "stands before its call, message 2" in fault.text


def test_an_orphan_is_not_reported_where_earlier_context_is_kept_elsewhere():
    assert not found("orphan-result", tool("c1"), user("x"), partial=True)


def test_an_id_used_again_in_a_later_turn_hides_no_result():
    messages = (HI, asked("c"), tool("c"), assistant("a"), user("b"), asked("c"), tool("c"), user("x"))
    assert codes(*messages) == [("duplicate-call-id", "warning", 5)]
    assert codes(*messages, profile="anthropic") == [("duplicate-call-id", "error", 5)]


def test_one_id_twice_in_one_message_is_an_error_everywhere():
    messages = (HI, asked("c", "c"), tool("c"), tool("c"))
    for profile in ("openai", "openai-responses", "anthropic", "gemini", "strict"):
        assert [fault.severity for fault in found("duplicate-call-id", *messages, profile=profile)] == ["error"]


def test_a_second_result_is_a_third_kind_and_names_the_first():
    messages = (HI, asked("w"), tool("w", "ok"), tool("w", "busy"), assistant("done"), user("x"))
    (fault,) = found("duplicate-result", *messages)
    assert fault.message == 3
    assert "message 2" in fault.text
    assert codes(*messages) == [("duplicate-result", "error", 3)]


def test_replayed_results_are_told_from_second_ones():
    messages = (HI, asked("a", "b"), tool("a"), tool("b"), assistant("done"), tool("a"), tool("b"), user("x"))
    faults = found("duplicate-result", *messages)
    assert [fault.message for fault in faults] == [5, 6]
    assert all("replay" in fault.text for fault in faults)


def test_a_steering_message_between_call_and_result_is_found_at_the_call():
    messages = (system("s"), HI, asked("s"), user("45"), tool("s"), assistant("a"), user("x"))
    (fault,) = found("result-not-adjacent", *messages)
    assert (fault.message, fault.call_id) == (2, "s")
    assert "message 4" in fault.text
    assert codes(*messages) == [("result-not-adjacent", "error", 2)]


def test_results_in_the_next_user_message_are_adjacent():
    assert codes(HI, asked("a", "b"), results("a", "b", text="thanks"), profile="anthropic") == []


def test_another_assistant_message_between_parts_call_and_result_in_a_chat_but_not_among_items():
    messages = (HI, asked("a"), asked("b"), tool("a"), tool("b"))
    assert [fault.call_id for fault in found("result-not-adjacent", *messages)] == ["a"]
    assert codes(*messages, profile="openai-responses") == []


def test_reasoning_between_items_parts_nothing():
    messages = (HI, asked("a"), assistant(thinking(item_id="rs_2")), asked("b"), tool("a"), tool("b"))
    assert codes(*messages, profile="openai-responses") == []


def test_a_user_message_parts_items_too():
    messages = (HI, asked("a"), user("wait"), tool("a"))
    assert found("result-not-adjacent", *messages, profile="openai-responses")


def test_empty_ids_are_missing_and_neither_equal_nor_duplicate():
    batch = assistant(call("", "lock"), call("", "feed"))
    messages = (HI, batch, tool("", "fed", "feed"), tool("", "locked", "lock"), user("x"))
    faults = [code for code, severity, _ in codes(*messages) if severity != "info"]
    assert faults == ["missing-call-id"] * 4


def test_legacy_functions_have_no_ids_by_design():
    messages = (
        HI,
        asked(None, name="dew"),
        tool(None, "12", role="function"),
        assistant("12"),
        user("again"),
        asked(None, name="dew"),
        tool(None, "16", "dew", role="function"),
        user("x"),
    )
    assert codes(*messages) == [("missing-name", "error", 2)]


def test_calls_at_the_end_are_in_flight_and_not_missing():
    messages = (HI, asked("1", "2", "3"), tool("2"))
    faults = found("call-in-flight", *messages)
    assert [(fault.message, fault.call_id, fault.severity) for fault in faults] == [
        (1, "1", "error"),
        (1, "3", "error"),
    ]
    assert not found("missing-result", *messages)


def test_a_call_in_flight_is_information_in_a_replay():
    assert [fault.severity for fault in found("call-in-flight", HI, asked("1"), recording=False)] == ["info"]


def test_where_more_follows_the_list_an_open_call_is_missing_its_result():
    assert codes(HI, asked("1"), ends_open=False) == [("missing-result", "error", 1)]


def test_text_after_a_part_of_the_results_means_that_the_rest_is_missing():
    assert found("missing-result", HI, asked("a", "b"), results("a", text="go on"), profile="anthropic")


def test_the_calls_of_a_response_recorded_alone_wait_for_the_next_request():
    assert not found("call-in-flight", asked("a"), partial=True)


def test_a_tool_that_the_provider_runs_answers_in_its_own_message():
    searched = assistant("looking", call("s1", "web_search", server=True), result("s1", server=True), "found")
    assert codes(HI, searched, user("x"), profile="anthropic", tools=()) == []


def test_a_tool_that_the_provider_runs_may_be_resumed():
    assert codes(HI, assistant("looking", call("s1", "web_search", server=True)), profile="anthropic") == []


def test_a_guess_is_named_as_one():
    messages = (HI, asked(None, None), tool(None, name="look"), tool(None, name="look"), user("x"))
    assert [fault.message for fault in found("ambiguous-pair", *messages, profile="gemini")] == [2]


def test_permuted_results_are_information_only():
    messages = (HI, asked("oat", "rye", "bran"), tool("bran"), tool("oat"), tool("rye"), assistant("78"))
    assert codes(*messages) == [("results-reordered", "info", 2)]


@pytest.mark.parametrize("trailing", [(), (tool("z"),), (user("x"),)])
def test_a_reasoning_item_needs_an_item_of_its_own(trailing):
    messages = (HI, assistant(thinking(item_id="rs_1")), *trailing)
    assert found("reasoning-orphan", *messages, profile="openai-responses")


def test_reasoning_and_its_call_in_one_message_belong_together():
    messages = (HI, assistant(thinking(item_id="rs_1"), call("c")), tool("c"))
    assert codes(*messages, profile="openai-responses") == []


def test_reasoning_left_at_the_end_of_a_message_is_an_orphan():
    messages = (HI, assistant("a", thinking(item_id="rs_9")), user("x"))
    (fault,) = found("reasoning-orphan", *messages, profile="openai-responses")
    assert "rs_9" in fault.text
