"""Gemini bodies: ids are missing, so calls and results pair by name and order."""

from __future__ import annotations

import json
from typing import Any

from ctxinspect.model.session import Session, Source
from ctxinspect.readers import load_bytes


def _load(*values: Any) -> Session:
    return load_bytes("\n".join(json.dumps(value) for value in values).encode(), name="f")


def _said(role: str, *parts: dict[str, Any]) -> dict[str, Any]:
    return {"role": role, "parts": list(parts)}


def _call(name: str, **args: Any) -> dict[str, Any]:
    return {"functionCall": {"name": name, "args": args}}


def _answer(name: str, value: str) -> dict[str, Any]:
    return {"functionResponse": {"name": name, "response": {"result": value}}}


def test_calls_without_ids_pair_by_name_in_their_round():
    contents = [
        _said("user", {"text": "go"}),
        _said("model", _call("f", a=1), _call("g")),
        _said("user", _answer("g", "2"), _answer("f", "1")),
        _said("model", {"text": "done"}),
    ]
    tools = [{"functionDeclarations": [{"name": "f", "parameters": {"type": "object"}}]}, {"googleSearch": {}}]
    system = {"parts": [{"text": "be brief"}]}
    session = _load({"contents": contents, "systemInstruction": system, "tools": tools})
    assert session.components[0].content == "be brief"
    assert [tool.name for tool in session.tools] == ["f", "googleSearch"]
    turn = session.turns[0]
    assert [call.arguments for call in turn.rounds[0].tool_calls] == [{"a": 1}, {}]
    assert [result.name for result in turn.rounds[0].tool_results] == ["g", "f"]
    assert turn.assistant == "done"
    assert isinstance(session.source, Source)
    assert session.source.dialect == "gemini"


def test_snake_case_and_function_roles_are_read_too():
    contents = [
        _said("user", {"text": "go"}),
        _said("model", {"function_call": {"name": "f", "args": {}}}),
        _said("function", {"function_response": {"name": "f", "response": {"x": 1}}}),
    ]
    session = _load({"contents": contents, "system_instruction": {"parts": [{"text": "s"}]}})
    assert session.components[0].content == "s"
    assert len(session.turns[0].rounds[0].tool_results) == 1


def test_chunks_are_one_answer_and_the_last_usage_counts():
    def chunk(text: str, tokens: int, **more: Any) -> dict[str, Any]:
        content = {"role": "model", "parts": [{"text": text}]}
        usage = {"promptTokenCount": 5, "candidatesTokenCount": tokens}
        return {"candidates": [{"content": content, **more}], "usageMetadata": usage, "modelVersion": "gemini-x"}

    session = _load(chunk("hel", 1), chunk("lo", 2, finishReason="STOP"))
    assert session.turns[0].assistant == "hello"
    assert session.model == "gemini-x"
    reported = session.turns[0].usage
    assert reported is not None
    assert (reported.input, reported.output) == (5, 2)


def test_thoughts_media_and_code_keep_their_kind():
    parts = [
        {"text": "hm", "thought": True},
        {"inlineData": {"mimeType": "image/png", "data": "QUJD"}},
        {"executableCode": {"language": "PYTHON", "code": "1"}},
        {"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "1"}},
    ]
    session = _load({"contents": [_said("user", {"text": "x"}), _said("model", *parts)]})
    kinds = [part.type for part in session.recorded[0].messages[1].parts]
    assert kinds == ["thinking", "image", "tool_call", "tool_result"]


def test_an_answer_stopped_for_safety_has_no_message():
    body = {"contents": [_said("user", {"text": "x"})]}
    session = _load({"request": body, "response": {"candidates": [{"finishReason": "SAFETY"}], "usageMetadata": {}}})
    assert session.turns[0].assistant is None


def test_replayed_responses_are_a_call_each_their_chunks_put_together():
    def chunk(text: str) -> dict[str, Any]:
        return {"candidates": [{"content": {"role": "model", "parts": [{"text": text}]}}]}

    rows = [
        {"method": "generateContentStream", "response": [chunk("a"), chunk("b")]},
        {"method": "m", "response": [chunk("c")]},
    ]
    session = load_bytes(b"\n".join(json.dumps(row).encode() for row in rows), name="f")
    assert isinstance(session.source, Source)
    assert session.source.format == "gemini_api"
    assert [thread.messages for thread in session.source.threads] == [1, 1]
    assert session.recorded[0].messages[0].text == "ab"
