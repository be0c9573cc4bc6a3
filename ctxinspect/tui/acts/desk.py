"""The desk: which panel has the keys, the zoom, reading a row in full, the log, the command line."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ctxinspect.tui import stepping
from ctxinspect.tui.acts.typed import COMMAND
from ctxinspect.view.marks import GONE
from ctxinspect.view.panels import PANELS
from ctxinspect.view.table import Cell, Detail

if TYPE_CHECKING:
    from ctxinspect.tui.screens.inspect import InspectScreen

__all__ = ["ACTS"]


def _panel(number: int) -> Callable[[InspectScreen], None]:
    def act(screen: InspectScreen) -> None:
        screen.desk.focus_panel(number)
        screen.draw()
        screen.say_focus()

    return act


def _panel_by(by: int) -> Callable[[InspectScreen], None]:
    def act(screen: InspectScreen) -> None:
        screen.desk.focus_by(by)
        screen.draw()
        screen.say_focus()

    return act


def _zoom(screen: InspectScreen) -> None:
    screen.desk.focus_panel(screen.desk.focus)
    screen.draw()
    screen.say_focus()


def _text(screen: InspectScreen) -> None:
    """Everything about the row; in the turns panel, go to that turn."""
    key = screen.panel(screen.desk.focus).key
    here = screen.navigator.position.turn
    if screen.desk.focus == 1 and key is not None and not key.startswith(GONE) and int(key) != here:
        screen.move(lambda navigator: stepping.move_turn(navigator, int(key) - here))
        return
    screen.read(screen.detail())


def _log(screen: InspectScreen) -> None:
    screen.read(Detail("LOG", (Cell("\n".join(screen.desk.log) or "no move yet"),)))


ACTS: Mapping[str, Callable[[InspectScreen], None]] = {
    **{f"panel.{spec.number}": _panel(spec.number) for spec in PANELS},
    "panel.next": _panel_by(1),
    "panel.prev": _panel_by(-1),
    "zoom": _zoom,
    "text": _text,
    "log": _log,
    "command": lambda screen: screen.ask(COMMAND),
}
"""What each action id does."""
