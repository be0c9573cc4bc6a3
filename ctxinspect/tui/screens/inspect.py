"""The inspector: one request in nine panels. Acts move the navigator and the desk; the board draws where they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.worker import Worker, WorkerState, get_current_worker

from ctxinspect.errors import CtxInspectError
from ctxinspect.tui.acts.registry import ACTS, ANSWERS
from ctxinspect.tui.jobs import summaries
from ctxinspect.tui.messages import Indexed
from ctxinspect.tui.screens.board import Board
from ctxinspect.tui.screens.reading import ReadingScreen
from ctxinspect.tui.state import view_behind
from ctxinspect.tui.widgets.bindings import bindings_for
from ctxinspect.tui.widgets.command_line import CommandLine
from ctxinspect.tui.widgets.line_list import LineList
from ctxinspect.view.decisions import STAGE_PANELS, decision_at
from ctxinspect.view.narration import log_line
from ctxinspect.view.table import Cell, Detail

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.binding import BindingType

    from ctxinspect.tui.prompts import Prompt
    from ctxinspect.tui.state import Navigator

__all__ = ["InspectScreen"]

_BATCH = 50
"""Summaries that arrive together."""


class InspectScreen(Board):
    """One session, one position, nine panels: what the keys do."""

    BINDINGS: ClassVar[list[BindingType]] = bindings_for("inspect")

    def on_mount(self) -> None:
        """Start the index; the first size event draws."""
        self.say(self.told())
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
        try:
            ACTS[action](self)
        except CtxInspectError as error:
            self.say(f"ERROR  {error}")

    def move(self, move: Callable[[Navigator], str | None]) -> None:
        """Move, draw, and say where we are now or why we stayed; a stage brings its panel to the front."""
        navigator = self.navigator
        before = (navigator.position, navigator.stage, navigator.decision)
        stayed = move(navigator)
        staged = (navigator.stage, navigator.decision) != before[1:]
        if staged and navigator.stage is not None:
            self.desk.focus = STAGE_PANELS[navigator.stage]
        self.draw()
        if stayed is not None:
            self.say(stayed)
        elif before != (navigator.position, navigator.stage, navigator.decision):
            self.say(self.told())

    def told(self) -> str:
        """The line of the log for the position: the decision we stand at, else the request."""
        navigator = self.navigator
        trace = navigator.trace(navigator.label)
        if navigator.stage is not None and navigator.decision is not None:
            found = decision_at(trace, navigator.stage, navigator.decision)
            if found is not None:
                return found.text
        return log_line(trace)

    def changed(self, text: str) -> None:
        """Another view or fork: everything is drawn and indexed again."""
        self.draw()
        self._index()
        self.say(text)

    def ask(self, prompt: Prompt, value: str = "") -> None:
        """Open the prompt row with a question; the answer goes to what `ANSWERS` has for its kind."""
        self.row("sign").show([Cell(f" {prompt.sign}", "title")])
        self.query_one(CommandLine).ask(prompt, value)
        self.place()

    def read(self, detail: Detail) -> None:
        """Show a text in a full screen."""
        self.app.push_screen(ReadingScreen(detail))

    def on_command_line_given(self, message: CommandLine.Given) -> None:
        """Act on the answer; what is wrong with it is said in the log row."""
        self.place()
        self.panel(self.desk.focus).focus(scroll_visible=False)
        if not message.text:
            return
        try:
            ANSWERS[message.prompt.kind](self, message.text)
        except CtxInspectError as error:
            self.say(f"ERROR  {error}")

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Work that failed is said, never lost."""
        if event.state is WorkerState.ERROR:
            error = event.worker.error
            said = str(error) if isinstance(error, CtxInspectError) else f"{type(error).__name__}: {error}"
            self.say(f"ERROR  {event.worker.group} stopped: {said}")

    def on_line_list_moved(self, message: LineList.Moved) -> None:
        """Another row: explain it."""
        if message.source.id == f"panel-{self.desk.focus}":
            self.draw_detail()

    def on_line_list_opened(self, message: LineList.Opened) -> None:
        """A double click reads the row in full."""
        message.stop()
        self.action_act("text")

    def on_descendant_focus(self) -> None:
        """A click into a panel gives it the keys."""
        focused = self.focused
        if isinstance(focused, LineList) and focused.number and int(focused.number) != self.desk.focus:
            self.desk.focus = int(focused.number)
            self.draw()
