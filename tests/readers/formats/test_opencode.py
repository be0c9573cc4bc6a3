"""opencode exports: tool parts, cleared outputs, compaction."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ctxinspect.errors import InputError
from ctxinspect.model.session import Session, Source
from ctxinspect.readers import load, load_bytes
from tests.support.databases import write_database


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


def _row(name: str, session: str, created: int, **data: Any) -> dict[str, Any]:
    return {"id": name, "session_id": session, "time_created": created, "data": json.dumps(data, separators=(",", ":"))}


def _part_row(name: str, message: str, **data: Any) -> dict[str, Any]:
    return {"id": name, "message_id": message, "session_id": "ses_1", "data": json.dumps(data)}


def _database(folder: Path, revert: str | None = None) -> Path:
    session = {"id": "ses_1", "parent_id": None, "title": "A talk", "revert": revert, "time_updated": 2}
    return write_database(
        folder / "opencode.db",
        {
            "session": [session, {**session, "id": "ses_2", "parent_id": "ses_1", "title": "Sub", "revert": None}],
            "message": [
                _row("msg_2", "ses_1", 2, role="assistant", modelID="claude-x", tokens={"input": 4, "output": 1}),
                _row("msg_1", "ses_1", 1, role="user"),
                _row("msg_3", "ses_1", 3, role="user"),
                _row("msg_9", "ses_2", 1, role="user"),
            ],
            "part": [
                _part_row("prt_3", "msg_2", type="text", text="done"),
                _part_row("prt_2", "msg_2", **_tool("c1")),
                _part_row("prt_1", "msg_1", type="text", text="go"),
                _part_row("prt_4", "msg_3", type="text", text="oops"),
                {**_part_row("prt_9", "msg_9", type="text", text="look"), "session_id": "ses_2"},
                {**_part_row("prt_5", "msg_3"), "data": "{broken"},
            ],
        },
    )


def test_a_database_holds_every_session_and_its_sub_agents(tmp_path: Path):
    session = load(_database(tmp_path), thread="ses_1")
    assert session.turns[0].rounds[0].tool_calls[0].id == "c1"
    assert (session.turns[0].assistant, session.turns[1].user) == ("done", "oops")
    assert isinstance(session.source, Source)
    assert [(t.id, t.kind, t.parent) for t in session.source.threads] == [
        ("ses_2", "subagent", "ses_1"),
        ("ses_1", "main", None),
    ]
    assert [problem.message for problem in session.source.problems] == [
        "part prt_5: expecting property name enclosed in double quotes"
    ]
    assert load(tmp_path / "opencode.db", thread="ses_2").turns[0].user == "look"


def test_what_was_reverted_is_out_and_stays_as_a_thread_of_its_own(tmp_path: Path):
    file = _database(tmp_path, revert='{"messageID":"msg_3"}')
    assert [turn.user for turn in load(file, thread="ses_1").turns] == ["go"]
    assert [turn.user for turn in load(file, thread="ses_1-reverted").turns] == ["go", "oops"]


def test_a_revert_inside_a_message_keeps_the_parts_before_it():
    value = {
        "info": {"id": "s", "revert": {"messageID": "m", "partID": "p2"}},
        "messages": [
            _message("user", _text("go")),
            {
                "info": {"role": "assistant", "id": "m"},
                "parts": [{**_text("one"), "id": "p1"}, {**_text("two"), "id": "p2"}],
            },
        ],
    }
    session = load_bytes(json.dumps(value).encode(), name="f")
    assert session.turns[0].assistant == "one"
    assert isinstance(session.source, Source)
    assert [(thread.id, thread.kind) for thread in session.source.threads] == [("s", "main"), ("s-reverted", "rewind")]


def test_a_session_kept_as_one_file_a_part_is_put_together(tmp_path: Path):
    def write(name: str, value: object) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value), encoding="utf-8")
        return path

    info = {"id": "ses_1", "projectID": "p", "title": "A talk", "time": {"created": 1}}
    file = write("session/p/ses_1.json", info)
    write("message/ses_1/msg_1.json", {"id": "msg_1", "role": "user"})
    write("message/ses_1/msg_2.json", {"id": "msg_2", "role": "assistant"})
    write("part/msg_1/prt_1.json", _text("go"))
    write("part/msg_2/prt_2.json", _text("done"))
    (tmp_path / "part/msg_2/prt_3.json").write_text("", encoding="utf-8")
    session = load(file)
    assert (session.turns[0].user, session.turns[0].assistant) == ("go", "done")
    assert isinstance(session.source, Source)
    assert [problem.path for problem in session.source.problems] == ["prt_3.json"]
    escaped = write("session/p/ses_2.json", {**info, "id": "ses/../../message/ses_1"})
    with pytest.raises(InputError, match="no message in it"):
        load(escaped)
