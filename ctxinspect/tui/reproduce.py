"""The command line that shows a view again, and the parts of it: pure texts, quoted for a shell."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ctxinspect.view.inspection import ViewLabel

__all__ = ["Opened", "knob_flags", "shell_command"]


@dataclass(frozen=True, slots=True)
class Opened:
    """How the session was opened: file (`-` is standard input, empty where unknown), `--set` flags, thread, format."""

    file: str = ""
    overrides: tuple[str, ...] = ()
    thread: str | None = None
    format_name: str | None = None


def knob_flags(flags: Sequence[str]) -> str:
    """`--set PATH=VALUE` for each edited setting; where one is edited twice, the last counts and stands."""
    last = {flag.partition("=")[0]: flag for flag in flags}
    return " ".join(f"--set {shlex.quote(flag)}" for flag in last.values())


def shell_command(opened: Opened, address: str, label: ViewLabel, fork_flags: Sequence[str]) -> str:
    """The command that opens this file at this address under these settings.

    Views that no flag asks for are named in a comment behind the command: the key `a` goes to them.
    """
    words = ["ctxinspect", shlex.quote(opened.file or "FILE")]
    if opened.file.startswith("-") and opened.file != "-":
        words[1] = shlex.quote(f"./{opened.file}")
    words += ["--at", shlex.quote(address)]
    words += ["--from", shlex.quote(opened.format_name)] if opened.format_name else []
    words += ["--thread", shlex.quote(opened.thread)] if opened.thread else []
    flags = (*opened.overrides, *(fork_flags if label == "FORK" else ()))
    words += [knob_flags(flags)] if flags else []
    return " ".join(words)
