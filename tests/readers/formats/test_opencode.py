"""opencode exports: tool parts, cleared outputs, compaction."""

from __future__ import annotations

import json
from typing import Any

from ctxinspect.model.session import Session, Source
from ctxinspect.readers import load_bytes


def _message(role: str, *parts: dict[str, Any], **info: Any) -> dict[str, Any]:
    return {"info": {"role": role, **info}, "parts": list(parts)}


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text}


def _tool(call_id: str, **state: Any) -> dict[str, Any]:
    known = {"status": "completed", "input": {"a": 1}, "output": "r"}
    return {"type": "tool", "callID": call_id, "tool": "read", "state": known | state}


def _load(*messages: dict[str, Any]) -> Session:
    return load_bytes(
        json.dumps({"info": {"id": "s", "title": "A talk"}, "messages": list(messages)}).encode(), name="f"
    )


def test_a_tool_part_is_a_call_and_its_result_and_steps_are_rounds():
    tokens = {"input": 1, "output": 2, "reasoning": 3, "cache": {"read": 40, "write": 5}}
    parts = [{"type": "step-start"}, _tool("c1"), {"type": "step-finish"}, {"type": "step-start"}, _text("done")]
    session = _load(_message("user", _text("go")), _message("assistant", *parts, tokens=tokens, modelID="claude-x"))
    turn = session.turns[0]
    assert turn.rounds[0].tool_results[0].content == "r"
    assert turn.assistant == "done"
    assert turn.usage is not None
    assert (turn.usage.input, turn.usage.cached, turn.usage.output) == (46, 40, 5)
    assert (session.title, session.model) == ("A talk", "claude-x")
    assert isinstance(session.source, Source)
    assert session.source.unknown_kinds == {"step-finish": 1}


def test_an_output_that_was_compacted_away_reads_as_cleared():
    session = _load(_message("user", _text("go")), _message("assistant", _tool("c", time={"compacted": 1})))
    assert session.turns[0].rounds[0].tool_results[0].content == "[Old tool result content cleared]"


def test_a_running_call_has_no_result_and_a_failed_one_an_error():
    session = _load(
        _message("user", _text("go")),
        _message("assistant", _tool("a", status="running"), _tool("b", status="error", error="no")),
    )
    results = session.turns[0].rounds[0].tool_results
    assert [(result.call_id, result.content, result.is_error) for result in results] == [("b", "no", True)]


def test_a_compaction_resets_history():
    session = _load(
        _message("user", _text("old")),
        _message("user", {"type": "compaction"}, _text("What did we do?")),
        _message("assistant", _text("Summary"), summary=True),
        _message("user", _text("new")),
    )
    assert [(turn.user, turn.resets_history) for turn in session.turns] == [
        ("old", False),
        ("What did we do?", True),
        ("new", False),
    ]
