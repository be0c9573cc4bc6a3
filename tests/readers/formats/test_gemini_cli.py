"""Gemini CLI sessions: records replace, reset and rewind what was before them."""

from __future__ import annotations

import json
from typing import Any

from ctxinspect.model.session import Session, Source
from ctxinspect.readers import load_bytes

HEAD = {"sessionId": "s1", "projectHash": "h", "startTime": "2026-01-01T00:00:00Z", "kind": "main"}


def _said(kind: str, name: str, text: str, **more: Any) -> dict[str, Any]:
    return {"id": name, "type": kind, "content": text, "timestamp": "2026-01-01T00:00:00Z", **more}


def _lines(*values: Any, thread: str | None = None) -> Session:
    return load_bytes("".join(json.dumps(value) + "\n" for value in values).encode(), name="f", thread=thread)


def _users(session: Session) -> list[object]:
    return [turn.user for turn in session.turns]


def test_a_call_and_its_result_in_one_record_become_two_messages():
    answer = [{"functionResponse": {"id": "c", "name": "f", "response": {"output": "text"}}}]
    call = {"id": "c", "name": "f", "args": {"a": 1}, "result": answer, "status": "success"}
    count = {"input": 10, "output": 2, "cached": 4, "thoughts": 3, "tool": 0, "total": 15}
    asked = _said("gemini", "2", "", toolCalls=[call], tokens=count, model="gemini-x")
    document = HEAD | {
        "messages": [_said("user", "1", "go"), asked, _said("info", "3", "update"), _said("gemini", "4", "ok")]
    }
    session = load_bytes(json.dumps(document).encode())
    made = session.turns[0].rounds[0]
    assert (made.tool_calls[0].arguments, made.tool_results[0].content) == ({"a": 1}, "text")
    assert made.usage is not None
    assert (made.usage.input, made.usage.cached, made.usage.output) == (10, 4, 5)
    assert session.turns[0].assistant == "ok"
    assert isinstance(session.source, Source)
    assert (session.source.unknown_kinds, session.model) == ({"info": 1}, "gemini-x")


def test_the_same_id_again_replaces_the_message():
    assert _users(_lines(HEAD, _said("user", "1", "first"), _said("user", "1", "second"))) == ["second"]


def test_a_checkpoint_clears_and_rebuilds():
    session = _lines(
        HEAD, _said("user", "1", "a"), {"$set": {"messages": [_said("user", "9", "z")]}}, _said("user", "2", "b")
    )
    assert _users(session) == ["z", "b"]


def test_a_rewind_drops_from_there_and_stays_as_a_thread():
    lines = [HEAD, _said("user", "1", "a"), _said("user", "2", "b"), {"$rewindTo": "2"}, _said("user", "3", "c")]
    assert _users(_lines(*lines)) == ["a", "c"]
    assert _users(_lines(*lines, thread="rewind-1")) == ["a", "b"]


def test_a_rewind_to_an_unknown_id_drops_everything():
    assert _users(_lines(HEAD, _said("user", "1", "a"), {"$rewindTo": "x"}, _said("user", "2", "b"))) == ["b"]
