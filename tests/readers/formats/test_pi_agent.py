"""pi sessions: calls in the content, results of their own role, compaction, branches."""

from __future__ import annotations

import json
from typing import Any

from ctxinspect.model.session import Session, Source
from ctxinspect.readers import load_bytes

HEAD = {"type": "session", "id": "s", "cwd": "/x", "modelId": "claude-x"}


def _said(role: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"type": "message", **more.pop("entry", {}), "message": {"role": role, "content": content, **more}}


def _load(*lines: Any, thread: str | None = None) -> Session:
    return load_bytes("".join(json.dumps(line) + "\n" for line in lines).encode(), name="f", thread=thread)


def test_calls_results_and_usage_are_read():
    call = {"type": "toolCall", "id": "c", "name": "read", "arguments": {"path": "x"}}
    usage = {"input": 1, "cacheRead": 20, "cacheWrite": 300, "output": 4}
    result = _said("toolResult", [{"type": "text", "text": "r"}], toolCallId="c", toolName="read", isError=True)
    session = _load(HEAD, _said("user", "go"), _said("assistant", [call], usage=usage), result)
    made = session.turns[0].rounds[0]
    assert made.tool_calls[0].arguments == {"path": "x"}
    assert (made.tool_results[0].content, made.tool_results[0].is_error) == ("r", True)
    assert made.usage is not None
    assert (made.usage.input, made.usage.cached, made.usage.output) == (321, 20, 4)
    assert session.model == "claude-x"


def test_a_compaction_puts_its_summary_before_what_it_kept():
    lines = [HEAD, *(_said("user", text, entry={"id": text, "parentId": None}) for text in "ab")]
    lines[2]["parentId"] = "a"
    lines.append({"type": "compaction", "id": "k", "parentId": "b", "summary": "S", "firstKeptEntryId": "b"})
    lines.append(_said("user", "c", entry={"id": "c", "parentId": "k"}))
    assert [(turn.user, turn.resets_history) for turn in _load(*lines).turns] == [
        ("a", False),
        ("S", True),
        ("b", False),
        ("c", False),
    ]


def test_a_branch_is_a_thread_of_its_own():
    lines = [
        HEAD,
        _said("user", "a", entry={"id": "1", "parentId": None}),
        _said("user", "old", entry={"id": "2", "parentId": "1"}),
        _said("user", "new", entry={"id": "3", "parentId": "1"}),
    ]
    session = _load(*lines)
    assert [turn.user for turn in session.turns] == ["a", "new"]
    assert isinstance(session.source, Source)
    assert [(t.id, t.kind) for t in session.source.threads] == [("s", "main"), ("s-2", "branch")]
    assert [turn.user for turn in _load(*lines, thread="s-2").turns] == ["a", "old"]
