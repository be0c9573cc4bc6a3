"""Steps: to another request, turn, event, stage or decision; marks and what rows are marked against."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ctxinspect.tui import stepping
from ctxinspect.tui.state import SINCE, Navigator

if TYPE_CHECKING:
    from ctxinspect.tui.screens.inspect import InspectScreen

__all__ = ["ACTS"]


def _move(move: Callable[[Navigator], str | None]) -> Callable[[InspectScreen], None]:
    def act(screen: InspectScreen) -> None:
        screen.move(move)

    return act


def _out(screen: InspectScreen) -> None:
    """Out of the decision, then the stage; with neither, out of the zoom."""
    if screen.navigator.stage is None and screen.desk.zoom:
        screen.desk.zoom = False
        screen.draw()
        return
    screen.move(stepping.step_out)


def _mark(screen: InspectScreen) -> None:
    text = stepping.set_mark(screen.navigator)
    screen.draw()
    screen.say(text)


def _since(screen: InspectScreen) -> None:
    navigator = screen.navigator
    modes = [mode for mode in SINCE if mode != "mark" or navigator.mark is not None]
    navigator.since = modes[(modes.index(navigator.since) + 1) % len(modes)] if navigator.since in modes else "turn"
    screen.draw()
    screen.say(f"SINCE  rows are marked against the {screen.since_text()}")


ACTS: Mapping[str, Callable[[InspectScreen], None]] = {
    "request.next": _move(lambda at: stepping.move_request(at, 1)),
    "request.prev": _move(lambda at: stepping.move_request(at, -1)),
    "turn.next": _move(lambda at: stepping.move_turn(at, 1)),
    "turn.prev": _move(lambda at: stepping.move_turn(at, -1)),
    "event.next": _move(lambda at: stepping.move_event(at, 1)),
    "event.prev": _move(lambda at: stepping.move_event(at, -1)),
    "request.first": _move(lambda at: stepping.move_end(at, last=False)),
    "request.last": _move(lambda at: stepping.move_end(at, last=True)),
    "step.next": _move(lambda at: stepping.move_step(at, 1)),
    "step.prev": _move(lambda at: stepping.move_step(at, -1)),
    "level.in": _move(stepping.step_in),
    "level.out": _out,
    "mark": _mark,
    "mark.back": _move(stepping.go_back_to_mark),
    "since": _since,
}
"""What each action id does."""
