"""`snapshot check` and `update`: what differs is named by cause, what is wrong is named, and nothing is written by it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from ctxinspect.cli import run as run_here
from tests.cli.test_commands import session, written

SAMPLES = Path(__file__).resolve().parents[2] / "sample_sessions"


Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    def command(*words: str) -> tuple[int, str, str]:
        code = run_here(list(words))
        out, err = capfd.readouterr()
        return code, out, err

    return command


@pytest.fixture
def folder(tmp_path: Path, run: Run) -> Path:
    for name in ("rag_pressure.json", "home_assistant.json"):
        shutil.copy(SAMPLES / name, tmp_path)
    code, _, err = run("snapshot", "update", str(tmp_path))
    assert (code, err.count(": new\n")) == (0, 2)
    return tmp_path


def state(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir())}


def test_what_was_approved_is_as_it_was(run: Run, folder: Path):
    assert run("snapshot", "check", str(folder)) == (0, "", "")


def test_a_setting_makes_it_red_with_the_cause_named(run: Run, folder: Path):
    code, out, err = run("snapshot", "check", str(folder), "--set", "window.strategy=conservative")
    assert (code, err) == (1, "")
    assert 'cause: setting window.strategy: "balanced" -> "conservative"' in out
    assert "window budget: 5827 -> 4598 tokens for messages" in out


def test_check_writes_nothing(run: Run, folder: Path):
    before = state(folder)
    run("snapshot", "check", str(folder), "--set", "window.strategy=conservative")
    assert state(folder) == before


def test_update_approves_and_says_what_changed(run: Run, folder: Path):
    data = json.loads((folder / "rag_pressure.json").read_text("utf-8"))
    data["components"][0]["content"] += " Be brief."
    (folder / "rag_pressure.json").write_text(json.dumps(data), "utf-8")
    assert run("snapshot", "check", str(folder))[0] == 1
    code, out, err = run("snapshot", "update", str(folder), "rag_pressure")
    assert (code, out) == (0, "")
    assert "requests differ; cause: t0.assemble component" in err
    assert run("snapshot", "check", str(folder))[0] == 0


@pytest.mark.parametrize("action", ["check", "update"])
def test_everything_that_is_wrong_is_named_and_nothing_is_written(run: Run, folder: Path, action: str):
    (folder / "gone.json.context.txt").write_bytes((folder / "home_assistant.json.context.txt").read_bytes())
    (folder / "cut.json").write_text('{"format": "ctxinspect/1", "turns": [', "utf-8")
    other = folder / "home_assistant.json.context.txt"
    other.write_text(other.read_text("utf-8").replace("ctxinspect-snapshot/1", "ctxinspect-snapshot/2"), "utf-8")
    before = state(folder)
    code, _, err = run("snapshot", action, str(folder))
    assert code == 2
    assert "gone.json.context.txt: its session gone.json is not there" in err
    assert "cut.json:1" in err
    assert "home_assistant.json.context.txt:1: its format is 'ctxinspect-snapshot/2'" in err
    assert state(folder) == before


def test_a_missing_approved_file_is_named_and_not_made(run: Run, tmp_path: Path):
    file = Path(written(tmp_path, session()))
    code, out, err = run("snapshot", "check", str(tmp_path))
    assert (code, out) == (2, "")
    assert f"{file.name}.context.txt: no approved context for {file.name}" in err
    assert list(tmp_path.iterdir()) == [file]


def test_force_writes_over_another_version(run: Run, folder: Path):
    other = folder / "home_assistant.json.context.txt"
    good = other.read_bytes()
    other.write_text("ctxinspect-snapshot/2\n", "utf-8")
    assert run("snapshot", "update", "--force", str(folder))[0] == 0
    assert other.read_bytes() == good


def test_a_difference_beside_a_fault_is_still_printed(run: Run, folder: Path):
    (folder / "cut.json").write_text("{", "utf-8")
    code, out, _ = run("snapshot", "check", str(folder), "--set", "window.strategy=conservative")
    assert code == 2
    assert "cause: setting window.strategy" in out


@pytest.mark.parametrize("words", [["--set", "window.stratgy=x"], ["nothing.json"]])
def test_bad_usage_is_one_line(run: Run, folder: Path, words: list[str]):
    code, out, err = run("snapshot", "check", str(folder), *words)
    assert (code, out, err.count("\n")) == (2, "", 1)


def test_an_empty_folder_is_refused(run: Run, tmp_path: Path):
    code, _, err = run("snapshot", "check", str(tmp_path))
    assert code == 2
    assert "holds no session" in err
