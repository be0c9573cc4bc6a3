"""The breakpoints of a recording: set, switched, deleted; kept in a file of the user's state folder.

The file is named by what the recording is called and how it begins, so that a recording that grows keeps its own.
Losing the file is never an error; a file that cannot be read is left alone and told.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from pathlib import Path

from platformdirs import user_state_path

from ctxinspect.errors import InputError
from ctxinspect.pipeline.breakpoints import Breakpoints, dump_breakpoints, load_breakpoints
from ctxinspect.pipeline.hit_index import HitIndex, Place
from ctxinspect.view.inspection import BreakRow

__all__ = ["break_rows", "breaks_file", "saved_breaks", "write_breaks"]

_HEAD = 4096
"""Bytes of a recording that name its file."""


def breaks_file(recording: Path) -> Path | None:
    """Where the breakpoints of a recording are kept; null where the recording cannot be read."""
    try:
        with recording.open("rb") as stream:
            head = stream.read(_HEAD)
    except OSError:
        return None
    name = hashlib.sha256(recording.name.encode("utf-8", "surrogateescape") + b"\0" + head).hexdigest()[:20]
    return user_state_path("ctxinspect", appauthor=False) / "breaks" / f"{name}.toml"


def saved_breaks(file: Path | None) -> tuple[Breakpoints, str]:
    """What is kept in the file, and a line that says what is wrong with it (empty: nothing)."""
    if file is None or not file.is_file():
        return Breakpoints(), ""
    try:
        return load_breakpoints(file), ""
    except (InputError, OSError) as error:
        return Breakpoints(), f"the saved breakpoints are not used: {error}"


def write_breaks(file: Path, breaks: Breakpoints) -> None:
    """Write them, whole or not at all; none left: the file goes. Raises OSError."""
    if not len(breaks):
        with contextlib.suppress(FileNotFoundError):
            file.unlink()
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    draft = file.with_suffix(f".{os.getpid()}.tmp")
    draft.write_text(dump_breakpoints(breaks), "utf-8")
    draft.replace(file)


def break_rows(breaks: Breakpoints, index: HitIndex, place: Place) -> tuple[BreakRow, ...]:
    """The breakpoints as the panel shows them at a place; one holds here where it holds in this request or stage."""
    rows = []
    for item in breaks:
        hits = index.hits(item.expression)
        depth = 4 if place[3] >= 0 else 3 if place[2] else 2
        here = any(hit.place[:depth] == place[:depth] for hit in hits)
        count = index.count_text(item.expression)
        rows.append(BreakRow(item.id, item.enabled, item.expression, item.ignore, item.once, count, here))
    return tuple(rows)
