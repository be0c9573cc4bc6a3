"""Databases are read without a trace and without a lock, whatever state they are in."""

from __future__ import annotations

import gzip
import sqlite3
import tempfile
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxinspect.errors import CtxInspectError, InputError
from ctxinspect.readers import load, load_bytes, sniff
from ctxinspect.readers.database import columns_of, database_tables, opened_database, rows
from ctxinspect.readers.unpack import ByteSource
from tests.readers.formats.test_llm_logs import NEW
from tests.support.databases import folder_state, write_database


def _source(path: Path) -> ByteSource:
    return ByteSource(None, path, str(path))


def test_reading_changes_nothing_and_leaves_nothing_beside_the_file(tmp_path: Path) -> None:
    file = write_database(tmp_path / "a.db", {"thing": [{"id": 1, "text": "one"}]})
    before = folder_state(tmp_path)
    with opened_database(_source(file)) as database:
        assert list(rows(database, "SELECT * FROM thing")) == [{"id": 1, "text": "one"}]
        assert columns_of(database, "thing") == ("id", "text")
        assert columns_of(database, "nothing") == ()
    assert database_tables(_source(file)) == ("thing",)
    assert folder_state(tmp_path) == before


def test_no_statement_can_write(tmp_path: Path) -> None:
    file = write_database(tmp_path / "a.db", {"thing": [{"id": 1}]})
    with pytest.raises(InputError, match="cannot be read"), opened_database(_source(file)) as database:
        database.execute("DELETE FROM thing")


def test_a_writer_is_not_locked_out_and_does_not_lock_out(tmp_path: Path) -> None:
    file = write_database(tmp_path / "a.db", {"thing": [{"id": 1}]})
    writer = sqlite3.connect(file, timeout=0, isolation_level=None)
    writer.execute("BEGIN EXCLUSIVE")
    with opened_database(_source(file)) as database:
        assert len(list(rows(database, "SELECT * FROM thing"))) == 1
        writer.execute("INSERT INTO thing VALUES (2)")
        writer.execute("COMMIT")
    writer.close()


def test_what_still_stands_in_the_write_ahead_log_is_read_from_a_copy(tmp_path: Path) -> None:
    file = write_database(tmp_path / "a.db", {"thing": [{"id": 1}]})
    writer = sqlite3.connect(file, isolation_level=None)
    writer.execute("PRAGMA journal_mode = WAL")
    writer.execute("PRAGMA wal_autocheckpoint = 0")
    writer.execute("INSERT INTO thing VALUES (2)")
    before = folder_state(tmp_path)
    with opened_database(_source(file)) as database:
        assert [row["id"] for row in rows(database, "SELECT id FROM thing ORDER BY id")] == [1, 2]
    assert folder_state(tmp_path) == before
    writer.close()


def test_a_packed_database_and_one_from_a_pipe_are_read_from_a_copy(tmp_path: Path) -> None:
    data = write_database(tmp_path / "a.db", {"thing": [{"id": 7}]}).read_bytes()
    packed = tmp_path / "a.db.gz"
    packed.write_bytes(gzip.compress(data))
    for source in (_source(packed), ByteSource(data, None, "-")):
        assert database_tables(source) == ("thing",)


def test_a_damaged_database_is_one_line(tmp_path: Path) -> None:
    data = bytearray(
        write_database(tmp_path / "a.db", {"_llm_migrations": [{"id": 1}], "turns": [{"id": 1}]}).read_bytes()
    )
    data[100:] = b"\xff" * (len(data) - 100)
    with pytest.raises(InputError) as caught:
        load_bytes(bytes(data), name="a.db")
    assert "\n" not in str(caught.value)


def test_text_that_is_no_utf_8_is_read_with_replacements(tmp_path: Path) -> None:
    file = tmp_path / "a.db"
    connection = sqlite3.connect(file)
    connection.execute("CREATE TABLE thing (id, text)")
    connection.execute("INSERT INTO thing VALUES (1, CAST(X'61FF62' AS TEXT))")
    connection.commit()
    connection.close()
    with opened_database(_source(file)) as database:
        assert next(rows(database, "SELECT text FROM thing"))["text"] == "a\ufffdb"


def test_an_unknown_database_says_which_tables_it_has(tmp_path: Path) -> None:
    file = write_database(tmp_path / "a.db", {"spans": [{"id": 1}], "traces": [{"id": 1}]})
    assert sniff(file) == []
    with pytest.raises(InputError, match="an SQLite database with the tables spans, traces"):
        load(file)


@given(st.lists(st.tuples(st.integers(100, 8191), st.integers(0, 255)), min_size=1, max_size=40))
def test_whatever_is_damaged_the_outcome_is_a_session_or_one_line(changes: list[tuple[int, int]]) -> None:
    data = bytearray(_whole())
    for place, value in changes:
        data[place % len(data)] = value
    said = "a session"
    try:
        load_bytes(bytes(data), name="a.db")
    except CtxInspectError as error:
        said = str(error)
    assert "\n" not in said


@cache
def _whole() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        return write_database(Path(folder) / "a.db", NEW).read_bytes()
