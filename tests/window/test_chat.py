from __future__ import annotations

import pytest
from langchain_core.messages import (
    AIMessage,
    AIMessageChunk,
    FunctionMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)

from ctxinspect.window import count_tokens
from ctxinspect.window.chat import (
    call_ids,
    chat_cost,
    chat_role,
    content_tokens,
    result_id,
    system_message,
    turn_places,
)


def cost(message):
    return chat_cost(message, count_tokens, overhead=4, image_tokens=1000)


@pytest.mark.parametrize(
    ("message", "role"),
    [
        ({"role": "developer", "content": "x"}, "system"),
        ({"role": "user", "content": "x"}, "user"),
        ({"type": "human", "content": "x"}, "user"),
        ({"role": "function", "name": "f", "content": "x"}, "tool"),
        ({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c", "content": "x"}]}, "tool"),
        (SystemMessage("x"), "system"),
        (HumanMessage("x"), "user"),
        (AIMessage("x"), "assistant"),
        (AIMessageChunk(content="x"), "assistant"),
        (ToolMessage("x", tool_call_id="c"), "tool"),
        (FunctionMessage("x", name="f"), "tool"),
        ({"content": "x"}, ""),
    ],
)
def test_roles_are_read_from_dicts_and_objects(message, role):
    assert chat_role(message) == role


ARGUMENTS = '{"city": "Ås"}'
CALLED = 4 + count_tokens("look") + count_tokens(ARGUMENTS)


@pytest.mark.parametrize(
    "message",
    [
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "look", "arguments": ARGUMENTS}}],
        },
        {"role": "assistant", "content": "", "tool_calls": [{"id": "c1", "name": "look", "args": {"city": "Ås"}}]},
        {"role": "assistant", "content": [{"type": "tool_use", "id": "c1", "name": "look", "input": {"city": "Ås"}}]},
        AIMessage("", tool_calls=[{"id": "c1", "name": "look", "args": {"city": "Ås"}}]),
        AIMessage(
            [{"type": "tool_use", "id": "c1", "name": "look", "input": {"city": "Ås"}}],
            tool_calls=[{"id": "c1", "name": "look", "args": {"city": "Ås"}}],
        ),
        AIMessage("", invalid_tool_calls=[{"id": "c1", "name": "look", "args": ARGUMENTS, "error": None}]),
    ],
    ids=["openai", "langchain-dict", "anthropic", "langchain", "both-places", "invalid"],
)
def test_call_arguments_are_counted_once_wherever_they_stand(message):
    assert call_ids(message) == ("c1",)
    assert cost(message) == CALLED


def test_a_legacy_function_call_is_counted():
    message = {"role": "assistant", "content": None, "function_call": {"name": "look", "arguments": ARGUMENTS}}
    assert cost(message) == CALLED
    assert call_ids(message) == ()


def test_text_parts_are_joined_images_are_flat_and_thinking_is_free():
    message = HumanMessage(
        [
            "one",
            {"type": "text", "text": "two"},
            {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "A" * 9000}},
            {"type": "thinking", "thinking": "long " * 50},
        ]
    )
    assert cost(message) == 4 + count_tokens("one\ntwo") + 1000
    assert content_tokens(message, count_tokens) == count_tokens("one\ntwo")


def test_an_unknown_block_is_counted_as_its_json_and_null_as_nothing():
    assert cost({"role": "user", "content": [{"type": "odd", "x": 1}]}) == 4 + count_tokens('{"type": "odd", "x": 1}')
    assert cost({"role": "user", "content": None}) == 4
    assert cost({"role": "user", "content": 7}) == 4 + count_tokens("7")


def test_results_name_their_call():
    assert result_id({"role": "tool", "tool_call_id": "c1", "content": ""}) == "c1"
    assert result_id(ToolMessage("x", tool_call_id="c2")) == "c2"
    assert result_id({"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c3"}]}) == "c3"
    assert result_id({"role": "tool", "content": "x", "tool_call_id": ""}) is None


def test_a_system_message_is_of_the_kind_its_neighbours_are():
    assert system_message("x", [{"role": "user", "content": "y"}]) == {"role": "system", "content": "x"}
    assert system_message("x", []) == {"role": "system", "content": "x"}
    made = system_message("x", [HumanMessage("y")])
    assert isinstance(made, SystemMessage)
    assert made.content == "x"


def test_user_messages_start_turns_and_assistant_messages_rounds():
    talk = [
        {"role": "assistant", "content": "early"},
        {"role": "user", "content": "a"},
        {"role": "user", "content": "b"},
        {"role": "assistant", "content": "", "tool_calls": [{"id": "c", "name": "x", "args": {}}]},
        {"role": "tool", "tool_call_id": "c", "content": "r"},
        {"role": "assistant", "content": "done"},
    ]
    assert turn_places(talk) == ([(0, 0), (1, None), (2, None), (2, 0), (2, 0), (2, 1)], 2)


def test_a_late_result_belongs_to_the_message_that_made_its_call():
    talk = [
        {"role": "user", "content": "a"},
        {"role": "assistant", "content": "", "tool_calls": [{"id": "c", "name": "x", "args": {}}]},
        {"role": "user", "content": "b"},
        {"role": "tool", "tool_call_id": "c", "content": "late"},
    ]
    assert turn_places(talk) == ([(0, None), (0, 0), (1, None), (0, 0)], 1)
