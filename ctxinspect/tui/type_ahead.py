"""Keys in a row: each is done before the next is looked at, so that typing ahead means what it would mean slowly.

The toolkit hands a key to whoever has the keys at that moment, and asks for its binding later. Keys that come together,
as over a slow line, would all go to where the first one was typed: `:42` would open the prompt and go to panel 4.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from textual import events
    from textual.app import App
    from textual.message_pump import MessagePump
    from textual.timer import Timer

__all__ = ["TypeAhead"]

_PATIENCE = 0.5
"""Seconds after which a key counts as done: whoever had it may be gone."""
_AGAIN = 0.01
"""Seconds after which a screen that is not up yet is looked at again."""


class TypeAhead:
    """Holds keys back while one is on its way through the widgets of an app."""

    def __init__(self, app: App[Any], forward: Callable[[events.Key], Awaitable[None]]) -> None:
        self._app = app
        self._forward = forward
        self._held: deque[events.Key] = deque()
        self._way = 0
        """Counts keys sent on; zero waiting means none is on its way."""
        self._busy = False
        self._patience: Timer | None = None

    async def take(self, key: events.Key) -> None:
        """Send a key on, or hold it until the one before is done."""
        if self._busy:
            self._held.append(key)
            return
        self._busy = True
        self._way += 1
        app = self._app
        target = app.focused or app.screen
        await self._forward(key)
        # A key goes from widget to parent to app, each with a queue of its own; a mark goes the same way behind it,
        # and twice through the app's, behind what the key's action asked for (to give the keys to another widget).
        self._patience = app.set_timer(_PATIENCE, self._done_by(self._way))
        self._pass_on([*target.ancestors_with_self, app], self._way)

    def _done_by(self, way: int) -> Callable[[], Awaitable[None]]:
        async def done() -> None:
            await self._done(way)

        return done

    def _pass_on(self, stations: list[MessagePump], way: int) -> None:
        if stations:
            stations[0].call_later(self._pass_on, stations[1:], way)
        else:
            self._app.call_later(self._done, way)

    async def _done(self, way: int) -> None:
        if way != self._way or not self._busy:
            return
        if self._held and not self._app.screen.is_mounted:
            self._app.set_timer(_AGAIN, self._done_by(way))
            return
        if self._patience is not None:
            self._patience.stop()
        self._busy = False
        if self._held:
            await self.take(self._held.popleft())
