"""A menu for keys of two strokes: one line a choice at the bottom of the screen, each with its key.

The key of a choice takes it, or up, down and enter, or a click; escape and q take none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from textual.screen import ModalScreen
from textual.strip import Strip
from textual.widget import Widget

from ctxinspect.text.clip import fit
from ctxinspect.text.sanitize import one_line
from ctxinspect.tui.widgets.paint import REVERSE, paint, styles_of
from ctxinspect.view.table import Cell

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult

__all__ = ["Choice", "Choices", "MenuScreen"]

_LABEL = 26
"""Cells of a choice's label, where there is something behind it."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One line: its key (one character), what it does, and what would be taken where that is short."""

    key: str
    label: str
    note: str = ""


class Choices(Widget, can_focus=True):
    """The lines of a menu; the first is its title."""

    def __init__(self, title: str, choices: Sequence[Choice], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.title = title
        self.choices = tuple(choices)
        self.cursor = 0

    def move(self, by: int) -> None:
        """Move the cursor, round and round."""
        self.cursor = (self.cursor + by) % len(self.choices)
        self.refresh()

    @property
    def top(self) -> int:
        """The first choice that is seen, where not all are."""
        return max(0, self.cursor - max(1, self.size.height - 1) + 1)

    def render_line(self, y: int) -> Strip:
        """The title, then the choices."""
        width, styles = self.size.width, styles_of(self)
        if y == 0 and self.size.height > 1:
            hint = "key, or up/down enter; esc: none"
            return paint(
                [Cell(fit(f" {self.title}", max(0, width - len(hint) - 1)), "title"), Cell(hint, "dim")], width, styles
            )
        at = y - (1 if self.size.height > 1 else 0) + self.top
        if at >= len(self.choices):
            return paint([], width, styles)
        choice = self.choices[at]
        label = fit(choice.label, _LABEL) if choice.note else choice.label
        sign = ">" if at == self.cursor else " "
        line = [
            Cell(f"{sign} "),
            Cell(choice.key, "highlight"),
            Cell(f"  {label}  "),
            Cell(one_line(choice.note), "dim"),
        ]
        return paint(line, width, styles, REVERSE if at == self.cursor else None)


class MenuScreen(ModalScreen[str]):
    """Gives the key of the choice that was taken, an empty text where none was."""

    CSS = """
    MenuScreen { background: transparent; align: left bottom; }
    MenuScreen Choices { width: 100%; max-height: 100%; background: $background; }
    """

    def __init__(self, title: str, choices: Sequence[Choice]) -> None:
        super().__init__()
        self._title = title
        self._choices = tuple(choices)

    def compose(self) -> ComposeResult:
        """The lines."""
        widget = Choices(self._title, self._choices)
        widget.styles.height = len(self._choices) + 1
        yield widget

    def on_mount(self) -> None:
        """The keys go to the menu."""
        self.query_one(Choices).focus()

    def on_key(self, event: events.Key) -> None:
        """A choice's key, a movement, or none."""
        choices = self.query_one(Choices)
        if event.character is not None and any(event.character == choice.key for choice in self._choices):
            self.dismiss(event.character)
        elif event.key in ("up", "down"):
            choices.move(-1 if event.key == "up" else 1)
        elif event.key == "enter":
            self.dismiss(self._choices[choices.cursor].key)
        elif event.key in ("escape", "q"):
            self.dismiss("")
        elif event.key in ("ctrl+q", "ctrl+c"):
            return
        event.stop()
        event.prevent_default()

    def on_click(self, event: events.Click) -> None:
        """A click takes the choice under it; beside the menu it takes none."""
        choices = self.query_one(Choices)
        row = event.screen_y - choices.region.y - 1 + choices.top
        inside = choices.region.contains(event.screen_x, event.screen_y)
        if inside and 0 <= row < len(self._choices):
            self.dismiss(self._choices[row].key)
        elif not inside:
            self.dismiss("")
