"""Which programs the inspector may start: the clipboard's, the pager, the editor, as the user's environment names them.

Nothing a session or a project holds can name a program.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from dataclasses import dataclass

from ctxinspect.errors import UsageError

__all__ = ["Programs", "words_of"]


@dataclass(frozen=True, slots=True)
class Programs:
    """`clipboard` is auto, native, osc52 or file; commands are shell words, null where the usual ones are taken."""

    clipboard: str = "auto"
    clipboard_command: str | None = None
    pager: str | None = None
    editor: str | None = None

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> Programs:
        """By `CTXINSPECT_*`, then by `PAGER`, `VISUAL` and `EDITOR`."""
        return cls(
            environ.get("CTXINSPECT_CLIPBOARD") or "auto",
            environ.get("CTXINSPECT_CLIPBOARD_COMMAND") or None,
            environ.get("CTXINSPECT_PAGER") or environ.get("PAGER") or None,
            environ.get("CTXINSPECT_EDITOR") or environ.get("VISUAL") or environ.get("EDITOR") or None,
        )


def words_of(command: str) -> tuple[str, ...]:
    """A command as its words, as a shell would part them. Raises UsageError where quotes do not match."""
    try:
        words = tuple(shlex.split(command))
    except ValueError as error:
        msg = f"{command!r} is no command: {error}"
        raise UsageError(msg) from None
    if not words:
        msg = f"{command!r} names no program"
        raise UsageError(msg)
    return words
