"""Files that are no session are named for what they are; a session is never taken for one of them."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from ctxinspect.errors import InputError
from ctxinspect.readers import load_bytes
from ctxinspect.readers.container import open_recording
from ctxinspect.readers.recognised import RECOGNISED, recognise
from tests.support.databases import write_database


def _lines(*values: Any) -> bytes:
    return b"\n".join(json.dumps(value).encode() for value in values)


FILES: dict[str, bytes] = {
    "json_schema": _lines({"$defs": {}, "type": "array", "items": {}}),
    "cline_ui": _lines([{"ts": 1, "type": "say", "say": "text"}, {"ts": 2, "type": "ask", "ask": "tool"}]),
    "cline_metadata": _lines({"files_in_context": [], "model_usage": []}),
    "claude_code_history": _lines(*[{"display": "hi", "timestamp": 1, "project": "/p", "pastedContents": {}}] * 2),
    "codex_history": _lines(*[{"session_id": "s", "ts": 1, "text": "hi"}] * 2),
    "gemini_cli_log": _lines([{"sessionId": "s", "messageId": 0, "type": "user", "message": "hi"}]),
    "opencode_piece": _lines({"id": "msg_1", "sessionID": "ses_1", "role": "user", "time": {}}),
    "langfuse_expected": _lines({"a1": {"input": {"success": True}, "output": {"success": False}}}),
    "ui_stream_fixtures": _lines([{"input": {"chunks": []}, "writes": []}]),
    "litellm": _lines({"call_type": "acompletion", "request_id": "r", "spend": 0.1, "messages": "{}"}),
    "copilot_cli": _lines(*[{"type": "session.start", "data": {}, "id": "1", "parentId": None}] * 2),
    "vscode_chat": _lines({"kind": 0, "v": {}}, {"kind": 1, "k": ["a"], "v": 1}),
    "lhar": _lines({"type": "session", "id": 1}, {"type": "entry", "id": 2}),
    "vcr": b"interactions:\n- request:\n    body: '{}'\nversion: 1\n",
    "mitmproxy": b"1234:8:version;2:19#" + b"x" * 200,
    "parquet": b"PAR1\x15\x04\x15\x10" + b"\x00\xff" * 60,
    "pickle": b"\x80\x04\x95\x10\x00\x00\x00" + b"\x00\xfe" * 60,
    "source_code": b"export const run = {\n  id: '1',\n};\n",
}
TABLES = {
    "langgraph_checkpoints": ("checkpoints", "writes"),
    "cursor_state": ("ItemTable",),
    "codex_state": ("_sqlx_migrations", "threads"),
}


def _database(folder: Path, tables: tuple[str, ...]) -> bytes:
    return write_database(folder / "a.db", {table: [{"id": 1}] for table in tables}).read_bytes()


@pytest.mark.parametrize("known", RECOGNISED, ids=lambda known: known.name)
def test_each_kind_is_named_and_says_what_to_do(known: Any, tmp_path: Path) -> None:
    name = known.name
    data = FILES[name] if name in FILES else _database(tmp_path, TABLES[name])
    assert recognise(open_recording(data).sample()) is known
    with pytest.raises(InputError) as caught:
        load_bytes(data, name="f")
    assert str(caught.value) == f"f: no session: this is {known.sentence}"


def test_a_session_with_such_keys_is_still_a_session() -> None:
    chat = {"$schema": "https://json-schema.org", "messages": [{"role": "user", "content": "hi"}], "model": "gpt-4o"}
    assert load_bytes(json.dumps({**chat, "$schema": "own"}).encode()).turns[0].user == "hi"
    forced = load_bytes(json.dumps(chat).encode(), format_name="openai_chat")
    assert forced.turns[0].user == "hi"


def test_a_database_that_is_empty_is_named_as_such(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "a.db")
    connection.execute("PRAGMA user_version = 1")
    connection.close()
    with pytest.raises(InputError, match="an SQLite database that is empty or damaged"):
        load_bytes((tmp_path / "a.db").read_bytes(), name="f")
