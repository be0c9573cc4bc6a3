"""`audit`: one table of a corpus, whole or not at all, with a row for what could not be read."""

from __future__ import annotations

import csv
import io
import json
import shutil
from pathlib import Path

import pytest

from ctxinspect.cli import run

SAMPLES = Path(__file__).resolve().parents[2] / "sample_sessions"


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    (tmp_path / "runs" / "deep").mkdir(parents=True)
    shutil.copy(SAMPLES / "home_assistant.json", tmp_path / "runs")
    shutil.copy(SAMPLES / "rag_pressure.json", tmp_path / "runs" / "deep")
    (tmp_path / "runs" / "notes.md").write_text("# Notes\n", "utf-8")
    return tmp_path


def test_a_folder_is_a_table_of_its_sessions(corpus: Path, capfd: pytest.CaptureFixture[str]):
    assert run(["audit", str(corpus / "runs")]) == 0
    rows = list(csv.DictReader(io.StringIO(capfd.readouterr().out)))
    assert [Path(row["file"]).name for row in rows] == ["home_assistant.json", "rag_pressure.json"]
    assert all(int(row["requests"]) > 1 for row in rows)


def test_what_cannot_be_read_has_a_row_and_makes_the_exit_code_2(corpus: Path, capfd: pytest.CaptureFixture[str]):
    bad = corpus / "bad.json"
    bad.write_text("{", "utf-8")
    out = corpus / "table.json"
    assert run(["audit", str(bad), str(corpus / "runs"), "--out", str(out)]) == 2
    err = capfd.readouterr().err
    assert "bad.json:1" in err
    assert "2 sessions, 1 file that could not be read" in err
    rows = json.loads(out.read_text("utf-8"))
    assert [row["problem"] is None for row in rows] == [False, True, True]


@pytest.mark.parametrize("words", [["--out", "table.txt"], ["--set", "window.stratgy=x"]])
def test_bad_usage_writes_nothing(corpus: Path, capfd: pytest.CaptureFixture[str], words: list[str]):
    assert run(["audit", str(corpus / "runs"), *words]) == 2
    out, err = capfd.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert not Path("table.txt").exists()
