"""From a command line to a running app: the session is opened first, so that a bad file is one line and no screen."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from ctxinspect.errors import UsageError
from ctxinspect.pipeline.replay import Replay
from ctxinspect.readers import load
from ctxinspect.settings import parse_override
from ctxinspect.tui import require_terminal
from ctxinspect.tui.app import InspectorApp
from ctxinspect.tui.recent import remember
from ctxinspect.tui.state import Navigator

__all__ = ["launch", "open_navigator"]


def open_navigator(
    file: str | Path,
    *,
    at: str | None = None,
    overrides: Sequence[str] = (),
    thread: str | None = None,
    format_name: str | None = None,
) -> Navigator:
    """Open a session for inspection. Raises InputError or UsageError, one line each."""
    session = load(file, thread=thread, format_name=format_name, progress=_progress())
    if not session.turns and not session.recorded:
        msg = f"{file}: the session has no turns; nothing to step through"
        raise UsageError(msg)
    replay = Replay(session)
    if overrides:
        replay = replay.fork(dict(parse_override(flag) for flag in overrides))
    navigator = Navigator(replay, at)
    if overrides and navigator.shown == "recorded":
        navigator.shown = "replay"
    return navigator


def launch(
    file: str | None,
    *,
    at: str | None,
    overrides: Sequence[str],
    thread: str | None,
    format_name: str | None,
    mouse: bool,
) -> None:
    """Run the app on a file, or on the picker."""
    navigator = None
    if file is not None:
        source: str | Path = file if file == "-" else Path(file)
        if file == "-" and sys.stdin.isatty():
            msg = "standard input is a terminal; expected a session in a pipe, for example: cat run.jsonl | ctxinspect -"
            raise UsageError(msg)
        navigator = open_navigator(source, at=at, overrides=overrides, thread=thread, format_name=format_name)
        if file == "-":
            _keyboard_from_terminal()
        else:
            remember(Path(file))
    require_terminal()
    InspectorApp(navigator, file=file).run(mouse=mouse)


def _keyboard_from_terminal() -> None:
    """Standard input was the session; keys come from the terminal itself."""
    try:
        os.dup2(os.open("/dev/tty", os.O_RDONLY), 0)
    except OSError:
        msg = "no terminal to read keys from; use `ctxinspect trace - --turn N`"
        raise UsageError(msg) from None


def _progress():  # type: ignore[no-untyped-def]  # noqa: ANN202
    """Progress of a slow read, on stderr: a line that is rewritten."""
    if not sys.stderr.isatty():
        return None
    shown = {"percent": -1}

    def report(done: int, total: int) -> None:
        percent = 100 * done // total if total else 100
        if total > 8_000_000 and percent != shown["percent"]:
            shown["percent"] = percent
            sys.stderr.write(f"\rreading {percent} %" + ("\r           \r" if percent >= 100 else ""))
            sys.stderr.flush()

    return report
