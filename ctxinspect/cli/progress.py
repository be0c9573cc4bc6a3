"""Progress on stderr: one line rewritten in place, only on a terminal, only for work that takes its time.

Nothing of it reaches stdout, a pipe or a file, and it is gone when the work is done.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

__all__ = ["Progress", "progress"]

_PATIENCE = 0.7
"""Seconds before anything is shown."""
_EVERY = 0.2
"""Seconds between two rewrites."""


class Progress(Protocol):
    """Told how much is done of how much."""

    def __call__(self, done: int, total: int, /) -> None:
        """`done` of `total` units are done."""


@contextmanager
def progress(what: str) -> Iterator[Progress]:
    """Show `what done/total` on stderr while the block runs, where stderr is a terminal."""
    if not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    next_at = time.monotonic() + _PATIENCE
    shown = 0

    def tell(done: int, total: int, /) -> None:
        nonlocal next_at, shown
        now = time.monotonic()
        if now < next_at:
            return
        next_at = now + _EVERY
        text = f"{what} {done}/{total}"
        sys.stderr.write(f"\r{text:<{shown}}")
        sys.stderr.flush()
        shown = len(text)

    try:
        yield tell
    finally:
        if shown:
            sys.stderr.write(f"\r{'':<{shown}}\r")
            sys.stderr.flush()
