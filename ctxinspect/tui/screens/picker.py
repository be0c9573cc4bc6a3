"""Choosing a session: recent files, sessions found on this machine, samples; found in the background."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.screen import Screen
from textual.worker import get_current_worker

from ctxinspect.tui.actions import bound_keys, footer_text
from ctxinspect.tui.jobs import Choice, choices
from ctxinspect.tui.messages import Found
from ctxinspect.tui.widgets.bindings import bindings_for
from ctxinspect.tui.widgets.line_list import LineList
from ctxinspect.tui.widgets.row import LineRow
from ctxinspect.view.sessions import sessions_table
from ctxinspect.view.table import Cell

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType

__all__ = ["PickerScreen"]

_BATCH = 50
"""Sessions that arrive together."""


class PickerScreen(Screen[None]):
    """A list of sessions; enter opens the one under the cursor."""

    BINDINGS: ClassVar[list[BindingType]] = bindings_for("picker")
    CSS = """
    PickerScreen LineList { width: 100%; height: 1fr; min-height: 1; }
    PickerScreen LineRow { width: 100%; height: 1; }
    """

    def __init__(self, folder: Path | None = None) -> None:
        super().__init__()
        self._folder = folder
        self.found: list[Choice] = []

    def compose(self) -> ComposeResult:
        """A sentence, the list, a line for what went wrong, the keys."""
        yield LineRow(id="picker-title")
        yield LineList(id="sessions")
        yield LineRow(id="picker-log")
        yield LineRow(id="picker-footer")

    def on_mount(self) -> None:
        """Start the search; the keys go to the list."""
        title = " ctxinspect: see what a model had in its context, and why. Pick a session, or: ctxinspect FILE"
        if self._folder is not None:
            title = f" ctxinspect: pick a session in {self._folder}"
        self.query_one("#picker-title", LineRow).show([Cell(title, "title")])
        self.query_one(LineList).focus()
        self._show(done=False)
        self._search()

    def on_resize(self) -> None:
        """As many keys as fit."""
        self.query_one("#picker-footer", LineRow).show(
            [Cell(footer_text("picker", width=self.size.width, bound=bound_keys(self.app)), "dim")]
        )

    @work(thread=True, exclusive=True, exit_on_error=False, group="search")
    def _search(self) -> None:
        worker = get_current_worker()
        batch: list[Choice] = []
        for choice in choices(lambda: worker.is_cancelled, self._folder):
            batch.append(choice)
            if len(batch) >= _BATCH:
                self.post_message(Found(tuple(batch)))
                batch = []
        self.post_message(Found(tuple(batch), done=True))

    def on_found(self, message: Found) -> None:
        """More rows."""
        self.found += message.choices
        self._show(done=message.done)

    def _show(self, *, done: bool) -> None:
        self.query_one(LineList).show(sessions_table(tuple(self.found), done=done, folder=self._folder))

    def say(self, text: str) -> None:
        """Show one line: what went wrong."""
        self.query_one("#picker-log", LineRow).show([Cell(f" {text}", "error")])

    def on_line_list_opened(self) -> None:
        """A double click opens."""
        self.action_act("pick.open")

    def action_act(self, action: str) -> None:
        """Open the session under the cursor."""
        assert action == "pick.open"
        key = self.query_one(LineList).key
        if key is not None:
            self.app.open_path(key)  # type: ignore[attr-defined]
