"""Log databases of llm: both generations, fragments, attachments, tools, forks; one conversation read at a time."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from ctxinspect.errors import InputError
from ctxinspect.model.content import MediaPart, TextPart
from ctxinspect.model.session import Session, Source
from ctxinspect.readers import load, sniff
from tests.support.databases import folder_state, write_database

PNG = b"\x89PNG fake"
MIGRATIONS = {"_llm_migrations": [{"name": "m001_initial"}]}


def _part(message: str, position: int, kind: str, text: str | None = None, **payload: Any) -> dict[str, Any]:
    return {
        "id": None,
        "message_hash": message,
        "position": position,
        "type": kind,
        "tool_name": payload.get("name"),
        "text": text,
        "payload": json.dumps(payload) if payload else None,
    }


def _message(name: str, parent: str | None, role: str) -> dict[str, Any]:
    return {"hash": name, "parent_hash": parent, "role": role, "provider_metadata": None}


def _turn(name: str, thread: str, parent: str | None, tip: str, given: int = 0) -> dict[str, Any]:
    return {
        "id": name,
        "thread_id": thread,
        "parent_message_hash": parent,
        "tip_message_hash": tip,
        "model": "m",
        "resolved_model": None,
        "input_tokens": given or None,
        "output_tokens": 5,
        "datetime_utc": f"2026-01-0{name[-1]}",
    }


def _thread(name: str, tip: str | None, forked_from: str | None = None) -> dict[str, Any]:
    return {"id": name, "name": f"Talk {name}", "tip_message_hash": tip, "forked_from": forked_from}


CALL = {"name": "weather", "tool_call_id": "c1", "arguments": {"city": "Oslo"}}
NEW: dict[str, list[dict[str, Any]]] = {
    **MIGRATIONS,
    "messages": [
        _message("s", None, "system"),
        _message("u", "s", "user"),
        _message("a", "u", "assistant"),
        _message("t", "a", "tool"),
        _message("b", "t", "assistant"),
        _message("v", "b", "user"),
        _message("c", "v", "assistant"),
    ],
    "parts": [
        _part("s", 0, "text", "Be brief."),
        _part("u", 0, "text", text_ref=[{"literal": "weather "}, {"fragment": 1}]),
        _part("u", 1, "attachment", attachment={"id": "img"}),
        _part("a", 0, "reasoning", "hm"),
        _part("a", 1, "tool_call", **CALL),
        _part("a", 2, "tool_call", **{**CALL, "tool_call_id": "c2"}),
        _part("t", 0, "tool_result", name="weather", tool_call_id="c1", output="rain"),
        _part("t", 1, "tool_result", name="weather", tool_call_id="c2", output="", exception="KeyError: x"),
        _part("b", 0, "text", "Rain."),
        _part("v", 0, "text", "thanks"),
        _part("c", 0, "text", "Any time."),
    ],
    "fragments": [{"id": 1, "content": "in the north"}],
    "attachments": [{"id": "img", "type": "image/png", "path": None, "url": None, "content": PNG}],
    "tools": [{"id": 1, "name": "weather", "description": "Looks out", "input_schema": '{"type": "object"}'}],
    "turn_tools": [{"turn_id": "1", "tool_id": 1}, {"turn_id": "2", "tool_id": 1}],
    "threads": [_thread("one", "c"), _thread("two", "b", "one")],
    "turns": [
        _turn("1", "one", None, "a", 10),
        _turn("2", "one", "a", "b", 20),
        _turn("3", "one", "b", "c", 30),
    ],
    "responses": [{"id": "old", "conversation_id": None, "prompt": "", "response": "", "datetime_utc": "2020"}],
}


@pytest.fixture
def new(tmp_path: Path) -> Path:
    return write_database(tmp_path / "logs.db", NEW)


def _source(session: Session) -> Source:
    assert isinstance(session.source, Source)
    return session.source


def test_a_thread_is_its_chain_of_messages_and_every_turn_is_a_call(new: Path) -> None:
    session = load(new, thread="one")
    assert [component.content for component in session.components] == ["Be brief."]
    first, second = session.turns
    assert [call.id for call in first.rounds[0].tool_calls] == ["c1", "c2"]
    results = [(result.call_id, result.content, result.is_error) for result in first.rounds[0].tool_results]
    assert results == [("c1", "rain", False), ("c2", "KeyError: x", True)]
    assert (first.assistant, second.user, second.assistant) == ("Rain.", "thanks", "Any time.")
    calls = [(call.turn, call.request, len(call.messages), call.id) for call in session.recorded]
    assert calls == [(0, 0, 2, "1"), (0, 1, 5, "2"), (1, 0, 7, "3")]
    assert [call.usage.input for call in session.recorded if call.usage] == [10, 20, 30]


def test_fragments_are_put_back_and_attachments_become_facts(new: Path) -> None:
    user = load(new, thread="one").turns[0].user
    assert user[0] == TextPart(text="weather in the north")
    assert isinstance(user[1], MediaPart)
    assert (user[1].media_type, user[1].bytes) == ("image/png", len(PNG))
    assert user[1].sha256 == hashlib.sha256(PNG).hexdigest()


def test_tools_are_known_for_the_calls_that_had_them(new: Path) -> None:
    session = load(new, thread="one")
    assert [call.tools is not None for call in session.recorded] == [True, True, False]
    assert [(tool.name, tool.description) for tool in session.tools] == [("weather", "Looks out")]


def test_a_fork_is_a_thread_and_the_newest_thread_is_opened(new: Path) -> None:
    source = _source(load(new))
    listed = [(thread.id, thread.kind, thread.parent, thread.selected) for thread in source.threads]
    assert listed == [("one", "main", None, True), ("two", "fork", "one", False), ("old", "main", None, False)]
    assert source.format == "llm_logs"
    assert load(new, thread="two").turns[0].assistant == "Rain."


def test_reading_leaves_the_folder_as_it_was(new: Path) -> None:
    before = folder_state(new.parent)
    assert sniff(new) == [("llm_logs", 0.95)]
    load(new)
    assert folder_state(new.parent) == before


def test_a_chain_that_goes_round_in_circles_ends(tmp_path: Path) -> None:
    made = {**NEW, "messages": [{**row, "parent_hash": "c"} if row["hash"] == "s" else row for row in NEW["messages"]]}
    assert load(write_database(tmp_path / "logs.db", made), thread="one").turns[-1].assistant == "Any time."


def _response(name: str, prompt: str, response: str, **more: Any) -> dict[str, Any]:
    row = {"id": name, "model": "m", "prompt": prompt, "system": None, "response": response, "reasoning": None}
    row |= {"conversation_id": "conv", "datetime_utc": f"2025-01-0{name}", "input_tokens": 7, "output_tokens": 2}
    return {**row, **more}


OLD: dict[str, list[dict[str, Any]]] = {
    **MIGRATIONS,
    "conversations": [{"id": "conv", "name": "A talk", "model": "m"}],
    "responses": [
        _response("1", "weather", "", system="Be brief."),
        _response("2", "", "Rain.", system="Be brief."),
        _response("3", "more", "No.", reasoning="hm", system="Be long."),
    ],
    "tools": [{"id": 1, "name": "weather", "description": "Looks out", "input_schema": "{broken"}],
    "tool_responses": [{"tool_id": 1, "response_id": "1"}],
    "tool_calls": [{"id": 1, "response_id": "1", "name": "weather", "arguments": '{"a": 1}', "tool_call_id": "c1"}],
    "tool_results": [{"id": 1, "response_id": "2", "name": "weather", "output": "rain", "tool_call_id": "c1"}],
    "fragments": [{"id": 1, "content": "FRAGMENT"}],
    "prompt_fragments": [{"response_id": "3", "fragment_id": 1, "order": 0}],
    "attachments": [{"id": "img", "type": "image/png", "url": "https://example.org/a.png", "content": None}],
    "prompt_attachments": [{"response_id": "3", "attachment_id": "img", "order": 0}],
}


def test_the_older_generation_is_one_call_a_row_and_each_sends_what_was_said_before(tmp_path: Path) -> None:
    session = load(write_database(tmp_path / "logs.db", OLD))
    assert [len(call.messages) for call in session.recorded] == [2, 4, 7]
    assert [message.role for message in session.recorded[2].messages] == [
        *("system", "user", "assistant", "tool", "assistant", "system", "user")
    ]
    assert session.turns[0].rounds[0].tool_results[0].content == "rain"
    last = session.recorded[2].messages[-1]
    assert last.text.startswith("FRAGMENT\nmore\n[image image/png, 0 bytes]")
    assert session.tools[0].parameters == {}
    assert (session.title, _source(session).records_read) == ("A talk", 3)


def test_a_database_without_conversations_says_so(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no conversation in it"):
        load(write_database(tmp_path / "logs.db", MIGRATIONS))
