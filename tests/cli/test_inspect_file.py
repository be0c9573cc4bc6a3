"""`inspect-file` says what a file is, and a bad one among good ones hides none of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from ctxinspect.cli.exits import guarded
from ctxinspect.cli.group import cli

if TYPE_CHECKING:
    import pytest


def _log(folder: Path) -> Path:
    file = folder / "talk.jsonl"
    row = {"messages": [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hi"}]}
    file.write_text(json.dumps(row) + "\n{broken\n", "utf-8")
    return file


def test_records_read_and_skipped_are_told_with_the_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert guarded(cli, ["inspect-file", str(_log(tmp_path))]) == 0
    out = capsys.readouterr().out
    assert "openai_chat" in out
    assert "1 read, 1 skipped" in out
    assert "line 2" in out


def test_a_bad_file_is_one_line_and_exit_2_and_the_rest_is_still_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = tmp_path / "odd.json"
    bad.write_text('{"colour": "green"}', "utf-8")
    assert guarded(cli, ["inspect-file", str(bad), str(_log(tmp_path)), "--format", "json"]) == 2
    captured = capsys.readouterr()
    first, second = json.loads(captured.out)
    assert "unknown format" in first["error"]
    assert second["records_skipped"] == 1
    assert captured.err.count("\n") == 1


def test_a_folder_stands_for_the_sessions_in_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _log(tmp_path)
    assert guarded(cli, ["inspect-file", str(tmp_path)]) == 0
    assert "talk.jsonl" in capsys.readouterr().out


def test_in_a_folder_what_is_no_session_says_what_it_is_and_is_no_failure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _log(tmp_path)
    (tmp_path / "shape.json").write_text('{"$schema": "https://json-schema.org/draft/2020-12/schema"}', "utf-8")
    (tmp_path / "odd.json").write_text('{"colour": "green"}', "utf-8")
    (tmp_path / "notes.md").write_text("# Notes\n", "utf-8")
    assert guarded(cli, ["inspect-file", str(tmp_path), "--format", "json"]) == 0
    captured = capsys.readouterr()
    facts = {Path(entry["file"]).name: entry.get("no_session") for entry in json.loads(captured.out)}
    assert facts == {
        "odd.json": "unknown format: JSON objects with the keys colour",
        "shape.json": "no session: this is a JSON Schema; it describes files and is no session itself",
        "talk.jsonl": None,
    }
    assert "1 other file passed over" in captured.err


def test_a_known_side_file_is_refused_with_what_to_open_instead(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    side = tmp_path / "ui_messages.json"
    side.write_text('[{"ts": 1, "type": "say", "say": "text", "text": "hi"}]', "utf-8")
    assert guarded(cli, ["inspect-file", str(side)]) == 2
    assert "the screen log of a Cline task; open api_conversation_history.json" in capsys.readouterr().err
