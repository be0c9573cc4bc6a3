"""What `lint` says of the reported failures as files: the errors and warnings that are expected there, and no others."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from ctxinspect.cli import run
from tests.lint.test_cases import EXPECTED
from tests.support.shared import case_file

SOUND = (
    "031",
    "032",
    "036",
    "038",
    "039",
    "041",
    "043",
    "045",
    "046",
    "048",
    "050",
    "052",
    "054",
    "084",
    "092",
    "094",
    "098",
    "109",
)
"""Cases about something else, whose recordings are sound."""


def found(file: Path, capfd: pytest.CaptureFixture[str], *words: str) -> tuple[int, list[tuple[str, str]]]:
    code = run(["lint", str(file), "--format", "json", *words])
    (report,) = json.loads(capfd.readouterr().out)["files"]
    return code, [(row["id"], row["severity"]) for row in report["findings"] if row["severity"] != "info"]


@pytest.mark.parametrize(("number", "profile"), list(EXPECTED), ids=str)
def test_a_file_has_the_findings_that_are_named_and_no_others(number, profile, capfd):
    code, rows = found(case_file(number), capfd, *(["--provider", profile] if profile else []))
    assert Counter(id_ for id_, _ in rows) == Counter(id_ for id_, *_ in EXPECTED[number, profile])
    assert code == any(severity == "error" for _, severity in rows)


@pytest.mark.parametrize("number", SOUND)
def test_a_sound_recording_has_no_error_and_no_warning(number, capfd):
    assert found(case_file(number), capfd) == (0, [])


@pytest.mark.parametrize(("number", "lines"), [
    ("069", [(3, "error"), (5, "warning")]),
    ("070", [(3, "error")]),
    ("072", [(2, "warning")]),
    ("074", [(2, "error")]),
    ("075", [(2, "error"), (4, "warning")]),
])  # fmt: skip
def test_records_that_could_not_be_read_are_named_by_their_line(number, lines, capfd):
    run(["lint", str(case_file(number)), "--format", "jsonl"])
    rows = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    assert [(row["line"], row["severity"]) for row in rows if row["id"] == "unreadable-record"] == lines


def test_tools_over_the_budget_fail_the_replay(capfd):
    settings = ["--set", "window.context_tokens=1067", "--set", "window.strategy=balanced"]
    code, rows = found(case_file("046"), capfd, "--replay", *settings)
    assert code == 1
    assert ("tools-over-budget", "error") in rows
