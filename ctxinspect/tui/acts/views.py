"""RECORDED, REPLAY and FORK: which one is shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ctxinspect.tui.screens.inspect import InspectScreen

__all__ = ["ACTS"]


def _cycle(screen: InspectScreen) -> None:
    shown = screen.navigator.cycle_view()
    if shown is None:
        screen.say("STAY   a native session has one view, its REPLAY; :set PATH=VALUE makes a FORK beside it")
        return
    screen.changed(f"VIEW   {shown}")


ACTS: Mapping[str, Callable[[InspectScreen], None]] = {"view.cycle": _cycle}
"""What each action id does."""
