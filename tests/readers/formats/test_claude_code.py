"""Claude Code transcripts: the live chain as the API saw it, whatever the file looks like."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ctxinspect.errors import UsageError
from ctxinspect.model.session import Session, Source
from ctxinspect.readers import load, load_bytes, sniff


def _line(kind: str, uuid: str, parent: str | None, content: Any = "hi", **more: Any) -> dict[str, Any]:
    message = {"role": kind, "content": content, **more.pop("message", {})}
    stamp = more.pop("timestamp", f"2026-01-01T00:00:{len(uuid):02}Z")
    return {"type": kind, "uuid": uuid, "parentUuid": parent, "message": message, "timestamp": stamp, **more}


def _use(call_id: str, **more: Any) -> list[dict[str, Any]]:
    return [{"type": "tool_use", "id": call_id, "name": "Bash", "input": {}, **more}]


def _result(call_id: str, text: str = "ok") -> list[dict[str, Any]]:
    return [{"type": "tool_result", "tool_use_id": call_id, "content": text}]


def _load(*lines: dict[str, Any], thread: str | None = None) -> Session:
    return load_bytes("".join(json.dumps(line) + "\n" for line in lines).encode(), name="s.jsonl", thread=thread)


def _shape(session: Session) -> list[tuple[str, list[str]]]:
    shown = []
    for message in session.recorded[0].messages:
        parts = [getattr(p, "id", None) or getattr(p, "call_id", None) or getattr(p, "text", "") for p in message.parts]
        shown.append((message.role, parts))
    return shown


def _source(session: Session) -> Source:
    assert isinstance(session.source, Source)
    return session.source


def test_pieces_of_one_message_are_merged_and_the_last_usage_counts():
    def piece(uuid: str, parent: str, content: Any, output: int) -> dict[str, Any]:
        usage = {"input_tokens": 10, "cache_read_input_tokens": 900, "output_tokens": output}
        return _line("assistant", uuid, parent, content, message={"id": "m1", "usage": usage, "model": "claude-x"})

    session = _load(
        _line("user", "u1", None),
        piece("a1", "u1", [{"type": "thinking", "thinking": "hm", "signature": "s"}], 1),
        piece("a2", "a1", [{"type": "text", "text": "so"}], 1),
        piece("a3", "a2", _use("t1"), 57),
        _line("user", "u2", "a3", _result("t1")),
    )
    assert [(m.role, len(m.parts)) for m in session.recorded[0].messages] == [
        ("user", 1),
        ("assistant", 3),
        ("user", 1),
    ]
    assert [part.line for part in session.recorded[0].messages[1].parts] == [2, 3, 4]
    usage = session.turns[0].rounds[0].usage
    assert usage is not None
    assert (usage.input, usage.cached, usage.output) == (910, 900, 57)
    assert session.model == "claude-x"


def test_parallel_calls_are_one_message_whatever_shoots_they_make():
    session = _load(
        _line("user", "u1", None, "go"),
        _line("assistant", "a1", "u1", _use("t1"), message={"id": "m1"}),
        _line("assistant", "a2", "a1", _use("t2"), message={"id": "m1"}),
        _line("user", "r2", "a2", _result("t2")),
        _line("user", "r1", "a1", _result("t1")),
        _line("assistant", "a3", "r1", [{"type": "text", "text": "done"}], message={"id": "m2"}),
    )
    assert _shape(session) == [
        ("user", ["go"]),
        ("assistant", ["t1", "t2"]),
        ("user", ["t2", "t1"]),
        ("assistant", ["done"]),
    ]
    assert len(_source(session).threads) == 1


def test_results_between_pieces_of_a_message_stand_behind_it():
    session = _load(
        _line("user", "u1", None, "go"),
        _line("assistant", "a1", "u1", _use("t1"), message={"id": "m1"}),
        _line("user", "r1", "a1", _result("t1")),
        _line("assistant", "a2", "r1", _use("t2"), message={"id": "m1"}),
        _line("user", "r2", "a2", _result("t2")),
    )
    assert _shape(session) == [("user", ["go"]), ("assistant", ["t1", "t2"]), ("user", ["t1", "t2"])]


def test_an_interruption_note_is_the_clients_and_interrupts_the_turn():
    session = _load(
        _line("user", "u1", None, "go"),
        _line("assistant", "a1", "u1", _use("t1"), message={"id": "m1"}),
        _line("user", "u2", "a1", [{"type": "text", "text": "[Request interrupted by user]"}]),
        _line("user", "u3", "u2", "leave it"),
    )
    assert [(turn.source, turn.interrupted) for turn in session.turns] == [
        ("user", True),
        ("client", False),
        ("user", False),
    ]
    assert session.recorded[0].messages[2].marks == ("client_note",)


def test_a_rewind_is_a_thread_of_its_own_and_can_be_opened():
    lines = [
        _line("user", "u1", None, "start"),
        _line("assistant", "a1", "u1", [{"type": "text", "text": "one"}], message={"id": "m1"}),
        _line("user", "u2", "a1", "old way", timestamp="2026-01-01T00:01:00Z"),
        _line("assistant", "a2", "u2", [{"type": "text", "text": "old"}], message={"id": "m2"}),
        _line("user", "u3", "a1", "new way", timestamp="2026-01-01T00:02:00Z"),
        _line("assistant", "a3", "u3", [{"type": "text", "text": "new"}], message={"id": "m3"}),
    ]
    session = _load(*lines)
    assert [turn.user for turn in session.turns] == ["start", "new way"]
    assert [(t.id, t.kind, t.title, t.selected) for t in _source(session).threads] == [
        ("main", "main", "start", True),
        ("a2", "rewind", "old way", False),
    ]
    assert [turn.user for turn in _load(*lines, thread="a2").turns] == ["start", "old way"]
    with pytest.raises(UsageError, match="no such thread; threads of"):
        _load(*lines, thread="zzz")


def test_a_compaction_resets_history_and_earlier_turns_stay_listed():
    session = _load(
        _line("user", "u1", None, "early"),
        _line("assistant", "a1", "u1", [{"type": "text", "text": "answer"}], message={"id": "m1"}),
        {"type": "system", "subtype": "compact_boundary", "uuid": "b", "parentUuid": None, "logicalParentUuid": "a1"},
        _line("user", "s", "b", "Summary", isCompactSummary=True, isVisibleInTranscriptOnly=True),
        _line("user", "u2", "s", "late"),
    )
    assert [(turn.user, turn.resets_history, turn.source) for turn in session.turns] == [
        ("early", False, "user"),
        ("Summary", True, "compaction"),
        ("late", False, "user"),
    ]
    assert session.recorded[0].messages[2].marks == ("compact_summary",)
    assert not _source(session).problems


@pytest.mark.parametrize("parent", ["s", "a2"])
def test_messages_that_a_compaction_kept_stand_behind_its_summary(parent: str):
    meta = {"preservedMessages": {"anchorUuid": "s", "uuids": ["u2", "a2"]}}
    boundary = {"type": "system", "subtype": "compact_boundary", "uuid": "b", "parentUuid": None}
    session = _load(
        _line("user", "u1", None, "one"),
        _line("assistant", "a1", "u1", [{"type": "text", "text": "1"}], message={"id": "m1"}),
        _line("user", "u2", "a1", "two"),
        _line("assistant", "a2", "u2", [{"type": "text", "text": "2"}], message={"id": "m2"}),
        {**boundary, "logicalParentUuid": "a2", "compactMetadata": meta},
        _line("user", "s", "b", "Summary", isCompactSummary=True),
        _line("user", "u3", parent, "three"),
    )
    assert [parts for _, parts in _shape(session)] == [["one"], ["1"], ["Summary"], ["two"], ["2"], ["three"]]
    assert len(_source(session).threads) == 1


def test_a_parent_that_was_never_written_is_noted_and_bridged():
    session = _load(
        _line("user", "u1", None, "one"),
        _line("assistant", "a1", "ghost", [{"type": "text", "text": "1"}], message={"id": "m1"}),
    )
    assert [parts for _, parts in _shape(session)] == [["one"], ["1"]]
    problem = _source(session).problems[0]
    assert (problem.rule, problem.severity, problem.line, problem.path) == (
        "dangling-parent",
        "warning",
        2,
        "$.parentUuid",
    )


def test_links_in_a_circle_end():
    session = _load(_line("user", "u1", "u2", "one"), _line("user", "u2", "u1", "two"))
    assert [turn.user for turn in session.turns] == ["one", "two"]


def test_side_chains_and_copies_for_the_screen_are_never_merged_in():
    session = _load(
        {"type": "file-history-snapshot", "messageId": "u1", "snapshot": {}},
        _line("user", "u1", None, "go", toolUseResult={"stdout": "secret copy"}),
        _line("user", "x1", None, "agent task", isSidechain=True, agentId="7"),
        _line("assistant", "x2", "x1", [{"type": "text", "text": "agent"}], isSidechain=True, agentId="7"),
        {"type": "progress", "uuid": "p1", "parentUuid": "u1", "data": {"type": "hook_progress"}},
        _line("assistant", "a1", "p1", [{"type": "text", "text": "ok"}], message={"id": "m1"}),
    )
    assert _shape(session) == [("user", ["go"]), ("assistant", ["ok"])]
    assert [(t.id, t.kind, t.messages) for t in _source(session).threads] == [
        ("main", "main", 2),
        ("agent-7", "sidechain", 2),
    ]
    assert _source(session).unknown_kinds == {"file-history-snapshot": 1, "progress": 1}
    assert "secret copy" not in session.model_dump_json()


def test_records_seen_before_are_dropped_and_counted():
    line = _line("user", "u1", None, "one", sessionId="s1")
    session = _load(line, line, _line("user", "u2", "u1", "two", sessionId="s2"))
    assert [turn.user for turn in session.turns] == ["one", "two"]
    assert _source(session).unknown_kinds == {"record seen before": 1}
    assert [(p.severity, "2 sessions" in p.message) for p in _source(session).problems] == [("info", True)]


def test_messages_no_model_made_and_injected_text_are_marked():
    session = _load(
        _line("user", "u0", None, "Caveat", isMeta=True),
        _line("user", "u1", "u0", "go"),
        _line("assistant", "a1", "u1", [{"type": "text", "text": "x"}], message={"id": "m", "model": "<synthetic>"}),
    )
    assert [message.marks for message in session.recorded[0].messages] == [("injected",), (), ("synthetic",)]
    assert session.model is None
    assert session.turns[0].source == "client"


def test_glued_and_broken_lines_do_not_lose_the_rest(tmp_path: Path):
    lines = [json.dumps(_line("user", f"u{n}", f"u{n - 1}" if n else None, str(n))) for n in range(4)]
    file = tmp_path / "s.jsonl"
    file.write_text(f"{lines[0]}{lines[1]}\n{lines[2][:40]}\n{lines[3]}\n")
    session = load(file)
    assert [turn.user for turn in session.turns] == ["0", "1", "3"]
    assert [(p.line, p.rule, p.lost) for p in _source(session).problems] == [
        (1, "unreadable-record", False),
        (2, "unreadable-record", True),
        (3, "dangling-parent", False),
    ]


def test_sub_agent_files_are_named_and_opened_on_demand(tmp_path: Path):
    folder = tmp_path / "abc" / "subagents"
    folder.mkdir(parents=True)
    main = tmp_path / "abc.jsonl"
    main.write_text(json.dumps(_line("user", "u1", None, "go", sessionId="abc")) + "\n")
    agent = [
        _line("user", "x1", None, "task", isSidechain=True, agentId="1"),
        _line("assistant", "x2", "x1", [{"type": "text", "text": "done"}], isSidechain=True, agentId="1"),
    ]
    (folder / "agent-1.jsonl").write_text("".join(json.dumps(line) + "\n" for line in agent))
    session = load(main)
    assert [(t.id, t.kind, t.messages, t.file) for t in _source(session).threads][1] == (
        "agent-1",
        "subagent",
        2,
        "abc/subagents/agent-1.jsonl",
    )
    assert [turn.user for turn in load(main, thread="agent-1").turns] == ["task"]


def test_a_file_of_a_sub_agent_alone_is_its_own_main_thread():
    session = _load(_line("user", "x1", None, "task", isSidechain=True, agentId="1"))
    assert [(t.id, t.kind) for t in _source(session).threads] == [("agent-1", "main")]


def test_it_is_recognised_by_content_behind_stray_first_lines(tmp_path: Path):
    file = tmp_path / "whatever.txt"
    stray = [{"type": "summary", "summary": "A title", "leafUuid": "x"}, {"type": "queue-operation"}]
    file.write_text("".join(json.dumps(line) + "\n" for line in [*stray, _line("user", "u", None)]))
    assert sniff(file)[0][0] == "claude_code"
    session = load(file)
    assert session.title == "A title"
    assert _source(session).missing == ("the system prompt", "the tool schemas", "CLAUDE.md and memory files")


def test_results_that_the_client_cleared_are_kept_whole_and_it_is_said():
    facts = {"trigger": "auto", "tokensSaved": 200, "compactedToolIds": ["t1"]}
    session = _load(
        _line("user", "a", None),
        _line("assistant", "b", "a", _use("t1"), message={"id": "m1"}),
        _line("user", "c", "b", _result("t1", "long")),
        {
            "type": "system",
            "subtype": "microcompact_boundary",
            "uuid": "d",
            "parentUuid": "c",
            "microcompactMetadata": facts,
        },
        _line("assistant", "e", "d", "done", message={"id": "m2"}),
    )
    assert session.turns[0].rounds[0].tool_results[0].content == "long"
    (problem,) = _source(session).problems
    assert (problem.severity, problem.line) == ("info", 4)
    assert problem.message == (
        "from here on 1 earlier results were sent as cleared, 200 tokens by its count; they are shown whole"
    )


def test_a_snapshot_with_the_id_of_a_message_is_not_taken_for_it():
    session = _load(
        _line("user", "a", None, "one"),
        {"type": "file-history-snapshot", "messageId": "a", "uuid": "a", "snapshot": {}},
        _line("assistant", "b", "a", "two", message={"id": "m1"}),
    )
    assert _shape(session) == [("user", ["one"]), ("assistant", ["two"])]


def test_progress_of_a_sub_agent_inside_the_file_is_counted_and_no_message():
    inner = {"type": "assistant", "message": {"role": "assistant", "content": "inner words"}}
    progress = {
        "type": "progress",
        "uuid": "p",
        "parentUuid": "a",
        "data": {"type": "agent_progress", "message": inner},
    }
    session = _load(_line("user", "a", None), progress, _line("assistant", "b", "p", "out", message={"id": "m"}))
    assert "inner words" not in session.model_dump_json()
    assert _source(session).unknown_kinds == {"progress": 1}


def test_records_of_two_sessions_in_one_file_are_said():
    session = _load(_line("user", "a", None, sessionId="s1"), _line("assistant", "b", "a", sessionId="s2"))
    assert "records of 2 sessions" in _source(session).problems[0].message


def test_images_in_blocks_and_in_results_are_facts():
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "QUJD"}}
    result = [{"type": "tool_result", "tool_use_id": "t1", "content": [image]}]
    session = _load(
        _line("user", "a", None, [image]),
        _line("assistant", "b", "a", _use("t1"), message={"id": "m1"}),
        _line("user", "c", "b", result),
    )
    assert "QUJD" not in session.model_dump_json()
    assert session.model_dump_json().count('"media_type":"image/png","bytes":3') >= 4


def test_an_unanswered_call_at_the_end_stays_open():
    session = _load(_line("user", "a", None), _line("assistant", "b", "a", _use("t1"), message={"id": "m1"}))
    assert session.turns[0].rounds[0].tool_results == ()
    assert not session.turns[0].interrupted


def test_what_a_call_reported_is_not_said_of_the_request_that_its_open_call_waits_for():
    usage = {"input_tokens": 10, "cache_read_input_tokens": 900, "output_tokens": 5}
    asked = _line("assistant", "b", "a", _use("t1"), message={"id": "m1", "usage": usage})
    session = _load(_line("user", "a", None), asked)
    assert session.turns[0].rounds[0].usage is not None
    assert (session.recorded[0].turn, session.recorded[0].request) == (0, 1)
    assert session.recorded[0].usage is None
    answered = {**usage, "input_tokens": 99}
    more = [
        _line("user", "c", "b", _result("t1")),
        _line("assistant", "d", "c", message={"id": "m2", "usage": answered}),
    ]
    last = _load(_line("user", "a", None), asked, *more).recorded[0]
    assert last.usage is not None
    assert last.usage.input == 999
