"""Progress on stderr: one line rewritten in place, only on a terminal, only for work that takes its time.

Nothing of it reaches stdout, a pipe or a file, and it is gone when the work is done.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["Progress", "progress"]

_PATIENCE = 0.7
"""Seconds before anything is shown."""
_EVERY = 0.2
"""Seconds between two rewrites."""


class Progress:
    """Told how much is done of how much; `clear` takes the line away, before anything else is written."""

    def __init__(self, what: str, *, shown: bool) -> None:
        self._what = what
        self._next = time.monotonic() + _PATIENCE if shown else float("inf")
        self._width = 0

    def __call__(self, done: int, total: int, /) -> None:
        """`done` of `total` units are done."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + _EVERY
        text = f"{self._what} {done}/{total}"
        sys.stderr.write(f"\r{text:<{self._width}}")
        sys.stderr.flush()
        self._width = len(text)

    def clear(self) -> None:
        """Take the line away; the next figure writes it again."""
        if self._width:
            sys.stderr.write(f"\r{'':<{self._width}}\r")
            sys.stderr.flush()
            self._width = 0


@contextmanager
def progress(what: str) -> Iterator[Progress]:
    """Show `what done/total` on stderr while the block runs, where stderr is a terminal."""
    line = Progress(what, shown=sys.stderr.isatty())
    try:
        yield line
    finally:
        line.clear()
