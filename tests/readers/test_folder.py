"""Sessions are found by what is in the files, and those of known tools by where they are."""

from __future__ import annotations

import json
import os
from pathlib import Path

from ctxinspect.readers.discover import machine_sessions
from ctxinspect.readers.folder import list_sessions, opening_words

_CLAUDE = {
    "type": "user",
    "uuid": "u1",
    "parentUuid": None,
    "sessionId": "s1",
    "isSidechain": False,
    "message": {"role": "user", "content": "Mend the gate"},
}


def _write(path: Path, value: object, mtime: float = 1000.0) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value) + "\n", "utf-8")
    os.utime(path, (mtime, mtime))
    return path


def test_a_folder_lists_the_sessions_in_it_and_below_and_passes_over_other_files(tmp_path: Path) -> None:
    _write(tmp_path / "b" / "two.jsonl", _CLAUDE)
    _write(tmp_path / "a.json", {"messages": [{"role": "user", "content": "Hello"}], "model": "gpt-4o"})
    _write(tmp_path / "c.json", {"colour": "green"})
    (tmp_path / "empty.json").write_bytes(b"")
    found = list(list_sessions(tmp_path))
    assert [(one.path.name, one.format, one.title) for one in found] == [
        ("a.json", "openai_chat", "Hello"),
        ("two.jsonl", "claude_code", "Mend the gate"),
    ]
    assert found[0].size == (tmp_path / "a.json").stat().st_size


def test_the_title_is_what_a_person_said_and_not_what_a_client_put_in(tmp_path: Path) -> None:
    rows = [
        {"type": "response_item", "payload": {"role": "user", "content": [{"text": "<environment_context>"}]}},
        {"type": "response_item", "payload": {"role": "user", "content": [{"text": "Count\nthe " + "words " * 40}]}},
    ]
    file = tmp_path / "r.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    title = opening_words(file)
    assert title.startswith("Count the words")
    assert len(title) == 80


def test_sessions_of_known_tools_come_newest_first(tmp_path: Path) -> None:
    _write(tmp_path / ".claude/projects/-p/s.jsonl", _CLAUDE, 10)
    _write(tmp_path / ".claude/projects/-p/agent-1.jsonl", _CLAUDE, 99)
    _write(tmp_path / "codex/sessions/2026/01/02/rollout-x.jsonl", {}, 30)
    _write(tmp_path / ".gemini/tmp/h/chats/session-1.json", {}, 20)
    _write(tmp_path / ".pi/agent/sessions/--p--/x.jsonl", {}, 5)
    _write(tmp_path / ".local/share/opencode/opencode.db", {}, 4)
    _write(tmp_path / ".local/share/opencode/storage/session/p/ses_1.json", {}, 3)
    _write(tmp_path / ".local/share/opencode/storage/message/ses_1/msg_1.json", {}, 50)
    found = list(machine_sessions(tmp_path, {"CODEX_HOME": str(tmp_path / "codex")}))
    assert [one.format for one in found] == [
        *("codex_cli", "gemini_cli", "claude_code", "pi_agent", "opencode", "opencode")
    ]
    assert found[2].title == "Mend the gate"


def test_a_machine_without_any_tool_has_no_sessions(tmp_path: Path) -> None:
    assert list(machine_sessions(tmp_path / "nobody", {})) == []
