"""Prose goes to a terminal in its width, and to a pipe as it is."""

from __future__ import annotations

import io

import pytest

from ctxinspect.cli.stdio import columns, emit_prose

PROSE = "  recall     turn 4 shares no anchor with the query"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def written(stream: io.StringIO, lines: list[str], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the stream gets in 40 cells."""
    monkeypatch.setattr("sys.stdout", stream)
    monkeypatch.setenv("COLUMNS", "40")
    emit_prose(lines)
    return stream.getvalue().splitlines()


def test_a_terminal_gets_prose_in_its_width_indented_behind_the_labels(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = written(Terminal(), [PROSE], monkeypatch)
    assert rows == ["  recall     turn 4 shares no anchor", "             with the query"]
    assert columns() == 40


def test_rows_of_a_table_are_not_torn(monkeypatch: pytest.MonkeyPatch) -> None:
    assert written(Terminal(), [f"| {PROSE} |"], monkeypatch) == [f"| {PROSE} |"]


def test_a_pipe_gets_every_line_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    assert written(io.StringIO(), [PROSE], monkeypatch) == [PROSE]
    assert columns() is None
