"""The prompt: one row, opened by a key, closed by enter or escape; it knows nothing of what is typed.

What was given before comes back with up and down, for each kind of question apart; a completion is shown dim behind the
cursor and taken with the right arrow or tab.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message
from textual.suggester import SuggestFromList
from textual.widgets import Input

from ctxinspect.tui.history import History
from ctxinspect.tui.prompts import Prompt

if TYPE_CHECKING:
    from textual import events

__all__ = ["CommandLine"]


class CommandLine(Input):
    """Hidden until asked for."""

    DEFAULT_CSS = """
    CommandLine, CommandLine:focus {
        height: 1; border: none; padding: 0 1; background: $background; background-tint: $background 0%;
    }
    """

    class Given(Message):
        """Something was typed, or (as an empty text) given up."""

        def __init__(self, prompt: Prompt, text: str) -> None:
            super().__init__()
            self.prompt = prompt
            self.text = text

    class Turned(Message):
        """Tab or ctrl+r was pressed where there is nothing to complete: the question may mean another thing now."""

        def __init__(self, prompt: Prompt, key: str) -> None:
            super().__init__()
            self.prompt = prompt
            self.key = key

    def __init__(self, *, id: str) -> None:  # noqa: A002 - the toolkit's name
        super().__init__(id=id, compact=True, select_on_focus=False)
        self.cursor_blink = False  # nothing is sent while nothing happens
        self.display = False
        self.prompt = Prompt("", "", "")
        self.history = History()
        self._place = 0

    def on_mount(self) -> None:
        """All questions of a run share what was answered."""
        self.history = getattr(self.app, "history", self.history)

    def ask(self, prompt: Prompt, value: str = "") -> None:
        """Open it, with a text to begin with."""
        self.prompt = prompt
        self.placeholder = prompt.hint
        self.suggester = SuggestFromList(prompt.completions, case_sensitive=True) if prompt.completions else None
        self.value = value
        self.cursor_position = len(value)
        self._place = 0 if prompt.options else len(self.history.of(prompt.kind))
        self.display = True
        self.focus()

    def _give(self, text: str) -> None:
        self.display = False
        if text:
            self.history.keep(self.prompt.kind, text)
        self.post_message(self.Given(self.prompt, text))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter gives the text."""
        event.stop()
        self._give(event.value.strip())

    def on_key(self, event: events.Key) -> None:
        """Escape gives up, up and down go through what was given before, tab completes."""
        if event.key == "escape":
            self._give("")
        elif event.key in ("up", "down"):
            self._recall(-1 if event.key == "up" else 1)
        elif event.key == "tab" and self._suggestion:
            self.action_cursor_right()
        elif event.key in ("tab", "ctrl+r"):
            self.post_message(self.Turned(self.prompt, event.key))
        else:
            return
        event.stop()
        event.prevent_default()

    def _recall(self, by: int) -> None:
        kept = self.prompt.options or self.history.of(self.prompt.kind)
        if self.prompt.options:
            by = -by  # the first option is shown; up goes on to wider ones
        self._place = max(0, min(len(kept), self._place + by))
        self.value = kept[self._place] if self._place < len(kept) else ""
        self.cursor_position = len(self.value)
