"""Spans kept as rows of a database: Phoenix's own, and dumps with a column for every attribute."""

from __future__ import annotations

import ast
import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any

from ctxinspect.readers.container import Recording
from ctxinspect.readers.database import Row, columns_of, opened_database, rows
from ctxinspect.readers.decode import JSONError
from ctxinspect.readers.formats._otel_spans import Span, spans_of
from ctxinspect.readers.wire.parts import Where

__all__ = ["has_spans", "spans_in"]

_LONGEST = 1_000_000
_DOTTED = "attributes."
_TABLES = ("spans", "traces", "span")


def has_spans(recording: Recording, tables: Sequence[str]) -> bool:
    """Whether one of the tables holds spans."""
    if not set(_TABLES) & set(tables):
        return False
    with opened_database(recording.source) as database:
        return any(_is_table(columns_of(database, table)) for table in _TABLES)


def spans_in(recording: Recording) -> Iterator[Span]:
    """The spans of a database, table by table, in the order of its rows."""
    with opened_database(recording.source) as database:
        for table in _TABLES:
            if _is_table(columns_of(database, table)):
                yield from _spans(database, table, recording)


def _is_table(columns: Sequence[str]) -> bool:
    identity = "span_id" in columns or "context.span_id" in columns
    return identity and ("attributes" in columns or any(name.startswith(_DOTTED) for name in columns))


def _spans(database: sqlite3.Connection, table: str, recording: Recording) -> Iterator[Span]:
    for row in rows(database, f"SELECT * FROM {table} ORDER BY rowid"):  # noqa: S608 - one of _TABLES
        identity = row.get("span_id", row.get("context.span_id"))
        value = {
            "context": {"span_id": identity},
            "attributes": _attributes(row, recording),
            **{key: row.get(key) for key in ("name", "parent_id", "start_time", "span_kind")},
        }
        yield from spans_of(value, Where(None, f"{table}/{identity}:$"))


def _attributes(row: Row, recording: Recording) -> dict[str, Any]:
    whole = _value(row.get("attributes"), recording)
    found = dict(whole) if isinstance(whole, dict) else {}
    for key, cell in row.items():
        if key.startswith(_DOTTED) and cell is not None:
            found[key.removeprefix(_DOTTED)] = _value(cell, recording)
    return found


def _value(cell: Any, recording: Recording) -> Any:
    """A cell: JSON where it is a list or an object, else as it stands."""
    if not isinstance(cell, str):
        return cell
    if cell.lstrip()[:1] in ("[", "{"):
        try:
            return recording.reader().read_text(cell)[0][0][0]
        except JSONError:
            return _literal(recording.cleared(cell))
    return recording.cleared(cell)


def _literal(text: str) -> Any:
    """Lists and objects as Python prints them, which dumps of data frames hold; nothing but literals is read."""
    try:
        return ast.literal_eval(text) if len(text) <= _LONGEST else text
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return text
