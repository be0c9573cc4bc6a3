"""Copying: which ways there are, in which order, is a pure function of facts; what is said never claims too much.

The user's own command comes first, then the machine's clipboard where it is the person's own, tmux, the terminal
(OSC 52), and a file, which always works. A way that fails is passed over.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from platformdirs import user_state_path

from ctxinspect.errors import UsageError
from ctxinspect.tui.files import write_private
from ctxinspect.tui.programs import Programs, words_of
from ctxinspect.view.sessions import size_text

__all__ = ["OSC52_LIMIT", "Facts", "Kind", "Route", "copy", "facts_here", "routes"]

Kind: TypeAlias = Literal["command", "native", "tmux", "osc52", "file"]
OSC52_LIMIT = 74_994
"""Base64 bytes that terminals are known to take in one OSC 52 sequence (the default of k9s)."""
_PATIENCE = 3.0
"""Seconds a program may take to accept a text."""
_NATIVE: tuple[tuple[str, tuple[str, ...], str], ...] = (
    ("pbcopy", (), ""),
    ("wl-copy", (), "WAYLAND_DISPLAY"),
    ("xclip", ("-selection", "clipboard"), "DISPLAY"),
    ("xsel", ("--clipboard", "--input"), "DISPLAY"),
    ("clip.exe", (), ""),
)
"""Programs that reach the clipboard of this machine: name, arguments, the variable that must be set."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What decides how text is copied; `native` are the commands that work here, `remote` means over ssh."""

    clipboard: str = "auto"
    command: tuple[str, ...] = ()
    native: tuple[tuple[str, ...], ...] = ()
    remote: bool = False
    tmux: bool = False


@dataclass(frozen=True, slots=True)
class Route:
    """One way to copy, with the command that reads the text where it is one."""

    kind: Kind
    command: tuple[str, ...] = ()


def facts_here(
    programs: Programs, environ: Mapping[str, str] = os.environ, which: Callable[[str], str | None] = shutil.which
) -> Facts:
    """The facts of this machine. Raises UsageError for an unknown way or a command that is none."""
    ways = ("auto", "native", "osc52", "file")
    if programs.clipboard not in ways:
        msg = f"clipboard {programs.clipboard!r} is no way to copy; expected {', '.join(ways)}"
        raise UsageError(msg)
    native = tuple(
        (name, *arguments)
        for name, arguments, needs in _NATIVE
        if (not needs or environ.get(needs)) and which(name) is not None
    )
    return Facts(
        programs.clipboard,
        words_of(programs.clipboard_command) if programs.clipboard_command else (),
        native,
        remote=any(environ.get(name) for name in ("SSH_CONNECTION", "SSH_TTY", "SSH_CLIENT")),
        tmux=bool(environ.get("TMUX")) and which("tmux") is not None,
    )


def routes(facts: Facts, size: int) -> tuple[Route, ...]:
    """The ways to copy `size` bytes, best first; the last one is a file, and always works."""
    found: list[Route] = []
    auto = facts.clipboard == "auto"
    if facts.command:
        found.append(Route("command", facts.command))
    if facts.clipboard == "native" or (auto and not facts.remote):
        found += [Route("native", command) for command in facts.native]
    if auto and facts.tmux:
        found.append(Route("tmux", ("tmux", "load-buffer", "-w", "-")))
    if (auto or facts.clipboard == "osc52") and -(-size // 3) * 4 <= OSC52_LIMIT:
        found.append(Route("osc52"))
    return (*found, Route("file"))


def copy(
    text: str,
    facts: Facts,
    to_terminal: Callable[[str], None],
    *,
    run: Callable[[tuple[str, ...], bytes], bool] | None = None,
    folder: Path | None = None,
) -> str:
    """Copy by the first way that works, and say what was done with how many bytes.

    `to_terminal` sends a text as OSC 52; `run` gives bytes to a command and says whether it took them.
    """
    data = text.encode("utf-8", errors="backslashreplace")
    size = size_text(len(data))
    give = run or _give
    for route in routes(facts, len(data)):
        name = route.command[0] if route.command else ""
        if route.kind == "osc52":
            to_terminal(data.decode("utf-8"))
            return f"sent {size} to the terminal (OSC 52)"
        if route.kind == "file":
            return _to_file(data, size, folder)
        sent = text.encode("utf-16", errors="backslashreplace") if name == "clip.exe" else data
        if give(route.command, sent):
            return f"gave {size} to tmux (load-buffer -w)" if route.kind == "tmux" else f"gave {size} to {name}"
    raise AssertionError("the last way is a file")


def _give(command: tuple[str, ...], data: bytes) -> bool:
    # Clipboard programs stay behind as owners of the selection: their outputs must not be waited for.
    try:
        done = subprocess.run(  # noqa: S603 - the user's own programs, no shell
            command,
            input=data,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=_PATIENCE,
            check=False,
            start_new_session=sys.platform != "win32",
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return done.returncode == 0


def _to_file(data: bytes, size: str, folder: Path | None) -> str:
    place = folder or user_state_path("ctxinspect", appauthor=False) / "copies"
    path = place / time.strftime("copy-%Y%m%d-%H%M%S.txt")
    try:
        written = write_private(path, data)
    except OSError as error:
        return f"copied nothing: no clipboard, and {path}: {error.strerror or error}"
    return f"wrote {size} to {written}"
