"""SQLite files, read without a trace: nothing is written beside them, no lock is taken, no statement can change them.

A database with changes still in its write-ahead log is copied with that log first. Tables only: a view is never asked,
and what a file says of itself (its schema) is trusted with nothing.
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ctxinspect.errors import InputError
from ctxinspect.readers.unpack import ByteSource

__all__ = ["Row", "columns_of", "database_tables", "opened_database", "rows"]

Row = dict[str, Any]
_STEPS = 50_000_000
"""Steps of SQLite's machine that one statement may take; a made-up schema cannot keep us for ever."""


@contextmanager
def opened_database(source: ByteSource) -> Iterator[sqlite3.Connection]:
    """A connection that can only read. Raises InputError where the file is damaged or no longer a database."""
    with tempfile.TemporaryDirectory(prefix="ctxinspect-") as folder:
        try:
            connection = sqlite3.connect(_address(source, Path(folder)), uri=True)
        except (sqlite3.Error, OSError) as error:
            raise _damaged(source, error) from error
        try:
            connection.text_factory = lambda data: data.decode("utf-8", errors="replace")
            connection.row_factory = sqlite3.Row
            connection.set_progress_handler(lambda: 1, _STEPS)
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("PRAGMA query_only = ON")
            yield connection
        except (
            sqlite3.Error,
            OverflowError,
            UnicodeDecodeError,
        ) as error:  # the last: a message of SQLite that is damaged
            raise _damaged(source, error) from error
        finally:
            connection.close()


def database_tables(source: ByteSource) -> tuple[str, ...]:
    """Names of the tables, sorted; empty where the file cannot be read."""
    try:
        with opened_database(source) as connection:
            found = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall()
            return tuple(str(row[0]) for row in found)
    except InputError:
        return ()


def columns_of(connection: sqlite3.Connection, table: str) -> tuple[str, ...]:
    """Names of the columns of a table, in order; empty where there is no such table."""
    return tuple(str(row["name"]) for row in connection.execute("SELECT name FROM pragma_table_info(?)", [table]))


def rows(connection: sqlite3.Connection, statement: str, values: Sequence[Any] = ()) -> Iterator[Row]:
    """The rows of a statement, by column name."""
    for row in connection.execute(statement, values):
        yield dict(row)


def _address(source: ByteSource, folder: Path) -> str:
    """The file itself where it is whole, a copy where it is packed or its newest changes stand in a log beside it."""
    path = source.path
    if path is None or source.packing != "plain":
        copy = folder / "copy.db"
        copy.write_bytes(source.read())
        return f"{copy.as_uri()}?mode=ro&immutable=1"
    log = path.with_name(f"{path.name}-wal")
    if not (log.is_file() and log.stat().st_size):
        return f"{path.resolve().as_uri()}?mode=ro&immutable=1"
    copy = folder / "copy.db"
    shutil.copyfile(path, copy)
    shutil.copyfile(log, copy.with_name("copy.db-wal"))
    return f"{copy.as_uri()}?mode=rw"


def _damaged(source: ByteSource, error: Exception) -> InputError:
    return InputError(f"the database cannot be read ({error})", file=source.name, remedy="is the file whole?")
