"""RECORDED, REPLAY and FORK: which one is shown; what-if knobs; dropping what is under the cursor."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ctxinspect.errors import UsageError
from ctxinspect.tui.screens.whatif import WhatIfScreen
from ctxinspect.view.knobs import Knobs, flags_of, turned
from ctxinspect.view.proposals import droppable_item

if TYPE_CHECKING:
    from ctxinspect.tui.screens.inspect import InspectScreen

__all__ = ["ACTS"]


def _cycle(screen: InspectScreen) -> None:
    shown = screen.navigator.cycle_view()
    if shown is None:
        screen.say("STAY   a native session has one view, its REPLAY; w or :set PATH=VALUE makes a FORK beside it")
        return
    screen.changed(f"VIEW   {shown}")


def _forked(screen: InspectScreen) -> None:
    flags = screen.navigator.fork_flags
    screen.changed(f"FORK   --set {' --set '.join(flags)}" if flags else "RESET  no fork: everything is as recorded")


def _whatif(screen: InspectScreen) -> None:
    """Turn knobs; coming back shows the fork, if there is one."""
    made = WhatIfScreen(screen.navigator)

    def back(_: object) -> None:
        if made.flags_before != screen.navigator.fork_flags:
            _forked(screen)
        else:
            screen.draw()

    screen.app.push_screen(made, back)


def _drop(screen: InspectScreen) -> None:
    """Fork without what is under the cursor; again: with it."""
    navigator = screen.navigator
    item = droppable_item(navigator.inspection(), screen.desk.focus, screen.panel(screen.desk.focus).key)
    if item is None:
        raise UsageError("nothing here can be dropped: a component, a turn, or a call or result of a page can")
    knobs = Knobs(navigator.replay.settings, navigator.replay_of("FORK").settings, (item,))
    knob = knobs.find(f"item:{item}")
    assert knob is not None
    navigator.set_forks(flags_of(knobs.recorded, turned(knobs, knob, "in" if knob.value == "dropped" else "dropped")))
    _forked(screen)


ACTS: Mapping[str, Callable[[InspectScreen], None]] = {"view.cycle": _cycle, "whatif": _whatif, "drop": _drop}
"""What each action id does."""
