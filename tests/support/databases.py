"""Small SQLite files for tests: tables from a script, and what a reader must leave as it was."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

__all__ = ["folder_state", "write_database"]


def write_database(path: Path, tables: Mapping[str, Iterable[Mapping[str, Any]]]) -> Path:
    """A database with these tables; columns are those of the first row."""
    connection = sqlite3.connect(path)
    with connection:
        for table, found in tables.items():
            rows = list(found)
            columns = ", ".join(f'"{name}"' for name in rows[0])
            connection.execute(f'CREATE TABLE "{table}" ({columns})')
            marks = ", ".join("?" * len(rows[0]))
            connection.executemany(f'INSERT INTO "{table}" VALUES ({marks})', [tuple(row.values()) for row in rows])
    connection.close()
    return path


def folder_state(folder: Path) -> dict[str, tuple[str, int]]:
    """Digest and time of change of every file in a folder."""
    return {
        file.name: (hashlib.sha256(file.read_bytes()).hexdigest(), file.stat().st_mtime_ns)
        for file in sorted(folder.iterdir())
        if file.is_file()
    }
