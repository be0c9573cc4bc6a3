"""Work beside the screen: looking ahead, going on to a stop, answers that take a while. One of each at a time.

Threads report by messages; what is no longer wanted ends at its next report. Work that failed is said, never lost.
"""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from textual import work
from textual.worker import Worker, WorkerState, get_current_worker

from ctxinspect.errors import CtxInspectError
from ctxinspect.tui.messages import Indexed, Sought
from ctxinspect.tui.screens.board import Board
from ctxinspect.tui.widgets.command_line import CommandLine

if TYPE_CHECKING:
    from collections.abc import Callable

    from ctxinspect.pipeline.hit_index import Direction, Place

__all__ = ["Progress", "Workbench"]

_BATCH = 50
"""Summaries that arrive together."""
_PAUSE = 0.2
"""Seconds between two reports of work in the background."""

T = TypeVar("T")
Progress: TypeAlias = "Callable[[int, int], None]"


class GivenUp(Exception):  # noqa: N818 - no error: a wish
    """The person no longer waits for this piece of work."""


class Workbench(Board):
    """The board, with workers beside it."""

    @work(thread=True, exclusive=True, exit_on_error=False, group="index")
    def look_ahead(self) -> None:
        """Look at every request not looked at yet, from here outward: summaries, hits of breakpoints."""
        worker = get_current_worker()
        navigator = self.navigator
        epoch, batch, said = navigator.epoch, [], monotonic()
        for summary in navigator.scout.look(navigator.index, lambda: worker.is_cancelled):
            batch += [summary] if summary else []
            if len(batch) >= _BATCH or monotonic() - said > _PAUSE:
                self.post_message(Indexed(epoch, tuple(batch)))
                batch, said = [], monotonic()
        if not worker.is_cancelled:
            self.post_message(Indexed(epoch, tuple(batch)))

    @work(thread=True, exclusive=True, exit_on_error=False, group="run")
    def seek(self, place: Place, direction: Direction) -> None:
        """Look for the next stop; escape gives up, what was looked at is kept."""
        worker = get_current_worker()
        navigator = self.navigator
        epoch, done, said = navigator.epoch, 0, monotonic()
        search = navigator.scout.seek(place, direction, navigator.breaks.items)
        while not worker.is_cancelled:
            try:
                next(search)
            except StopIteration as end:
                self.post_message(Sought(epoch, direction, done, over=True, found=end.value))
                return
            done += 1
            if monotonic() - said > _PAUSE:
                self.post_message(Sought(epoch, direction, done, over=False))
                said = monotonic()

    @work(thread=True, exclusive=True, exit_on_error=False, group="answer")
    def work_out(self, name: str, job: Callable[[Progress], T], show: Callable[[T], None]) -> None:
        """Do a longer piece of work, tell how far it is, show its result; escape gives up, another one replaces it."""
        worker = get_current_worker()
        said = monotonic()

        def tell(done: int, total: int) -> None:
            nonlocal said
            if worker.is_cancelled:
                raise GivenUp
            if monotonic() - said > _PAUSE:
                said = monotonic()
                self.app.call_from_thread(self.say, f"{name.upper():<6} {done}/{total}; esc gives up")

        try:
            result = job(tell)
        except GivenUp:
            return
        except CtxInspectError as error:
            self.app.call_from_thread(self.say, f"ERROR  {error}")
            return
        if not worker.is_cancelled:
            self.app.call_from_thread(show, result)

    def on_indexed(self, message: Indexed) -> None:
        """More requests are looked at: the strip, the turns and the breakpoints show more."""
        if message.epoch == self.navigator.epoch:
            self.navigator.take(message.summaries)
            self.draw_timeline()
            if "panel-1" in self.seen():
                self.panel(1).redraw()
            if self.navigator.breaks.items:
                self.draw()

    def stop_running(self) -> bool:
        """Give up what is worked on for an answer, if anything is."""
        running = [worker for worker in self.workers if worker.group in ("run", "answer") and worker.is_running]
        for worker in running:
            worker.cancel()
            self.say("STAY   given up")
        return bool(running)

    def is_working(self) -> bool:
        """Whether an answer is worked on, or a prompt is open: no time to change what is shown."""
        return self.query_one(CommandLine).display or any(
            worker.group in ("run", "answer") and worker.is_running for worker in self.workers
        )

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Work that failed is said, never lost."""
        if event.state is WorkerState.ERROR:
            error = event.worker.error
            said = str(error) if isinstance(error, CtxInspectError) else f"{type(error).__name__}: {error}"
            self.say(f"ERROR  {event.worker.group} stopped: {said}")
