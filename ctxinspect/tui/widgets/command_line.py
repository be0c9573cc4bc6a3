"""The command line: one row, opened by a key, closed by enter or escape; it knows nothing of what is typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message
from textual.widgets import Input

if TYPE_CHECKING:
    from textual import events

__all__ = ["CommandLine"]


class CommandLine(Input):
    """Hidden until asked for."""

    DEFAULT_CSS = """
    CommandLine, CommandLine:focus { height: 1; border: none; padding: 0 1; background: $background; }
    """

    class Given(Message):
        """Something was typed, or (as an empty text) given up."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(self, *, id: str) -> None:  # noqa: A002 - the toolkit's name
        super().__init__(id=id, compact=True, placeholder="42 or t42r3 goes there; set PATH=VALUE forks; reset; q")
        self.display = False

    def ask(self) -> None:
        """Open it, empty."""
        self.value = ""
        self.display = True
        self.focus()

    def _give(self, text: str) -> None:
        self.display = False
        self.post_message(self.Given(text))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter gives the text."""
        event.stop()
        self._give(event.value.strip())

    def on_key(self, event: events.Key) -> None:
        """Escape gives up."""
        if event.key == "escape":
            event.stop()
            self._give("")
