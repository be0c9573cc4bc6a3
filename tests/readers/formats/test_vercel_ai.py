"""Vercel AI SDK: UI messages, model messages, and the invocations of version 4 tell the same story."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ctxinspect.readers import load_bytes

USER = {"id": "1", "role": "user", "parts": [{"type": "text", "text": "go"}]}
TOOL = {"type": "tool-look", "toolCallId": "c", "state": "output-available", "input": {"a": 1}, "output": {"x": 1}}
UI = [
    USER,
    {
        "id": "2",
        "role": "assistant",
        "parts": [{"type": "step-start"}, TOOL, {"type": "step-start"}, {"type": "text", "text": "done"}],
    },
]
MODEL = [
    {"role": "user", "content": "go"},
    {"role": "assistant", "content": [{"type": "tool-call", "toolCallId": "c", "toolName": "look", "input": {"a": 1}}]},
    {
        "role": "tool",
        "content": [
            {
                "type": "tool-result",
                "toolCallId": "c",
                "toolName": "look",
                "output": {"type": "json", "value": {"x": 1}},
            }
        ],
    },
    {"role": "assistant", "content": [{"type": "text", "text": "done"}]},
]
INVOKED = [
    {"role": "user", "content": "go"},
    {
        "role": "assistant",
        "content": "",
        "toolInvocations": [
            {"toolCallId": "c", "toolName": "look", "args": {"a": 1}, "state": "result", "result": {"x": 1}}
        ],
    },
    {"role": "assistant", "content": "done"},
]


@pytest.mark.parametrize("messages", [UI, MODEL, INVOKED], ids=["ui", "model", "version 4"])
def test_every_generation_of_messages_gives_the_same_turn(messages: list[dict[str, Any]]):
    session = load_bytes(json.dumps(messages).encode(), name="f")
    turn = session.turns[0]
    assert turn.user == "go"
    made = turn.rounds[0]
    assert (made.tool_calls[0].id, made.tool_calls[0].name, made.tool_calls[0].arguments) == ("c", "look", {"a": 1})
    assert made.tool_results[0].content == '{"x": 1}'
    assert turn.assistant == "done"


def test_a_call_whose_result_never_came_stays_open():
    part = {**TOOL, "state": "input-available"}
    session = load_bytes(json.dumps([USER, {"role": "assistant", "parts": [part]}]).encode(), name="f")
    assert session.turns[0].rounds[0].tool_results == ()
