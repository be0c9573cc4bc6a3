"""Work that takes longer than a key press, as plain functions: opening a session, finding sessions.

They run in a worker thread, touch no widget and report by callbacks or by yielding.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ctxinspect.errors import UsageError
from ctxinspect.pipeline.replay import Replay
from ctxinspect.readers import load
from ctxinspect.readers.discover import machine_sessions
from ctxinspect.readers.folder import list_sessions
from ctxinspect.readers.samples import sample_paths
from ctxinspect.settings import parse_override
from ctxinspect.tui.recent import recent_files
from ctxinspect.tui.reproduce import Opened
from ctxinspect.tui.state import Navigator
from ctxinspect.tui.stops import breaks_file, saved_breaks

__all__ = ["Choice", "choices", "open_navigator"]


def open_navigator(
    file: str | Path,
    *,
    at: str | None = None,
    view: str | None = None,
    overrides: Sequence[str] = (),
    thread: str | None = None,
    format_name: str | None = None,
    progress: Callable[[int, int], None] | None = None,
    show_secrets: bool = False,
    preparing: Callable[[int], None] | None = None,
) -> Navigator:
    """Open a session for inspection. Raises InputError or UsageError, one line.

    `progress` gets done and total bytes; `preparing` the number of turns, once they are read and before the first
    request is worked out, which takes a while in a session of thousands.
    """
    session = load(file, thread=thread, format_name=format_name, progress=progress, show_secrets=show_secrets)
    if not session.turns:
        msg = f"{file}: the session has no turns; there is nothing to step through"
        raise UsageError(msg)
    replay = Replay(session)
    if overrides:
        replay = replay.fork(dict(parse_override(flag) for flag in overrides))
    navigator = Navigator(replay)
    navigator.opened = Opened(str(file), tuple(overrides), thread, format_name)
    if view == "recorded" and not session.foreign:
        raise UsageError("--view recorded: a native session has no recording; its replay is the only view")
    if view is not None or overrides:
        navigator.label = "RECORDED" if view == "recorded" else "REPLAY"
    if at is not None:
        navigator.go_to(at)  # under the view that is shown: a number means one of its decisions
    if file != "-":
        navigator.breaks_file = breaks_file(Path(file))
        navigator.breaks, navigator.notice = saved_breaks(navigator.breaks_file)
    if preparing is not None:
        preparing(len(session.turns))
    navigator.inspection()  # what cannot be worked out is an error here, not a broken screen
    return navigator


@dataclass(frozen=True, slots=True)
class Choice:
    """A session that can be picked: its file, what kind of find it is, its first words, when it changed, its bytes."""

    path: Path
    kind: str
    title: str
    changed: dt.datetime | None
    size: int


def _choice(path: Path, kind: str) -> Choice | None:
    try:
        stat = path.stat()
    except OSError:
        return None
    return Choice(path, kind, "", _when(stat.st_mtime), stat.st_size)


def _when(mtime: float) -> dt.datetime:
    return dt.datetime.fromtimestamp(mtime, dt.UTC)


def choices(cancelled: Callable[[], bool], folder: Path | None = None) -> Iterator[Choice]:
    """Recent files, sessions of known tools on this machine (newest first), then the samples; or those in a folder."""
    if folder is not None:
        for session in list_sessions(folder):
            if cancelled():
                return
            yield Choice(session.path, session.format, session.title, _when(session.mtime), session.size)
        return
    for path in recent_files():
        if found := _choice(path, "recent"):
            yield found
    for session in machine_sessions():
        if cancelled():
            return
        yield Choice(session.path, session.format, session.title or "", _when(session.mtime), session.size)
    for path in sample_paths().values():
        if found := _choice(path, "sample"):
            yield found
