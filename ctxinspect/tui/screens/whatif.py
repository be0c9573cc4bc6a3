"""What if: every setting as a knob, the request shown recomputed at once, the session from here outward beside it.

The recording is never written; leaving keeps the fork, and `R` before leaving drops it.
"""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar

from textual import work
from textual.screen import Screen
from textual.worker import Worker, WorkerState, get_current_worker

from ctxinspect.errors import CtxInspectError
from ctxinspect.pipeline.compare import compare, settings_changes
from ctxinspect.pipeline.effects import Effect, effects, first_turn_affected
from ctxinspect.pipeline.replay import Replay
from ctxinspect.settings import parse_override
from ctxinspect.tui.actions import footer_text
from ctxinspect.tui.messages import Worked
from ctxinspect.tui.prompts import Prompt
from ctxinspect.tui.scout import outward
from ctxinspect.tui.screens.diff import DiffScreen
from ctxinspect.tui.widgets.bindings import bindings_for
from ctxinspect.tui.widgets.command_line import CommandLine
from ctxinspect.tui.widgets.line_list import LineList
from ctxinspect.tui.widgets.row import LineRow
from ctxinspect.tui.widgets.text_view import TextView
from ctxinspect.view.knobs import Knob, Knobs, droppable, flags_of, knob_detail, knobs_table, nudged, turned, typed
from ctxinspect.view.table import Cell
from ctxinspect.view.whatif import alone_text, here_line, session_line

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from ctxinspect.settings import Settings
    from ctxinspect.tui.state import Navigator

__all__ = ["WhatIfScreen"]

_PAUSE = 0.2
"""Seconds between two reports of the session's effects."""
_FEW = 40
"""Turns before the one shown that are offered to be dropped."""


class KnobList(LineList):
    """A list whose rows are turned with left and right instead of scrolled."""

    def action_act(self, action: str) -> None:
        """Left and right turn the knob; everything else moves."""
        if action in ("list.left", "list.right"):
            self.screen.action_act("knob.less" if action == "list.left" else "knob.more")  # type: ignore[attr-defined]
        else:
            super().action_act(action)


class WhatIfScreen(Screen[None]):
    """The knobs, what they do here, what they do to the session."""

    BINDINGS: ClassVar[list[BindingType]] = bindings_for("knobs")
    CSS = """
    WhatIfScreen LineRow { width: 100%; height: 1; }
    WhatIfScreen KnobList { width: 100%; height: 1fr; min-height: 3; }
    WhatIfScreen TextView { width: 100%; height: 4; }
    """

    def __init__(self, navigator: Navigator) -> None:
        super().__init__()
        self.navigator = navigator
        self.flags_before = navigator.fork_flags
        self._effects: list[Effect] = []
        self._run = 0

    def compose(self) -> ComposeResult:
        """Two lines of effects, the knobs, what the knob does, a line for prompts and faults, the keys."""
        yield LineRow(id="whatif-here")
        yield LineRow(id="whatif-session")
        yield KnobList(id="knobs")
        yield TextView(id="whatif-detail")
        yield LineRow(id="whatif-log")
        yield CommandLine(id="whatif-prompt")
        yield LineRow(id="whatif-footer")

    def on_mount(self) -> None:
        """The keys go to the knobs."""
        self.query_one(KnobList).focus()
        self.call_after_refresh(self.draw)
        self._start()

    def on_resize(self) -> None:
        """As many keys as fit."""
        self.query_one("#whatif-footer", LineRow).show([Cell(footer_text("knobs", width=self.size.width), "dim")])

    @property
    def knobs(self) -> Knobs:
        """The knobs at the fork's settings."""
        navigator = self.navigator
        trace = navigator.trace("REPLAY")
        components = [row.name for row in trace.assembly.components] if trace.assembly else []
        turns = [
            turn
            for turn in sorted({m.turn_id for m in trace.messages if m.turn_id is not None})
            if turn != trace.turn_id
        ]
        pages = [call.id for message in trace.messages for call in message.tool_calls if call.id]
        items = droppable(components, turns[-_FEW:], list(dict.fromkeys(pages))[-_FEW:])
        return Knobs(navigator.replay.settings, navigator.replay_of("FORK").settings, items)

    def draw(self) -> None:
        """Draw knobs and effects."""
        knobs = self.knobs
        self.query_one(KnobList).show(knobs_table(knobs, self._alone(knobs)))
        self._draw_detail()
        self._draw_lines()

    def _alone(self, knobs: Knobs) -> dict[str, str]:
        """What each edited knob does here by itself."""
        before = self.navigator.trace("REPLAY")
        found = {}
        for knob in knobs.rows():
            if knob.edited:
                only = turned(Knobs(knobs.recorded, knobs.recorded), knob, knob.value)
                flags = dict(parse_override(flag) for flag in flags_of(knobs.recorded, only))
                after = self.navigator.replay.fork(flags).trace(*self.navigator.position, ledger=False)
                found[knob.key] = alone_text(before, after)
        return found

    def _draw_lines(self) -> None:
        navigator = self.navigator
        total = len(navigator.replay.steps)
        here, session = "here     nothing is edited: left and right turn a knob, enter takes a value", ""
        if navigator.forked is not None:
            before, after = navigator.trace("REPLAY"), navigator.trace("FORK")
            changes = settings_changes(navigator.replay.settings, navigator.forked.settings)
            here = here_line(before, after, compare(before, after, settings=changes))
            spared = self._spared()
            done = spared + len(self._effects)
            session = session_line(self._effects, done, total, len(navigator.replay.session.turns), spared)
        self.query_one("#whatif-here", LineRow).show([Cell(f" {navigator.address}  {here}", "title")])
        self.query_one("#whatif-session", LineRow).show([Cell(f" {' ' * len(navigator.address)}  {session}", "text")])

    def _spared(self) -> int:
        """Requests that no edited setting can reach."""
        navigator = self.navigator
        assert navigator.forked is not None
        first = first_turn_affected(navigator.replay, navigator.forked)
        return sum(first is None or step.turn < first for step in navigator.replay.steps)

    def _draw_detail(self) -> None:
        self.query_one(TextView).show(knob_detail(self.knobs, self.query_one(KnobList).key))

    def say(self, text: str, role: str = "dim") -> None:
        """One line above the keys."""
        self.query_one("#whatif-log", LineRow).show([Cell(f" {text}", role)])  # type: ignore[arg-type]

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
        self._effects = []
        self.draw()
        self._start()

    def _knob(self) -> Knob | None:
        key = self.query_one(KnobList).key
        return self.knobs.find(key) if key else None

    def action_act(self, action: str) -> None:
        """Turn the knob under the cursor, reset, ask for a value, compare, or close."""
        knob = self._knob()
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
        changes = settings_changes(navigator.replay.settings, navigator.forked.settings)
        found = compare(navigator.trace("REPLAY"), navigator.trace("FORK"), settings=changes)
        self.app.push_screen(DiffScreen(f"DIFF {navigator.address} REPLAY -> FORK", found))

    def on_command_line_given(self, message: CommandLine.Given) -> None:
        """A value was typed for the knob."""
        self.query_one(KnobList).focus()
        knob = self._knob()
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
        self._draw_detail()

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
            self._effects += message.effects
            self._draw_lines()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Work that failed is said, never lost."""
        if event.state is WorkerState.ERROR:
            self.say(
                f"the session's effects stopped: {type(event.worker.error).__name__}: {event.worker.error}", "error"
            )
