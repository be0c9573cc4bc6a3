"""A folder in place of a file: the one session in it, a refusal that names them, or every one of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ctxinspect.cli.exits import guarded
from ctxinspect.cli.group import cli


def _session(path: Path, word: str) -> Path:
    messages = [{"role": "user", "content": word}, {"role": "assistant", "content": "Done"}]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"model": "gpt-4o", "messages": messages}), encoding="utf-8")
    return path


def test_the_only_session_in_a_folder_is_opened(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _session(tmp_path / "deep" / "one.json", "Mend the gate")
    (tmp_path / "notes.md").write_text("# Notes\n", encoding="utf-8")
    assert guarded(cli, ["trace", str(tmp_path), "--turn", "0"]) == 0
    assert "Mend the gate" in capsys.readouterr().out


def test_a_folder_with_several_is_refused_and_they_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(10):
        _session(tmp_path / f"s{number}.json", "Hello")
    assert guarded(cli, ["trace", str(tmp_path), "--turn", "0"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "a folder with several sessions; name one of them: s0.json, s1.json" in captured.err
    assert captured.err.rstrip().endswith("s7.json, …")


@pytest.mark.parametrize("command", [("trace", "--turn", "0"), ("lint",)])
def test_a_folder_without_a_session_is_one_line_and_exit_2(
    command: tuple[str, ...], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "notes.md").write_text("# Notes\n", encoding="utf-8")
    assert guarded(cli, [command[0], str(tmp_path), *command[1:]]) == 2
    err = capsys.readouterr().err
    assert "no session in this folder" in err
    assert err.count("\n") == 1


def test_every_session_of_a_folder_is_judged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("a.json", "sub/b.json"):
        _session(tmp_path / name, "Hello")
    assert guarded(cli, ["lint", str(tmp_path)]) == 0
    out = capsys.readouterr().out
    assert "a.json: 0 errors" in out
    assert "b.json: 0 errors" in out
