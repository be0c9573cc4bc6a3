"""What if: every setting as a knob, the request shown recomputed at once, the session from here outward beside it.

The recording is never written; leaving keeps the fork, and `R` before leaving drops it.
"""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar

from textual import work
from textual.worker import Worker, WorkerState, get_current_worker

from ctxinspect.errors import CtxInspectError
from ctxinspect.pipeline.compare import compare_steps
from ctxinspect.pipeline.effects import Effect, effects, first_turn_affected
from ctxinspect.pipeline.replay import Replay
from ctxinspect.settings import parse_override
from ctxinspect.tui.actions import bound_keys, footer_text
from ctxinspect.tui.messages import Worked
from ctxinspect.tui.prompts import Prompt
from ctxinspect.tui.scout import outward
from ctxinspect.tui.screens.diff import DiffScreen
from ctxinspect.tui.screens.knob_board import KnobBoard, KnobList
from ctxinspect.tui.widgets.bindings import bindings_for
from ctxinspect.tui.widgets.command_line import CommandLine
from ctxinspect.tui.widgets.row import LineRow
from ctxinspect.view.knobs import Knob, flags_of, nudged, turned, typed
from ctxinspect.view.table import Cell

if TYPE_CHECKING:
    from textual.binding import BindingType

    from ctxinspect.settings import Settings
    from ctxinspect.tui.state import Navigator

__all__ = ["WhatIfScreen"]

_PAUSE = 0.2
"""Seconds between two reports of the session's effects."""


class WhatIfScreen(KnobBoard):
    """The knobs, and what the keys do with them."""

    BINDINGS: ClassVar[list[BindingType]] = bindings_for("knobs")

    def __init__(self, navigator: Navigator) -> None:
        super().__init__(navigator)
        self.flags_before = navigator.fork_flags
        self._run = 0

    def on_mount(self) -> None:
        """The keys go to the knobs."""
        self.query_one(KnobList).focus()
        self.call_after_refresh(self.draw)
        self._start()

    def on_resize(self) -> None:
        """As many keys as fit."""
        self.query_one("#whatif-footer", LineRow).show(
            [Cell(footer_text("knobs", width=self.size.width, bound=bound_keys(self.app)), "dim")]
        )

    # --- turning ---

    def _turn(self, knob: Knob, value: Any) -> None:
        knobs = self.knobs
        try:
            self._fork(turned(knobs, knob, value))
        except CtxInspectError as error:
            self.say(f"{error}; allowed: {knob.allowed or 'any'}", "error")

    def _fork(self, settings: Settings) -> None:
        flags = flags_of(self.navigator.replay.settings, settings)
        self.navigator.set_forks(flags)
        self.say("--set " + " --set ".join(flags) if flags else "no fork: everything is as recorded")
        self.found = []
        self.draw()
        self._start()

    def action_act(self, action: str) -> None:
        """Turn the knob under the cursor, reset, ask for a value, compare, or close."""
        knob = self.knob()
        if action == "knob.close":
            self.dismiss()
        elif action == "knob.reset-all":
            self._fork(self.navigator.replay.settings)
        elif action == "knob.diff":
            self._diff()
        elif knob is None:
            return
        elif action == "knob.reset":
            self._turn(knob, knob.recorded)
        elif action == "knob.value":
            prompt = Prompt("value", f"{knob.key}", knob.allowed or "a value", options=tuple(map(str, knob.choices)))
            self.query_one(CommandLine).ask(prompt, "" if knob.value is None else str(knob.value))
        else:
            by = {"knob.less": -1, "knob.more": 1, "knob.less10": -10, "knob.more10": 10}[action]
            try:
                self._turn(knob, nudged(knob, by))
            except CtxInspectError as error:
                self.say(str(error), "error")

    def _diff(self) -> None:
        navigator = self.navigator
        if navigator.forked is None:
            self.say("nothing is edited, so there is nothing to compare", "error")
            return
        found = compare_steps(navigator.replay, navigator.position, navigator.forked, navigator.position)
        self.app.push_screen(DiffScreen(f"DIFF {navigator.address} REPLAY -> FORK", found))

    def on_command_line_given(self, message: CommandLine.Given) -> None:
        """A value was typed for the knob."""
        self.query_one(KnobList).focus()
        knob = self.knob()
        if knob is None or not message.text:
            return
        try:
            value = typed(knob, message.text)
        except CtxInspectError as error:
            self.say(str(error), "error")
            return
        self._turn(knob, value)

    def on_line_list_moved(self) -> None:
        """Another knob: explain it."""
        self.draw_detail()

    def on_line_list_opened(self) -> None:
        """A double click asks for a value."""
        self.action_act("knob.value")

    # --- the session, beside ---

    def _start(self) -> None:
        self._run += 1
        if self.navigator.forked is not None:
            self._work(self._run)

    @work(thread=True, exclusive=True, exit_on_error=False, group="effects")
    def _work(self, run: int) -> None:
        """The effect on every request that can change, from here outward, on replays of its own."""
        worker = get_current_worker()
        navigator = self.navigator
        own = Replay(navigator.replay.session)
        forked = own.fork(dict(parse_override(flag) for flag in navigator.fork_flags))
        first = first_turn_affected(own, forked)
        if first is None:
            return
        steps = [step for step in outward(own.steps, navigator.index) if step.turn >= first]
        batch: list[Effect] = []
        said = monotonic()
        for effect in effects(own, forked, steps):
            if worker.is_cancelled:
                return
            batch.append(effect)
            if monotonic() - said > _PAUSE:
                self.post_message(Worked(run, tuple(batch)))
                batch, said = [], monotonic()
        self.post_message(Worked(run, tuple(batch)))

    def on_worked(self, message: Worked) -> None:
        """More of the session is known."""
        if message.run == self._run:
            self.found += message.effects
            self.draw_lines()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Work that failed is said, never lost."""
        if event.state is WorkerState.ERROR:
            self.say(
                f"the session's effects stopped: {type(event.worker.error).__name__}: {event.worker.error}", "error"
            )
