"""A widget that says itself what has to be drawn: what a step sends to the terminal is what it changed.

The toolkit would draw it whole when it gets the keys, and twice when its size changes.
"""

from __future__ import annotations

from textual import events
from textual.geometry import Size
from textual.widget import Widget

__all__ = ["Quiet"]


class Quiet(Widget):
    """Nothing in it is arranged, so another size needs no second arrangement; focus draws what `watch_has_focus` says."""

    ALLOW_SELECT = False
    """A drag of the mouse selects nothing in it; `TextView` has text to select."""

    def _size_updated(self, size: Size, virtual_size: Size, container_size: Size, layout: bool = True) -> bool:  # noqa: FBT001, FBT002 - the toolkit's signature
        del layout
        return super()._size_updated(size, virtual_size, container_size, layout=False)

    def _on_focus(self, event: events.Focus) -> None:
        event.prevent_default()
        self.has_focus = True
        if self.parent is not None:
            self.parent.post_message(events.DescendantFocus(self))

    def _on_blur(self, event: events.Blur) -> None:
        event.prevent_default()
        self.has_focus = False
        if self.parent is not None:
            self.parent.post_message(events.DescendantBlur(self))
