"""The rules about roles, order and what a message must hold, with the severities of each profile."""

from __future__ import annotations

import pytest

from ctxinspect.model.session import OtherPart
from tests.support.messages import (
    asked,
    assistant,
    call,
    codes,
    found,
    message,
    quiet,
    result,
    results,
    system,
    thinking,
    tool,
    user,
)

HI = user("hi")


@pytest.mark.parametrize(
    ("profile", "severities"),
    [
        ("openai", []),
        ("openai-responses", []),
        ("anthropic", ["error", "warning"]),
        ("gemini", ["error", "error"]),
        ("strict", ["error"]),
    ],
)
def test_system_messages_among_the_messages(profile, severities):
    messages = (system("s"), HI, assistant("a"), system("pounds"), user("b"))
    faults = found("system-position", *messages, profile=profile)
    assert [fault.severity for fault in faults] == severities
    if severities:
        assert faults[-1].message == 3


def test_a_system_prompt_beside_the_messages_is_in_its_place():
    assert quiet(system("s", marks=("top_level",)), HI, profile="anthropic")


def test_a_system_message_that_opens_a_replay_is_in_its_place():
    assert not found("system-position", system("s"), HI, profile="anthropic", recording=False)


def test_a_developer_message_is_a_system_message():
    assert found("system-position", message("developer", "s"), HI, profile="gemini")


@pytest.mark.parametrize(
    ("profile", "severity"),
    [("openai", "warning"), ("openai-responses", "warning"), ("anthropic", "error"), ("gemini", "error")],
)
def test_a_window_that_opens_on_a_call(profile, severity):
    messages = (system("s", marks=("top_level",)), asked("d"), tool("d"), assistant("none"), user("x"))
    assert codes(*messages, profile=profile) == [("role-order", severity, 1)]


@pytest.mark.parametrize(("profile", "severity"), [("openai", "warning"), ("anthropic", None), ("gemini", "error")])
def test_a_call_turn_after_an_assistant_message(profile, severity):
    messages = (HI, assistant("let me see"), asked("c"), tool("c"))
    assert [fault.severity for fault in found("role-order", *messages, profile=profile)] == (
        [severity] if severity else []
    )


def test_the_item_of_a_compaction_is_nobodys_turn():
    compacted = assistant(OtherPart(kind="compaction"))
    assert quiet(compacted, HI, assistant("a"), user("b"), profile="openai-responses")


def test_items_of_one_model_call_are_one_turn():
    assert quiet(HI, assistant("let me see"), asked("a"), asked("b"), tool("a"), tool("b"), profile="openai-responses")


@pytest.mark.parametrize(("profile", "severity"), [("anthropic", None), ("gemini", "warning"), ("strict", "error")])
def test_two_assistant_messages_in_a_row(profile, severity):
    faults = found("consecutive-role", HI, assistant("a"), assistant("b"), user("c"), profile=profile)
    assert [fault.severity for fault in faults] == ([severity] if severity else [])


def test_results_inside_user_messages_are_no_user_in_a_row():
    assert not found("consecutive-role", HI, asked("c"), results("c"), user("and?"), profile="strict")


def test_results_inside_user_messages_are_no_words_of_a_user():
    assert found("no-user-message", asked("c"), results("c"), profile="anthropic")


def test_an_empty_list_is_not_accused():
    assert codes() == []


@pytest.mark.parametrize(
    ("profile", "severity"),
    [
        ("openai", None),
        ("openai-responses", None),
        ("anthropic", "warning"),
        ("gemini", "warning"),
        ("strict", "error"),
    ],
)
def test_a_request_that_ends_with_the_assistant(profile, severity):
    faults = found("ends-with-assistant", HI, assistant("Sphagnum."), profile=profile)
    assert [fault.severity for fault in faults] == ([severity] if severity else [])


def test_a_transcript_may_end_with_its_answer():
    assert quiet(HI, assistant("Sphagnum. "), profile="anthropic", transcript=True)


def test_a_history_of_another_api_ends_with_an_answer_and_opens_with_its_system_message():
    assert quiet(system("s"), HI, asked("a"), tool("a"), assistant("done"), profile="anthropic")


def test_white_space_at_the_end_of_a_prefill():
    (fault,) = found("trailing-whitespace", HI, assistant("Sphagnum. "), profile="anthropic")
    assert (fault.severity, fault.message) == ("warning", 1)


def test_thinking_that_got_lost_in_an_open_tool_loop_is_found_at_its_first_message():
    messages = (HI, assistant(call("o")), results("o"))
    (fault,) = found("thinking-order", *messages, profile="anthropic", thinking=True)
    assert fault.message == 1
    assert not found("thinking-order", *messages, profile="anthropic")


def test_later_steps_of_a_loop_and_earlier_turns_may_go_without_thinking():
    messages = (
        HI,
        assistant(call("a")),
        results("a"),
        assistant("done"),
        user("more"),
        assistant(thinking(), call("b")),
        results("b"),
        assistant(call("c")),
        results("c"),
    )
    assert not found("thinking-order", *messages, profile="anthropic", thinking=True)


def test_thinking_without_signature_cannot_be_sent_back_but_redacted_thinking_can():
    assert found("thinking-order", HI, assistant(thinking(signature=None), "a"), profile="anthropic")
    redacted = thinking("", None, redacted=True)
    assert not found("thinking-order", HI, assistant(redacted, "a"), profile="anthropic")


def test_a_replay_sends_no_thinking_back():
    messages = (HI, assistant("a", thinking(signature=None)), user("b"))
    assert not found("thinking-order", *messages, profile="anthropic", recording=False)


def test_null_is_right_only_beside_calls():
    messages = (
        HI,
        assistant(shape="null"),
        user("ring"),
        assistant(call("b"), shape="null"),
        message("tool", result("b", None), shape="null"),
        assistant("rung"),
        user("x"),
    )
    assert [fault.message for fault in found("null-content", *messages)] == [1, 4]


def test_a_missing_content_is_bad_and_a_null_one_is_null():
    assert [code for code, *_ in codes(user(shape="null"), user(shape="absent"), user(shape="bad"), HI)] == [
        "null-content",
        "bad-content",
        "bad-content",
    ]


def test_blank_blocks_are_named_one_by_one():
    messages = (
        HI,
        assistant("\n\n", shape="parts"),
        user("", "go on"),
        assistant("Done.", shape="parts"),
        user("  "),
    )
    assert [fault.message for fault in found("empty-message", *messages, profile="anthropic")] == [1, 2, 4]
    assert quiet(*messages)


def test_an_empty_string_beside_a_call_is_no_block():
    assert quiet(HI, assistant("", call("c"), shape="string"), results("c"), profile="anthropic")


def test_a_message_with_nothing_is_empty():
    assert found("empty-message", HI, assistant(shape="parts"), user("x"), profile="gemini")


def test_text_before_a_result_is_found_at_the_result():
    (fault,) = found("result-after-text", HI, asked("c"), user("so:", result("c")), profile="gemini")
    assert (fault.severity, fault.message, fault.call_id) == ("warning", 2, "c")


def test_a_flattened_history_is_found_in_any_system_message():
    flat = system("Rules.\nUser: a\nAssistant: b\nhuman : c\nAI: d")
    assert [fault.message for fault in found("history-in-system", system("s"), flat, HI)] == [1]


def test_a_user_may_paste_a_transcript():
    assert not found("history-in-system", user("User: a\nAssistant: b\nUser: c\nAssistant: d"))
