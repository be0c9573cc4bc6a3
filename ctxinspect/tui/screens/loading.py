"""While a session is read: its name and how far the reading is, in words."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.screen import Screen

from ctxinspect.tui.widgets.row import LineRow
from ctxinspect.view.table import Cell

__all__ = ["LoadingScreen"]


class LoadingScreen(Screen[None]):
    """One line."""

    CSS = "LoadingScreen LineRow { width: 100%; height: 1; }"

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = "standard input" if name == "-" else name

    def compose(self) -> ComposeResult:
        """The line."""
        yield LineRow(id="loading")

    def on_mount(self) -> None:
        """Before the first progress report."""
        self.query_one(LineRow).show([Cell(f" reading {self._name}")])

    def say(self, percent: int) -> None:
        """Show how much is read."""
        self.query_one(LineRow).show([Cell(f" reading {percent} % of {self._name}")])

    def prepare(self, turns: int) -> None:
        """All is read; the first request is worked out."""
        self.query_one(LineRow).show([Cell(f" preparing {turns} turns of {self._name}")])
