"""What the what-if screen looks like: the knobs, what they do here, what they do to the session. Drawing only."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.screen import Screen

from ctxinspect.pipeline.compare import compare_steps
from ctxinspect.pipeline.effects import Effect, first_turn_affected
from ctxinspect.settings import parse_override
from ctxinspect.tui.widgets.command_line import CommandLine
from ctxinspect.tui.widgets.line_list import LineList
from ctxinspect.tui.widgets.row import LineRow
from ctxinspect.tui.widgets.text_view import TextView
from ctxinspect.view.knobs import Knob, Knobs, droppable, flags_of, knob_detail, knobs_table, turned
from ctxinspect.view.table import Cell, Role
from ctxinspect.view.whatif import alone_text, here_line, session_line

if TYPE_CHECKING:
    from textual.app import ComposeResult

    from ctxinspect.tui.state import Navigator

__all__ = ["KnobBoard", "KnobList"]

_FEW = 40
"""Turns and pages before the request shown that are offered to be dropped."""


class KnobList(LineList):
    """A list whose rows are turned with left and right instead of scrolled."""

    def action_act(self, action: str) -> None:
        """Left and right turn the knob; everything else moves."""
        if action in ("list.left", "list.right"):
            self.screen.action_act("knob.less" if action == "list.left" else "knob.more")  # type: ignore[attr-defined]
        else:
            super().action_act(action)


class KnobBoard(Screen[None]):
    """The knobs of a navigator's fork, drawn."""

    DEFAULT_CSS = """
    KnobBoard LineRow { width: 100%; height: 1; }
    KnobBoard KnobList { width: 100%; height: 1fr; min-height: 3; }
    KnobBoard TextView { width: 100%; height: 4; }
    """

    def __init__(self, navigator: Navigator) -> None:
        super().__init__()
        self.navigator = navigator
        self.found: list[Effect] = []

    def compose(self) -> ComposeResult:
        """Two lines of effects, the knobs, what the knob does, a line for prompts and faults, the keys."""
        yield LineRow(id="whatif-here")
        yield LineRow(id="whatif-session")
        yield KnobList(id="knobs")
        yield TextView(id="whatif-detail")
        yield LineRow(id="whatif-log")
        yield CommandLine(id="whatif-prompt")
        yield LineRow(id="whatif-footer")

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
        self.draw_detail()
        self.draw_lines()

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

    def draw_lines(self) -> None:
        """Draw what the fork does here and to the session, as far as it is known."""
        navigator = self.navigator
        total = len(navigator.replay.steps)
        here, session = "here     nothing is edited: left and right turn a knob, enter takes a value", ""
        if navigator.forked is not None:
            before, after = navigator.trace("REPLAY"), navigator.trace("FORK")
            step = navigator.position
            found = compare_steps(navigator.replay, step, navigator.forked, step, ledger=False)
            here = here_line(before, after, found)
            spared = self._spared()
            done = spared + len(self.found)
            session = session_line(self.found, done, total, len(navigator.replay.session.turns), spared)
        self.query_one("#whatif-here", LineRow).show([Cell(f" {navigator.address}  {here}", "title")])
        self.query_one("#whatif-session", LineRow).show([Cell(f" {' ' * len(navigator.address)}  {session}", "text")])

    def _spared(self) -> int:
        """Requests that no edited setting can reach."""
        navigator = self.navigator
        assert navigator.forked is not None
        first = first_turn_affected(navigator.replay, navigator.forked)
        return sum(first is None or step.turn < first for step in navigator.replay.steps)

    def draw_detail(self) -> None:
        """Explain the knob under the cursor."""
        self.query_one(TextView).show(knob_detail(self.knobs, self.query_one(KnobList).key))

    def say(self, text: str, role: Role = "dim") -> None:
        """One line above the keys."""
        self.query_one("#whatif-log", LineRow).show([Cell(f" {text}", role)])

    def knob(self) -> Knob | None:
        """The knob under the cursor."""
        key = self.query_one(KnobList).key
        return self.knobs.find(key) if key else None
