"""What a console block of the documentation shows is what the command prints; `...` stands for lines left out."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```console\n\$ (ctxinspect [^\n]*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
PAGES = ("diff.md", "eval.md")


def examples():
    return [
        (page, found[1], found[2])
        for page in PAGES
        for found in BLOCK.finditer((ROOT / "docs" / page).read_text("utf-8"))
    ]


def shown_in(shown: list[str], printed: list[str]) -> bool:
    """Whether the lines shown are those printed, in order, with stretches left out only where `...` stands."""
    if not shown:
        return True
    if shown[0] == "...":
        return any(shown_in(shown[1:], printed[at:]) for at in range(len(printed) + 1))
    return bool(printed) and printed[0].rstrip() == shown[0].rstrip() and shown_in(shown[1:], printed[1:])


@pytest.mark.parametrize(("page", "command", "shown"), examples(), ids=lambda value: value[:60])
def test_a_command_prints_what_its_page_shows(page, command, shown):
    done = subprocess.run(
        [sys.executable, "-m", *shlex.split(command)],
        cwd=ROOT,
        capture_output=True,
        timeout=100,
        check=False,
        env={"PYTHONIOENCODING": "utf-8", "PATH": ""},
    )
    assert done.returncode == 0, done.stderr
    printed = done.stdout.decode("utf-8").splitlines()
    assert shown_in(shown.splitlines(), printed), "\n".join(printed)


def test_a_line_that_is_not_printed_is_seen():
    printed = ["one", "two", "three"]
    assert shown_in(["one", "...", "three"], printed)
    assert shown_in(["one"], printed)
    assert not shown_in(["two"], printed)
    assert not shown_in(["one", "three"], printed)
    assert not shown_in(["one", "...", "four"], printed)
