"""Progress is one line on a terminal's stderr that is gone in the end, and nothing anywhere else."""

from __future__ import annotations

import io

import pytest

from ctxinspect.cli import progress as module
from ctxinspect.cli.progress import progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def clock(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])
    return now


def test_nothing_is_written_where_stderr_is_no_terminal(monkeypatch, clock):
    stream = io.StringIO()
    monkeypatch.setattr("sys.stderr", stream)
    with progress("working") as tell:
        clock[0] = 60
        tell(1, 2)
    assert stream.getvalue() == ""


def test_quick_work_shows_nothing(monkeypatch, clock):
    stream = Terminal()
    monkeypatch.setattr("sys.stderr", stream)
    with progress("working") as tell:
        clock[0] = 0.1
        tell(1, 2)
    assert stream.getvalue() == ""


def test_longer_work_rewrites_one_line_now_and_then_and_clears_it(monkeypatch, clock):
    stream = Terminal()
    monkeypatch.setattr("sys.stderr", stream)
    with progress("working") as tell:
        for at in range(1, 5):
            clock[0] = at * 0.75
            tell(at, 4)
            tell(at, 4)
    written = stream.getvalue()
    assert "\n" not in written
    assert [part.strip() for part in written.split("\r") if part.strip()] == [f"working {at}/4" for at in range(1, 5)]
    assert written.endswith("\r")


def test_the_line_is_taken_away_before_something_else_is_written(monkeypatch, clock):
    stream = Terminal()
    monkeypatch.setattr("sys.stderr", stream)
    with progress("working") as tell:
        clock[0] = 1
        tell(1, 2)
        tell.clear()
        assert stream.getvalue() == "\rworking 1/2\r" + " " * len("working 1/2") + "\r"
        tell.clear()
        clock[0] = 2
        tell(2, 2)
    assert stream.getvalue().count("working") == 2
