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
    assert [(p.line, p.severity) for p in session.source.problems] == [(2, "info")]
    assert "the history of parent was copied in" in session.source.problems[0].message


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


def _item(kind: str, text: str) -> dict[str, Any]:
    return _event("item_completed", item={"type": kind, "content": [{"type": "text", "text": text}]})


def test_words_that_stand_in_completed_items_alone_are_put_where_they_were_spoken():
    lines = [
        _line("session_meta", id="s1", history_mode="paginated"),
        _said("user", "# AGENTS.md instructions"),
        _item("UserMessage", "ping"),
        _said("assistant", "pong"),
        _item("AgentMessage", "pong"),
        _item("UserMessage", "again"),
        _said("assistant", "pong again"),
    ]
    session = _load(*lines)
    spoken = [(m.role, m.text) for m in session.recorded[0].messages]
    assert spoken[1:] == [("user", "ping"), ("assistant", "pong"), ("user", "again"), ("assistant", "pong again")]
    assert [turn.user for turn in session.turns if turn.source == "user"] == ["ping", "again"]


def test_completed_items_are_no_second_copy_of_events_or_items_and_usage_keeps_its_message():
    last = {"last_token_usage": {"input_tokens": 3, "output_tokens": 1}, "total_token_usage": {"input_tokens": 3}}
    lines = [_item("UserMessage", "ping"), _event("user_message", message="ping"), _said("assistant", "pong")]
    session = _load(META, *lines, _event("token_count", info=last), _item("AgentMessage", "pong"))
    assert [(m.role, m.text) for m in session.recorded[0].messages[1:]] == [("user", "ping"), ("assistant", "pong")]
    assert session.turns[0].usage is not None
    assert session.turns[0].usage.input == 3


def test_a_record_with_an_ordinal_that_was_there_before_is_read_like_any_other():
    lines = [{**line, "ordinal": 7} for line in TURN]
    assert [m.text for m in _load(META, *lines).recorded[0].messages[1:]] == ["ping", "pong"]


def test_a_fork_names_the_session_that_it_came_from():
    spawned = {"subagent": {"thread_spawn": {"parent_thread_id": "s1"}}}
    for origin in ({"forked_from_id": "s1"}, {"parent_thread_id": "s1"}, {"source": spawned}):
        session = _load(_line("session_meta", id="child", **origin), *TURN)
        assert isinstance(session.source, Source)
        assert [(thread.id, thread.parent) for thread in session.source.threads] == [("child", "s1")]


def test_images_are_dropped_for_their_facts_also_in_a_replacement_history():
    picture = {"type": "input_image", "image_url": "data:image/png;base64,QUJD"}
    history = [{"type": "message", "role": "user", "content": [picture]}]
    session = _load(META, *TURN, _line("compacted", message="", replacement_history=history))
    assert "QUJD" not in session.model_dump_json()
    assert "[image image/png, 3 bytes]" in session.recorded[0].messages[-1].text


def test_a_call_that_was_interrupted_has_no_result_and_the_next_turn_goes_on():
    call = _line("response_item", type="function_call", call_id="c", name="shell", arguments="{}")
    session = _load(META, TURN[0], call, _said("user", "<turn_aborted>"), _said("user", "go on"))
    assert session.turns[0].interrupted
    assert session.turns[0].rounds[0].tool_results == ()
    assert session.turns[-1].user == "go on"
