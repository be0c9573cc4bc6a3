"""A file that is followed while it grows: what was read is not parsed again, and a session is as a fresh load gives it.

Only `load` reads the file; `poll` reads a few kilobytes of it, and all of it only where it was touched and is no longer.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

from ctxinspect.errors import InputError
from ctxinspect.model.session import Session
from ctxinspect.readers.container import ContainerKind, open_recording
from ctxinspect.readers.load import session_in
from ctxinspect.readers.memo import LineMemo
from ctxinspect.readers.watched import Mark, Seen, mark_of

__all__ = ["Change", "Follower"]

Change = Literal["same", "grown", "shrunk", "replaced", "gone"]
"""What became of a file. `grown`: what was read is still there, and there is more. `replaced`: it holds something else."""

_ARCHIVES = ("sqlite", "zip")
_WHOLE = ("json", "json-seq", *_ARCHIVES)
"""Containers that are written anew as a whole."""

_FIRST = 64
"""Bytes at the beginning by which a document that is written anew is known: they hold its identity, and no date yet."""


class Follower:
    """One session file and what was read of it.

    `session` is the last good one: a load that fails leaves it. Keys and tokens are masked as by `load`, unless
    `show_secrets`. Raises InputError for standard input.
    """

    def __init__(
        self, path: str | Path, *, thread: str | None = None, format_name: str | None = None, show_secrets: bool = False
    ) -> None:
        if str(path) == "-":
            raise InputError("standard input cannot be followed", file="-", remedy="name a file")
        self.path = Path(path)
        self.session: Session | None = None
        self._name = str(path)
        self._thread = thread
        self._format_name = format_name
        self._show_secrets = show_secrets
        self._memo = LineMemo()
        self._kind: ContainerKind | None = None
        self._mark: Mark | None = None
        self._seen = Seen()

    @property
    def parsed_lines(self) -> int:
        """Lines that were parsed so far, in all loads together: one that was read before is counted once."""
        return self._memo.parsed

    def load(self, progress: Callable[[int, int], None] | None = None) -> Session:
        """The session as the file stands now; lines that were read before are not parsed again.

        After the file shrank or was replaced nothing of the last reading is used. Raises InputError and UsageError as
        `load` does; the file counts as seen then too, so that `poll` reports its next change.
        """
        change = self.poll()
        if change in ("shrunk", "replaced"):
            self._memo.forget()
        if change in ("shrunk", "replaced") or self._kind in _WHOLE:
            self._seen = Seen()
        self._look()
        recording = open_recording(
            self.path, name=self._name, progress=progress, show_secrets=self._show_secrets, memo=self._memo
        )
        self._kind = recording.kind
        self.session = session_in(recording, self._thread, self._format_name)
        self._memo.forget_unused()
        return self.session

    def poll(self) -> Change:
        """What became of the file since the last load; before the first one a file has grown.

        `gone` is a file that is no more, or that cannot be read. A document or a database is written as a whole: it
        has `grown` where it changed, is no shorter and begins as it did.
        """
        try:
            now = mark_of(self.path)
            if now is None:
                return "gone"
            if self._mark is None:
                return "grown"
            change = self._compared(now, self._mark) if now != self._mark else "same"
        except OSError:
            return "gone"
        if change == "same":
            self._mark = now
        return change

    def _compared(self, now: Mark, before: Mark) -> Change:
        moved = now.place != before.place
        if now.size < self._seen.size:
            return "replaced" if moved else "shrunk"
        with self.path.open("rb") as handle:
            if self._kind in _ARCHIVES:
                return "replaced" if moved and not self._seen.holds(handle) else "grown"
            if self._kind in _WHOLE:
                if now.size == self._seen.size and self._seen.holds(handle):
                    return "same"
                return "grown" if self._seen.begins(handle, _FIRST) else "replaced"
            if not (self._seen.begins(handle) and self._seen.ends(handle)):
                return "replaced"
            # Of another file, or of one that changed without growing, the two ends prove nothing.
            if (moved or now.size == self._seen.size) and not self._seen.holds(handle):
                return "replaced"
        return "grown" if now.size > self._seen.size else "same"

    def _look(self) -> None:
        """Takes the file as it stands as seen. What cannot be read is left for the loading to name."""
        try:
            mark = mark_of(self.path)
            if mark is not None:
                with self.path.open("rb") as handle:
                    self._seen.extend(handle, mark.size)
                self._mark = mark
        except OSError:
            return
