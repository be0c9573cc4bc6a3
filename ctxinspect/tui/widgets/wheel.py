"""The mouse wheel: three rows at a time, without the toolkit's own scrolling beside it."""

from __future__ import annotations

from textual import events

__all__ = ["Wheel"]

_ROWS = 3


class Wheel:
    """For widgets that scroll by rows themselves."""

    def scroll_rows(self, by: int) -> None:
        """Look at rows further down (or up, below 0)."""
        raise NotImplementedError

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Three rows down."""
        self._turn(event, _ROWS)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Three rows up."""
        self._turn(event, -_ROWS)

    def _turn(self, event: events.MouseEvent, by: int) -> None:
        event.stop()
        event.prevent_default()
        self.scroll_rows(by)
