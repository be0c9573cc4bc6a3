"""The picker: recent files, sessions found on this machine (newest first), samples. Found ones stream in."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from textual import work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.worker import get_current_worker

from ctxinspect.errors import CtxInspectError
from ctxinspect.readers.discover import machine_sessions
from ctxinspect.readers.samples import sample_paths
from ctxinspect.tui.recent import recent_files, remember
from ctxinspect.tui.widgets.bars import Bar
from ctxinspect.tui.widgets.table_view import TableView
from ctxinspect.view.table import Cell, Column, Row, Table

__all__ = ["PickerScreen"]

_COLUMNS = (Column("from", 12), Column("changed", 16), Column("size", 9, align=">"), Column("session", 20, grow=1))


@dataclass(frozen=True, slots=True)
class Choice:
    """A file that can be opened."""

    path: Path
    origin: str
    changed: str = ""
    size: str = ""


class PickerScreen(Screen[None]):
    """Choose a session."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j,down", "move(1)", "down"),
        Binding("k,up", "move(-1)", "up"),
        Binding("space,pagedown,ctrl+d", "move(20)", "page down"),
        Binding("b,pageup,ctrl+u", "move(-20)", "page up"),
        Binding("g,home", "move(-1000000)", "top"),
        Binding("G,end", "move(1000000)", "bottom"),
        Binding("enter", "open", "open"),
        Binding("q,escape", "leave", "quit"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.choices: list[Choice] = []

    def compose(self) -> ComposeResult:
        """One table, one line above, one below."""
        yield Bar("header", reverse=True)
        yield TableView("picker", 1)
        yield Bar("log")
        yield Bar("keys")

    def on_mount(self) -> None:
        """Samples and recent files at once; the machine's sessions as they are found."""
        self.query_one("#header", Bar).show([Cell(" ctxinspect: see what an LLM had in its context, and why", "title")])
        self.query_one("#keys", Bar).show([Cell(" enter open  j k move  q quit     or: ctxinspect FILE", "dim")])
        self.choices = [Choice(path, "recent") for path in recent_files()]
        self.choices += [Choice(path, "sample") for path in sample_paths().values()]
        self.show()
        self.query_one(TableView).focus()
        self.find_sessions()

    def show(self) -> None:
        """Show the choices."""
        rows = tuple(
            Row(
                str(choice.path),
                (
                    Cell(choice.origin, "accent" if choice.origin == "sample" else "highlight"),
                    Cell(choice.changed),
                    Cell(choice.size),
                    Cell(str(choice.path)),
                ),
            )
            for choice in self.choices
        )
        table = Table("sessions", f"{len(rows)} found", _COLUMNS, rows, "No sessions found: ctxinspect FILE opens one.")
        self.query_one(TableView).show(table)

    @work(thread=True, exclusive=True, exit_on_error=False, group="find")
    def find_sessions(self) -> None:
        """Sessions of known tools on this machine, newest first."""
        worker = get_current_worker()
        batch: list[Choice] = []
        for found in machine_sessions():
            if worker.is_cancelled:
                return
            size = f"{found.size / 1e6:.1f} MB" if found.size >= 100_000 else f"{found.size / 1e3:.0f} kB"  # noqa: PLR2004
            batch.append(Choice(found.path, found.format, _changed(found.mtime), size))
            if len(batch) >= 100:  # noqa: PLR2004 - a batch a redraw
                self.app.call_from_thread(self.add, batch)
                batch = []
        self.app.call_from_thread(self.add, batch)

    def add(self, found: list[Choice]) -> None:
        """More choices, behind the recent files and before the samples."""
        samples = [choice for choice in self.choices if choice.origin == "sample"]
        others = [choice for choice in self.choices if choice.origin != "sample"]
        self.choices = [*others, *found, *samples]
        self.show()

    def action_move(self, by: int) -> None:
        """Move the cursor."""
        self.query_one(TableView).move(by)

    def on_table_view_opened(self) -> None:
        """A click on the chosen row."""
        self.action_open()

    def action_open(self) -> None:
        """Open the chosen session; what is wrong with it is one line here."""
        from ctxinspect.tui.launch import open_navigator  # noqa: PLC0415 - launch imports the app

        key = self.query_one(TableView).selected_key
        if key is None:
            return
        try:
            navigator = open_navigator(Path(key))
        except CtxInspectError as error:
            self.query_one("#log", Bar).show([Cell(f" {error}", "error")])
            return
        remember(Path(key))
        self.app.inspect(navigator, key)  # type: ignore[attr-defined]

    def action_leave(self) -> None:
        """Leave the program."""
        self.app.exit()


def _changed(mtime: float) -> str:
    import datetime  # noqa: PLC0415

    return datetime.datetime.fromtimestamp(mtime).astimezone().strftime("%Y-%m-%d %H:%M")
