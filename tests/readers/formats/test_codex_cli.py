"""Codex rollouts: items count once, events are copies, compaction replaces what was before."""

from __future__ import annotations

import json
from typing import Any

from ctxinspect.model.session import Session, Source
from ctxinspect.readers import load_bytes


def _line(kind: str, **payload: Any) -> dict[str, Any]:
    return {"timestamp": "2026-01-01T00:00:00Z", "type": kind, "payload": payload}


def _said(role: str, text: str) -> dict[str, Any]:
    return _line("response_item", type="message", role=role, content=[{"type": "input_text", "text": text}])


def _event(kind: str, **more: Any) -> dict[str, Any]:
    return _line("event_msg", type=kind, **more)


def _load(*lines: Any, thread: str | None = None) -> Session:
    return load_bytes("".join(json.dumps(line) + "\n" for line in lines).encode(), name="f", thread=thread)


META = _line("session_meta", id="s1", base_instructions={"text": "You are Codex"})
TURN = [
    _said("user", "ping"),
    _event("user_message", message="ping"),
    _event("agent_message", message="pong"),
    _said("assistant", "pong"),
]


def test_events_are_no_second_copy_and_stand_in_where_there_are_no_items():
    both = [META, *TURN, _said("user", "ping")]
    only_items = [line for line in both if line["type"] != "event_msg"]
    only_events = [
        _event("user_message", message="ping"),
        _event("agent_message", message="pong"),
        _event("user_message", message="ping"),
    ]
    for lines in (both, only_items, only_events):
        session = _load(*lines)
        spoken = [(m.role, m.text) for m in session.recorded[0].messages if m.role != "system"]
        assert spoken == [("user", "ping"), ("assistant", "pong"), ("user", "ping")]


def test_only_the_first_session_meta_is_this_session():
    session = _load(META, _line("session_meta", id="parent", base_instructions={"text": "other"}), *TURN)
    assert [component.content for component in session.components] == ["You are Codex"]
    assert isinstance(session.source, Source)
    assert [thread.id for thread in session.source.threads] == ["s1"]


def test_usage_is_that_of_the_last_call_and_repeats_are_dropped():
    last, total = {"input_tokens": 10, "cached_input_tokens": 4, "output_tokens": 2}, {"input_tokens": 10}
    count = _event("token_count", info={"last_token_usage": last, "total_token_usage": total})
    session = _load(META, _event("token_count", info=None), *TURN, count, count)
    usage = session.turns[0].usage
    assert usage is not None
    assert (usage.input, usage.cached, usage.output) == (10, 4, 2)


def test_a_compaction_is_one_turn_and_resets_history():
    history = [_said("user", "kept")["payload"], _said("user", "summary")["payload"]]
    session = _load(META, *TURN, _line("compacted", message="", replacement_history=history), _said("user", "next"))
    assert [(turn.user, turn.resets_history) for turn in session.turns] == [
        ("ping", False),
        ("kept\nsummary", True),
        ("next", False),
    ]
    assert [m.marks for m in session.recorded[0].messages][3:] == [("compact_summary",), ("compact_kept",), ()]


def test_turns_taken_back_leave_the_context_and_stay_as_a_thread():
    lines = [
        META,
        *TURN,
        _said("user", "wrong"),
        _said("assistant", "no"),
        _event("thread_rolled_back", num_turns=1),
        _said("user", "right"),
    ]
    session = _load(*lines)
    assert [turn.user for turn in session.turns] == ["ping", "right"]
    assert isinstance(session.source, Source)
    assert [(t.id, t.kind) for t in session.source.threads] == [("s1", "main"), ("rewind-1", "rewind")]
    assert [turn.user for turn in _load(*lines, thread="rewind-1").turns] == ["ping", "wrong"]


def test_the_old_layout_of_bare_items_is_read():
    head = {"id": "old", "timestamp": "2025-01-01T00:00:00Z", "instructions": "Be good", "git": None}
    call = {"type": "function_call", "call_id": "c", "name": "shell", "arguments": "{}"}
    session = _load(
        head,
        {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "go"}]},
        call,
        {"record_type": "state"},
        {"type": "function_call_output", "call_id": "c", "output": '{"output":"x"}'},
    )
    assert session.components[0].content == "Be good"
    assert session.turns[0].rounds[0].tool_results[0].content == '{"output":"x"}'
    assert isinstance(session.source, Source)
    assert session.source.unknown_kinds == {"record_type/state": 1}


def test_injected_context_is_not_a_persons_turn():
    session = _load(META, _said("user", "<environment_context>x</environment_context>"), *TURN)
    assert [turn.source for turn in session.turns] == ["client", "user"]
