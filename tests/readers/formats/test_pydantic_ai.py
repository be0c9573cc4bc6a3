"""pydantic-ai histories: typed parts, instructions, retries."""

from __future__ import annotations

import json

from ctxinspect.readers import load_bytes


def test_parts_become_messages_calls_and_results():
    asked = {"kind": "request", "instructions": "be brief", "parts": [{"part_kind": "user-prompt", "content": "go"}]}
    call = {"part_kind": "tool-call", "tool_name": "f", "args": '{"a":1}', "tool_call_id": "c"}
    thought = {"part_kind": "thinking", "content": "hm"}
    said = {"kind": "response", "parts": [thought, call], "usage": {"input_tokens": 7}, "model_name": "gpt-4o"}
    answer = {"part_kind": "tool-return", "tool_name": "f", "tool_call_id": "c", "content": {"x": 1}}
    retry = {"part_kind": "retry-prompt", "content": "again"}
    session = load_bytes(json.dumps([asked, said, {"kind": "request", "parts": [answer, retry]}]).encode(), name="f")
    assert session.components[0].content == "be brief"
    made = session.turns[0].rounds[0]
    assert (made.tool_calls[0].arguments, made.tool_results[0].content) == ('{"a":1}', '{"x": 1}')
    assert made.usage is not None
    assert made.usage.input == 7
    assert [turn.user for turn in session.turns] == ["go", "again"]
    assert session.model == "gpt-4o"
