"""The log of all moves, mirrored to a file: one harmless line a move, there at once for whoever follows it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from pathlib import Path

from ctxinspect.errors import UsageError
from ctxinspect.text.sanitize import one_line

__all__ = ["mirror_to"]


def mirror_to(path: Path) -> Callable[[str], None]:
    """What writes lines to the end of a file. Raises UsageError where that cannot be done.

    What cannot be written later on is left out: a full disk must not end the inspector.
    """
    try:
        path.open("a").close()
    except OSError as error:
        msg = f"--log {path}: {error.strerror or error}"
        raise UsageError(msg) from error

    def write(line: str) -> None:
        with contextlib.suppress(OSError), path.open("a", encoding="utf-8", errors="backslashreplace") as stream:
            stream.write(one_line(line) + "\n")

    return write
