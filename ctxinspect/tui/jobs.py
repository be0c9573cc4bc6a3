"""Work that takes longer than a key press, as plain functions: opening a session, summarising it, finding sessions.

They run in a worker thread, touch no widget and report by callbacks or by yielding. The summaries are made on a replay
of their own, so that nothing is shared with the screen.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ctxinspect.errors import UsageError
from ctxinspect.pipeline.plan import Step
from ctxinspect.pipeline.replay import Replay, View
from ctxinspect.readers import load
from ctxinspect.readers.discover import machine_sessions
from ctxinspect.readers.samples import sample_paths
from ctxinspect.settings import parse_override
from ctxinspect.tui.recent import recent_files
from ctxinspect.tui.state import Navigator
from ctxinspect.view.inspection import StepSummary, summarize

__all__ = ["Choice", "choices", "open_navigator", "summaries"]


def open_navigator(
    file: str | Path,
    *,
    at: str | None = None,
    overrides: Sequence[str] = (),
    thread: str | None = None,
    format_name: str | None = None,
    progress: Callable[[int, int], None] | None = None,
    show_secrets: bool = False,
) -> Navigator:
    """Open a session for inspection; `progress` gets done and total bytes. Raises InputError or UsageError, one line."""
    session = load(file, thread=thread, format_name=format_name, progress=progress, show_secrets=show_secrets)
    if not session.turns:
        msg = f"{file}: the session has no turns; there is nothing to step through"
        raise UsageError(msg)
    replay = Replay(session)
    if overrides:
        replay = replay.fork(dict(parse_override(flag) for flag in overrides))
    navigator = Navigator(replay, at)
    if overrides:
        navigator.label = "REPLAY"
    return navigator


def summaries(replay: Replay, view: View, here: int, cancelled: Callable[[], bool]) -> Iterator[StepSummary]:
    """Summaries of all requests, nearest to the step with index `here` first; ends early when cancelled."""
    own = Replay(replay.session)
    for step in _outward(own.steps, here):
        if cancelled():
            return
        yield summarize(own.trace(*step, view=view, ledger=False))


def _outward(steps: Sequence[Step], here: int) -> Iterator[Step]:
    yield from steps[here : here + 1]
    for distance in range(1, len(steps)):
        if here + distance < len(steps):
            yield steps[here + distance]
        if here - distance >= 0:
            yield steps[here - distance]


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


def choices(cancelled: Callable[[], bool]) -> Iterator[Choice]:
    """Recent files, sessions of known tools on this machine (newest first), then the samples."""
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
