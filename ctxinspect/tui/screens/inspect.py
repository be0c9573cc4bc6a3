"""The inspector: one request in nine panels. Keys move the navigator and the desk; the board draws where they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.worker import Worker, WorkerState, get_current_worker

from ctxinspect.errors import CtxInspectError
from ctxinspect.tui.commands import run_command
from ctxinspect.tui.jobs import summaries
from ctxinspect.tui.messages import Indexed
from ctxinspect.tui.screens.board import Board
from ctxinspect.tui.screens.reading import ReadingScreen
from ctxinspect.tui.state import Navigator, view_behind
from ctxinspect.tui.widgets.bindings import bindings_for
from ctxinspect.tui.widgets.command_line import CommandLine
from ctxinspect.tui.widgets.line_list import LineList
from ctxinspect.view.narration import log_line
from ctxinspect.view.panels import PANELS
from ctxinspect.view.table import Cell, Detail

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.binding import BindingType

__all__ = ["InspectScreen"]

_BATCH = 50
"""Summaries that arrive together."""


class InspectScreen(Board):
    """One session, one position, nine panels: what the keys do."""

    BINDINGS: ClassVar[list[BindingType]] = bindings_for("inspect")

    def __init__(self, navigator: Navigator) -> None:
        super().__init__(navigator)
        move, desk = navigator, self.desk
        self._moves: dict[str, Callable[[], str | None]] = {
            "request.next": lambda: move.move_request(1),
            "request.prev": lambda: move.move_request(-1),
            "turn.next": lambda: move.move_turn(1),
            "turn.prev": lambda: move.move_turn(-1),
            "event.next": lambda: move.move_event(1),
            "event.prev": lambda: move.move_event(-1),
            "request.first": lambda: move.move_end(last=False),
            "request.last": lambda: move.move_end(last=True),
            "panel.next": lambda: desk.focus_by(1),
            "panel.prev": lambda: desk.focus_by(-1),
            "zoom": lambda: desk.focus_panel(desk.focus),
            "back": desk.leave_zoom,
            **{f"panel.{spec.number}": lambda n=spec.number: desk.focus_panel(n) for spec in PANELS},  # type: ignore[misc]
        }
        self._others: dict[str, Callable[[], None]] = {
            "view.cycle": self._cycle_view,
            "text": self._open_text,
            "log": lambda: self._read(Detail("LOG", (Cell("\n".join(desk.log) or "no move yet"),))),
            "command": self._ask,
        }

    def on_mount(self) -> None:
        """Start the index; the first size event draws."""
        self.say(self._told())
        self._index()

    @work(thread=True, exclusive=True, exit_on_error=False, group="index")
    def _index(self) -> None:
        worker = get_current_worker()
        navigator = self.navigator
        label, epoch = navigator.label, navigator.epoch
        batch = []
        found = summaries(navigator.replay_of(label), view_behind(label), navigator.index, lambda: worker.is_cancelled)
        for summary in found:
            batch.append(summary)
            if len(batch) >= _BATCH:
                self.post_message(Indexed(epoch, tuple(batch)))
                batch = []
        self.post_message(Indexed(epoch, tuple(batch)))

    def on_indexed(self, message: Indexed) -> None:
        """Summaries have arrived: the strip and the turns show more."""
        if message.epoch == self.navigator.epoch:
            self.navigator.take(message.summaries)
            self.draw_timeline()
            if "panel-1" in self.seen():
                self.panel(1).redraw()

    def action_act(self, action: str) -> None:
        """Do an action of the registry by its id."""
        if action in self._others:
            self._others[action]()
            return
        before = self.navigator.position
        stayed = self._moves[action]()
        self.draw()
        if stayed is not None:
            self.say(stayed)
        elif before != self.navigator.position:
            self.say(self._told())

    def _told(self) -> str:
        inspection = self.navigator.inspection()
        return log_line(inspection.trace)

    def _cycle_view(self) -> None:
        shown = self.navigator.cycle_view()
        if shown is None:
            self.say("STAY   a native session has one view, its REPLAY; :set PATH=VALUE makes a FORK beside it")
            return
        self.changed(f"VIEW   {shown}")

    def changed(self, text: str) -> None:
        """Another view or fork: everything is drawn and indexed again."""
        self.draw()
        self._index()
        self.say(text)

    def _ask(self) -> None:
        self.query_one(CommandLine).ask()
        self.place()

    def _open_text(self) -> None:
        """Everything about the row; in the turns panel, go to that turn."""
        key = self.panel(self.desk.focus).key
        if self.desk.focus == 1 and key is not None and int(key) != self.navigator.position.turn:
            self.navigator.go_to(key)
            self.draw()
            self.say(self._told())
            return
        self._read(self.detail())

    def _read(self, detail: Detail) -> None:
        self.app.push_screen(ReadingScreen(detail))

    def on_command_line_given(self, message: CommandLine.Given) -> None:
        """Run what was typed; what is wrong with it is said in the log row."""
        self.place()
        self.panel(self.desk.focus).focus(scroll_visible=False)
        if not message.text:
            return
        try:
            done = run_command(self.navigator, message.text)
        except CtxInspectError as error:
            self.say(f"ERROR  {error}")
            return
        if done.leave:
            self.app.exit()
        elif done.view_changed:
            self.changed(done.text)
        else:
            self.draw()
            self.say(done.text or self._told())

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Work that failed is said, never lost."""
        if event.state is WorkerState.ERROR:
            self.say(f"ERROR  the index stopped: {type(event.worker.error).__name__}: {event.worker.error}")

    def on_line_list_moved(self, message: LineList.Moved) -> None:
        """Another row: explain it."""
        if message.source.id == f"panel-{self.desk.focus}":
            self.draw_detail()

    def on_line_list_opened(self, message: LineList.Opened) -> None:
        """A double click reads the row in full."""
        message.stop()
        self._open_text()

    def on_descendant_focus(self) -> None:
        """A click into a panel gives it the keys."""
        focused = self.focused
        if isinstance(focused, LineList) and focused.number and int(focused.number) != self.desk.focus:
            self.desk.focus = int(focused.number)
            self.draw()
