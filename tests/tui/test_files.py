"""Files are whole or not there, and none is written over unless that was asked for."""

from __future__ import annotations

import pytest

from ctxinspect.errors import UsageError
from ctxinspect.tui.files import write_new, write_private


def test_a_new_file_is_written_and_nothing_else_is_left(tmp_path):
    write_new(tmp_path / "a.txt", b"one")
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("a.txt", b"one")]


def test_a_file_that_is_there_stays_as_it_is(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"mine")
    with pytest.raises(UsageError, match="is there already; give another name"):
        write_new(tmp_path / "a.txt", b"other")
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("a.txt", b"mine")]


def test_it_is_written_over_where_that_is_asked_for(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"old")
    write_new(tmp_path / "a.txt", b"new", replace=True)
    assert (tmp_path / "a.txt").read_bytes() == b"new"


def test_a_folder_that_is_not_there_is_an_os_error(tmp_path):
    with pytest.raises(OSError, match="No such file"):
        write_new(tmp_path / "no" / "a.txt", b"x")


def test_a_private_file_gets_the_next_free_name(tmp_path):
    first = write_private(tmp_path / "in" / "a.txt", b"1")
    second = write_private(tmp_path / "in" / "a.txt", b"2")
    assert (first.name, second.name) == ("a.txt", "a-1.txt")
    assert first.stat().st_mode & 0o077 == 0
