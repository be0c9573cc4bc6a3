"""The picker's table: sessions that can be opened, with kind, age and size."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from ctxinspect.view.table import Cell, Column, LazyRows, Row, Table

__all__ = ["COLUMNS", "Pickable", "sessions_table", "size_text"]

COLUMNS = (
    Column("kind", 11),
    Column("changed (UTC)", 16, shown_from=70),
    Column("size", 8, align=">", shown_from=50),
    Column("session", 20, grow=1),
)


class Pickable(Protocol):
    """What a row of the picker is made of."""

    @property
    def path(self) -> Path:
        """Where the file is."""

    @property
    def kind(self) -> str:
        """What kind of find it is."""

    @property
    def title(self) -> str:
        """Its first words, empty where they were not read."""

    @property
    def changed(self) -> dt.datetime | None:
        """When it last changed."""

    @property
    def size(self) -> int:
        """Its size in bytes."""


def size_text(size: int) -> str:
    """Bytes for people: `812 B`, `1.4 MB`."""
    value, unit = float(size), "B"
    for bigger in ("kB", "MB", "GB"):
        if value < 1000:
            break
        value, unit = value / 1000, bigger
    return f"{value:.0f} {unit}" if unit == "B" else f"{value:.1f} {unit}"


def sessions_table(sessions: Sequence[Pickable], *, done: bool, folder: Path | None = None) -> Table:
    """One row a session, keyed by its path; those of `folder` by their place in it."""

    def build(at: int) -> Row:
        item = sessions[at]
        changed = item.changed.strftime("%Y-%m-%d %H:%M") if item.changed else "-"
        kind = Cell(item.kind, "highlight" if item.kind in ("recent", "sample") else "text")
        place = item.path.relative_to(folder).as_posix() if folder is not None else item.path.name
        name = f"{item.title}  ({place})" if item.title else place
        return Row(str(item.path), (kind, Cell(changed), Cell(size_text(item.size)), Cell(name)))

    summary = f"{len(sessions)}" if done else f"{len(sessions)}+, searching"
    place = f"in {folder}" if folder is not None else "on this machine"
    empty = f"No session found {place}; give a file: ctxinspect FILE" if done else "Searching for sessions."
    return Table("SESSIONS", summary, COLUMNS, LazyRows(len(sessions), build), empty)
