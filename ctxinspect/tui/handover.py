"""Lending the terminal to a pager or an editor, and taking it back; a text they show can steer neither them nor it."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from textual.app import SuspendNotSupported

from ctxinspect.errors import UsageError
from ctxinspect.text.sanitize import sanitize_lines
from ctxinspect.tui.programs import Programs, words_of

if TYPE_CHECKING:
    from textual.app import App

__all__ = ["command_of", "hand_over"]

_USUAL = {"pager": ("less", "more"), "editor": ("vi", "nano", "notepad")}
"""Programs that are tried in this order where the user has named none."""


def command_of(kind: str, programs: Programs) -> tuple[str, ...]:
    """The words of the `pager` or the `editor`. Raises UsageError where there is none."""
    named = programs.pager if kind == "pager" else programs.editor
    if named:
        words = words_of(named)
        if shutil.which(words[0]) is None:
            msg = f"the {kind} {words[0]!r} is not to be found"
            raise UsageError(msg)
        return words
    found = next((name for name in _USUAL[kind] if shutil.which(name)), None)
    if found is None:
        names = "PAGER" if kind == "pager" else "VISUAL or EDITOR"
        msg = f"no {kind} here; set {names}"
        raise UsageError(msg)
    return (found,)


def hand_over(app: App[Any], kind: str, text: str, programs: Programs) -> str:
    """Show a text in the pager or the editor, and wait; gives the line to say.

    Raises UsageError where there is no program, or no terminal to lend.
    """
    command = command_of(kind, programs)
    with tempfile.TemporaryDirectory(prefix="ctxinspect-") as folder:
        path = Path(folder) / "text.txt"
        path.write_bytes(sanitize_lines(text).encode("utf-8", errors="backslashreplace") + b"\n")
        try:
            with app.suspend():
                code = _run((*command, str(path)))
        except SuspendNotSupported:
            msg = f"the {kind} needs a terminal of its own, which cannot be lent here"
            raise UsageError(msg) from None
    if isinstance(code, str):
        msg = f"the {kind} {command[0]!r} did not start: {code}"
        raise UsageError(msg)
    end = "" if code == 0 else f", which ended with {code}"
    return f"BACK   from {command[0]}{end}; the text was a copy"


def _run(command: tuple[str, ...]) -> int | str:
    """Wait for a program on the terminal: its exit code, or why it did not start; nothing is raised while lent.

    ctrl+c is the program's, not ours. Our screen is drawn on standard error, and standard output may be a pipe.
    """

    def leave(_number: int, _frame: FrameType | None) -> None:
        """A function of ours and not SIG_IGN, so that the program starts with the usual answer to it."""

    before = signal.signal(signal.SIGINT, leave)
    try:
        out = None if os.isatty(1) else 2
        return subprocess.run(command, stdout=out, check=False).returncode  # noqa: S603 - the user's own program
    except OSError as error:
        return error.strerror or str(error)
    finally:
        signal.signal(signal.SIGINT, before)
