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


def shell_command(
    opened: Opened, address: str, label: ViewLabel, fork_flags: Sequence[str], *, foreign: bool = False
) -> str:
    """The command that opens this file at this address, in this view, under these settings.

    A fork is opened as a replay under its settings, which is the same. A foreign session opens as RECORDED, and as
    REPLAY where settings are given; any other view has to be asked for.
    """
    words = ["ctxinspect", shlex.quote(opened.file or "FILE")]
    if opened.file.startswith("-") and opened.file != "-":
        words[1] = shlex.quote(f"./{opened.file}")
    words += ["--at", shlex.quote(address)]
    words += ["--from", shlex.quote(opened.format_name)] if opened.format_name else []
    words += ["--thread", shlex.quote(opened.thread)] if opened.thread else []
    flags = (*opened.overrides, *(fork_flags if label == "FORK" else ()))
    words += [knob_flags(flags)] if flags else []
    usual = "RECORDED" if foreign and not flags else "REPLAY"
    shown = "REPLAY" if label == "FORK" else label
    words += ["--view", shown.lower()] if shown != usual else []
    return " ".join(words)
