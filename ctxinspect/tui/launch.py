"""From a command line to a running app: the session is opened first, so that a bad file is one line and no screen."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from ctxinspect.config import Config, resolve_keys, state_folder
from ctxinspect.errors import UsageError
from ctxinspect.tui import require_terminal
from ctxinspect.tui.actions import ACTIONS
from ctxinspect.tui.app import InspectorApp
from ctxinspect.tui.history import History
from ctxinspect.tui.jobs import open_navigator
from ctxinspect.tui.move_log import mirror_to
from ctxinspect.tui.programs import Programs
from ctxinspect.tui.recent import remember
from ctxinspect.tui.theme import ANSI, no_color

__all__ = ["launch"]

_SLOW = 8_000_000
"""Bytes from which reading is worth a progress line."""
_LONG = 1000
"""Turns from which preparing them is worth a line."""


def launch(
    file: str | None,
    *,
    at: str | None,
    view: str | None,
    overrides: Sequence[str],
    thread: str | None,
    format_name: str | None,
    show_secrets: bool,
    config: Config,
) -> None:
    """Run the app on a file, or on the picker."""
    navigator = None
    folder = Path(file) if file not in (None, "-") and Path(str(file)).is_dir() else None
    if file is not None and folder is None:
        if file == "-" and sys.stdin.isatty():
            raise UsageError("standard input is a terminal; expected a session in a pipe: cat run.jsonl | ctxinspect -")
        source: str | Path = file if file == "-" else Path(file)
        navigator = open_navigator(
            source,
            at=at,
            view=view,
            overrides=overrides,
            thread=thread,
            format_name=format_name,
            progress=_progress(),
            preparing=_preparing,
            show_secrets=show_secrets,
        )
        if file == "-":
            _keyboard_from_terminal()
        else:
            remember(Path(file))
    require_terminal()
    if config.color == "never":
        os.environ["NO_COLOR"] = "1"  # where the toolkit looks for it
    elif config.color == "always" or not os.environ.get("NO_COLOR"):
        os.environ.pop("NO_COLOR", None)  # empty counts as unset; the toolkit would take it as set
    usual = Programs.from_environment()
    programs = Programs(
        config.clipboard, config.clipboard_command, config.pager or usual.pager, config.editor or usual.editor
    )
    theme: str | None = None if config.theme == "auto" else config.theme
    if no_color():
        theme = ANSI.name  # the others paint their background
    app = InspectorApp(
        navigator,
        show_secrets=show_secrets,
        theme=theme,
        programs=programs,
        config=config,
        history=History(config.history_size, state_folder() / "history.json"),
        mirror=mirror_to(Path(config.log)) if config.log else None,
    )
    app.folder = folder
    bound = resolve_keys(ACTIONS, config.keys).keys
    app.set_keymap({action.id: ",".join(bound[action.id]) for action in ACTIONS if bound[action.id] != action.keys})
    app.run(mouse=config.mouse)
    if app.failure is not None:
        raise app.failure


def _keyboard_from_terminal() -> None:
    """Standard input was the session; keys come from the terminal itself."""
    try:
        keyboard = os.open("/dev/tty", os.O_RDONLY)
    except OSError:
        raise UsageError("no terminal to read keys from; use `ctxinspect trace - --turn N`") from None
    os.dup2(keyboard, 0)
    os.close(keyboard)


def _preparing(turns: int) -> None:
    """What takes its time in a long session is said; the screen that follows covers the line."""
    if turns > _LONG and sys.stderr.isatty():
        sys.stderr.write(f"\rpreparing {turns} turns ")
        sys.stderr.flush()


def _progress() -> Callable[[int, int], None] | None:
    """Progress of a slow read, on stderr: a line that is rewritten."""
    if not sys.stderr.isatty():
        return None
    shown = -1

    def report(done: int, total: int) -> None:
        nonlocal shown
        percent = 100 * done // total if total else 100
        if total > _SLOW and percent != shown:
            shown = percent
            sys.stderr.write(f"\rreading {percent} %" + ("\r           \r" if percent >= 100 else ""))
            sys.stderr.flush()

    return report
