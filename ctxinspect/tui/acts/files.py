"""The file itself: read again, and followed while it grows. What went wrong is said; the last good state stays.

Lines that were read before are not parsed again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from ctxinspect.errors import CtxInspectError, UsageError
from ctxinspect.readers import Follower
from ctxinspect.tui.renewal import renewed, settle
from ctxinspect.tui.state import Navigator

if TYPE_CHECKING:
    from ctxinspect.tui.screens.inspect import InspectScreen
    from ctxinspect.tui.screens.workbench import Progress

__all__ = ["ACTS", "watch_file"]

_GROWN = "FOLLOW"
"""What a reading is called that nobody asked for."""
_READING = Lock()
"""One reading at a time: one that was given up runs on to its next report."""
_BAD = {
    "shrunk": "the file is shorter than what was read",
    "replaced": "the file holds something else now",
    "gone": "the file is gone",
}


def follower_of(screen: InspectScreen) -> Follower:
    """What reads the file again. Raises UsageError for a session that came through a pipe."""
    opened = screen.navigator.opened
    if not opened.file or opened.file == "-":
        raise UsageError("the session came through a pipe: there is no file to read again")
    if screen.follower is None or screen.follower.path != Path(opened.file):
        show = bool(getattr(screen.app, "show_secrets", False))
        screen.follower = Follower(opened.file, thread=opened.thread, format_name=opened.format_name, show_secrets=show)
    return screen.follower


def _read(screen: InspectScreen, said: str) -> None:
    follower, old = follower_of(screen), screen.navigator
    epoch = old.epoch
    screen.unread = True

    def job(tell: Progress) -> Navigator:
        try:
            with _READING:
                session = follower.load(tell)
            if not session.turns:
                msg = f"{follower.path}: no turns any more; what was read before stays on screen"
                raise UsageError(msg)
        except CtxInspectError:
            screen.unread = False  # it is said, once
            raise
        return renewed(old, session)

    def show(new: Navigator) -> None:
        if screen.navigator is not old or old.epoch != epoch:  # another view or fork since then
            _read(screen, said)
            return
        screen.unread = False
        settle(old, new)
        before, after = len(old.replay.steps), len(new.replay.steps)
        moved = new.position != old.position
        screen.take_over(new)
        grown = f"{after - before:+d} requests" if after != before else "no new request"
        text = f"{said:<6} {grown}, {len(new.replay.session.turns)} turns"
        if moved or said != _GROWN:
            screen.say(text)
        else:  # what the person was told last stays to be read
            screen.desk.note(f"{new.address}  {text}")

    screen.work_out("read", job, show)


def _reload(screen: InspectScreen) -> None:
    _read(screen, "READ")


def _follow(screen: InspectScreen) -> None:
    if screen.following:
        screen.following = False
        screen.draw()
        screen.say("FOLLOW off")
        return
    follower_of(screen)
    screen.following = True
    screen.draw()
    _read(screen, "FOLLOW on; F ends it;")


def watch_file(screen: InspectScreen) -> None:
    """Look whether the followed file has changed; called again and again."""
    if not screen.following or screen.is_working():
        return
    change = follower_of(screen).poll()
    if change == "grown" or (change == "same" and screen.unread):
        _read(screen, _GROWN)
    elif change in _BAD:
        screen.following = False
        screen.draw()
        screen.say(f"FOLLOW off: {_BAD[change]}; what was read stays on screen, R reads it anew")


ACTS: Mapping[str, Callable[[InspectScreen], None]] = {"reload": _reload, "follow": _follow}
"""What each action id does."""
