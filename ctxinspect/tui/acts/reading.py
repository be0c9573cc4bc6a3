"""How the text about the row is shown: wrapped or in long lines, as it is or with what is hidden escaped; the theme."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ctxinspect.errors import UsageError
from ctxinspect.text.nearest import nearest
from ctxinspect.tui.widgets.text_view import TextView

if TYPE_CHECKING:
    from ctxinspect.tui.screens.inspect import InspectScreen

__all__ = ["ACTS", "COMMANDS"]


def _text(screen: InspectScreen) -> TextView:
    return screen.query_one("#detail", TextView)


def _unseen(screen: InspectScreen) -> str:
    return "" if "detail" in screen.seen() else "; no text is seen at this size, enter opens it"


def _wrap(screen: InspectScreen) -> None:
    text = _text(screen)
    text.turn_wrap()
    how = "long lines wrap" if text.wrap else "long lines go on to the right: < and > go along"
    screen.say(f"TEXT   {how}{_unseen(screen)}")


def _raw(screen: InspectScreen) -> None:
    text = _text(screen)
    text.turn_raw()
    how = "raw: what is hidden is escaped, \\n ends a line" if text.raw else "as it is"
    screen.say(f"TEXT   {how}{_unseen(screen)}")


def _sideways(by: int) -> Callable[[InspectScreen], None]:
    def act(screen: InspectScreen) -> None:
        text = _text(screen)
        if text.wrap:
            screen.say("STAY   long lines wrap; Z leaves them long, then < and > go along")
        else:
            text.go_sideways(by)

    return act


def _theme(screen: InspectScreen, rest: str) -> None:
    """`:theme NAME`; without a name, say which there are."""
    app = screen.app
    names = sorted(app.available_themes, key=lambda name: (not name.startswith("ctx-"), name))
    name = rest.strip()
    if not name:
        screen.say(f"THEME  {app.theme}; there are {', '.join(names)}")
        return
    if name not in names:
        msg = f"theme {name!r}: {nearest(name, names) or 'there are ' + ', '.join(names)}"
        raise UsageError(msg)
    app.theme = name
    screen.say(f"THEME  {name}")


ACTS: Mapping[str, Callable[[InspectScreen], None]] = {
    "text.wrap": _wrap,
    "text.raw": _raw,
    "text.left": _sideways(-1),
    "text.right": _sideways(1),
}
"""What each action id does."""

COMMANDS: Mapping[str, Callable[[InspectScreen, str], None]] = {"theme": _theme}
"""What each word of the command line does, given the rest of the line."""
