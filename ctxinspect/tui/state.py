"""Where the inspector stands: plain objects, no event loop, no terminal.

The view of a position depends on nothing but the session, the settings, the position and the reference: any path to it
shows the same. Moves are functions of `stepping`; the recording is never written.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

from ctxinspect.errors import UsageError
from ctxinspect.pipeline.breakpoints import Breakpoints
from ctxinspect.pipeline.hit_index import place_of
from ctxinspect.pipeline.plan import Step
from ctxinspect.pipeline.replay import Replay, View
from ctxinspect.settings import parse_override
from ctxinspect.trace.types import Stage, Trace
from ctxinspect.tui.layout import STEPS
from ctxinspect.tui.reproduce import Opened
from ctxinspect.tui.scout import Scout
from ctxinspect.tui.stops import break_rows
from ctxinspect.view.address import parse_address
from ctxinspect.view.decisions import decisions
from ctxinspect.view.inspection import BreakRow, Inspection, StepSummary, ViewLabel, position_text

__all__ = ["PANEL_COUNT", "SINCE", "Desk", "Navigator", "Since", "view_behind"]

PANEL_COUNT = 9
_TRACES = 64
"""Traces kept for stepping back and forth."""
Since: TypeAlias = Literal["turn", "request", "mark", "last"]
SINCE: tuple[Since, ...] = ("turn", "request", "mark", "last")
"""What rows are marked against: the previous turn, the previous request, the mark, the position visited before."""


@dataclass
class Desk:
    """Which panel has the keys (by digit), whether it is zoomed, and the log of all moves."""

    focus: int = 7
    zoom: bool = False
    log: list[str] = field(default_factory=list)
    steps: tuple[int, int, int] = STEPS
    """Columns from which the narrow, the standard and the wide layout are used."""
    mirror: Callable[[str], None] | None = None
    """Told every line of the log."""

    def note(self, line: str) -> None:
        """One more line of the log."""
        self.log.append(line)
        if self.mirror is not None:
            self.mirror(line)

    def focus_panel(self, number: int) -> None:
        """Focus a panel; the digit of the focused one zooms it, and once more takes the zoom back."""
        if number == self.focus:
            self.zoom = not self.zoom
        self.focus = number

    def focus_by(self, by: int) -> None:
        """Focus the next or previous panel, round and round; a zoom stays on."""
        self.focus = (self.focus - 1 + by) % PANEL_COUNT + 1


def view_behind(label: ViewLabel) -> View:
    """Which of its two views a replay is asked for under a label."""
    return "recorded" if label == "RECORDED" else "replay"


class Navigator:
    """A session under inspection: its replay, a fork beside it, the position, the reference, and which view is shown."""

    def __init__(self, replay: Replay, at: str | None = None) -> None:
        self.replay = replay
        self.forked: Replay | None = None
        self.fork_flags: tuple[str, ...] = ()
        self.label: ViewLabel = "RECORDED" if replay.default_view == "recorded" else "REPLAY"
        self.position = replay.steps[-1] if replay.steps else Step(0, 0)
        self.stage: Stage | None = None
        self.decision: int | None = None
        self.since: Since = "turn"
        self.mark: Step | None = None
        self.last: Step | None = None
        """The request visited before this one."""
        self.summaries: dict[Step, StepSummary] = {}
        """Summaries under the view shown; they arrive in the background."""
        self.epoch = 0
        """Counts changes of the view or the fork: summaries begun under another one are of no use."""
        self.breaks = Breakpoints()
        self.breaks_file: Path | None = None
        """Where they are kept, null: nowhere."""
        self.opened = Opened()
        """How the session was opened: what a command line needs to show it again."""
        self.only: tuple[str, tuple[int, ...]] | None = None
        """The filter of the turns panel: its expression, and the turns that are listed."""
        self.notice = ""
        """What there is to say at the start, empty: nothing."""
        self._scout: Scout | None = None
        self._letters: list[str | None] | None = None
        self._index = {step: at for at, step in enumerate(replay.steps)}
        self._traces: OrderedDict[tuple[ViewLabel, Step], Trace] = OrderedDict()
        self._inspections: OrderedDict[tuple[ViewLabel, Step], Inspection] = OrderedDict()
        if at is not None:
            self.go_to(at)

    # --- what is shown ---

    @property
    def labels(self) -> tuple[ViewLabel, ...]:
        """The views there are: a recording as it was and as it would be replayed, and the fork while there is one."""
        views: list[ViewLabel] = ["RECORDED"] if self.replay.session.foreign else []
        views.append("REPLAY")
        if self.forked is not None:
            views.append("FORK")
        return tuple(views)

    @property
    def other_label(self) -> ViewLabel | None:
        """What stands beside this view where there is room: the next one, or null where there is only one."""
        labels = self.labels
        return labels[(labels.index(self.label) + 1) % len(labels)] if len(labels) > 1 else None

    def replay_of(self, label: ViewLabel) -> Replay:
        """The replay behind a view."""
        return self.forked if label == "FORK" and self.forked is not None else self.replay

    def trace(self, label: ViewLabel, step: Step | None = None) -> Trace:
        """The trace at the position, or at another request, under a label; the last ones are kept."""
        key = (label, step or self.position)
        trace = self._traces.get(key)
        if trace is None:
            trace = self.replay_of(label).trace(*key[1], view=view_behind(label), ledger=False)
            self._traces[key] = trace
            if len(self._traces) > _TRACES:
                self._traces.popitem(last=False)
        return trace

    def inspection(self, label: ViewLabel | None = None, step: Step | None = None) -> Inspection:
        """What the panels are built from, under the view shown or another one, here or at another request."""
        shown = label or self.label
        key = (shown, step or self.position)
        trace = self.trace(*key)
        known = self._inspections.get(key)
        breaks = self._break_rows()  # of every request alike, or marks would tell of what was set meanwhile
        if known is not None and (known.breaks != breaks or known.only is not self.only):
            known = None
        if known is None or known.trace is not trace or known.summaries is not self.summaries:
            replay = self.replay_of(shown)
            known = Inspection(trace, replay.session, replay.settings, shown, self.summaries, breaks, self.only)
            self._inspections[key] = known
            if len(self._inspections) > _TRACES:
                self._inspections.popitem(last=False)
        return known

    @property
    def address(self) -> str:
        """The position as every line writes it: `t042r3`, `t042r3.window#7`."""
        text = position_text(self.position, len(self.replay.session.turns))
        if self.stage is not None:
            text += f".{self.stage}" + (f"#{self.decision}" if self.decision is not None else "")
        return text

    @property
    def reference(self) -> Step | None:
        """The request that rows are marked against, null where there is none."""
        if self.since == "mark":
            return self.mark
        if self.since == "last":
            return self.last
        if self.since == "request":
            return self.replay.steps[self.index - 1] if self.index else None
        return self.replay.step(self.position.turn - 1) if self.position.turn else None

    # --- what is known of other requests ---

    @property
    def scout(self) -> Scout:
        """What looks ahead under the view shown, on a replay of its own."""
        if self._scout is None:
            own = Replay(self.replay.session)
            if self.label == "FORK":
                own = own.fork(dict(parse_override(flag) for flag in self.fork_flags))
            self._scout = Scout(own, view_behind(self.label))
            self._scout.watch(item.expression for item in self.breaks)
        return self._scout

    def _break_rows(self) -> tuple[BreakRow, ...]:
        if not len(self.breaks):
            return ()
        return break_rows(self.breaks, self.scout.index, place_of(self.position, self.stage, self.decision))

    def take(self, summaries: Iterable[StepSummary]) -> None:
        """More summaries have arrived."""
        self.summaries.update((summary.step, summary) for summary in summaries)
        self._letters = None

    def turn_letters(self) -> list[str | None]:
        """Event letters of each turn, null where one of its requests is not summarised yet."""
        if self._letters is None:
            self._letters = []
            for turn, own in enumerate(self.replay.session.turns):
                found = [self.summaries.get(Step(turn, request)) for request in range(len(own.rounds) + 1)]
                self._letters.append(None if None in found else "".join(item.letters for item in found if item))
        return self._letters

    # --- views and forks ---

    def cycle_view(self) -> str | None:
        """To the next view; null where there is none, so nothing changes."""
        other = self.other_label
        if other is not None:
            self.show(other)
        return other

    def set_fork(self, flag: str) -> None:
        """Fork under one more edited setting (`PATH=VALUE`) and show it. Raises SettingsError naming the range."""
        path, value = parse_override(flag)
        self.forked = (self.forked or self.replay).fork({path: value})
        self.fork_flags = (*(known for known in self.fork_flags if not known.startswith(f"{path}=")), flag)
        self.show("FORK")

    def set_forks(self, flags: Iterable[str]) -> None:
        """Fork anew under exactly these edited settings and show it; without any, drop the fork."""
        self.forked, self.fork_flags = None, ()
        for flag in flags:
            self.set_fork(flag)
        if self.forked is None:
            self.reset_fork()

    def reset_fork(self) -> None:
        """Drop the fork; the recording was never touched."""
        self.forked, self.fork_flags = None, ()
        self.show("RECORDED" if self.replay.default_view == "recorded" else "REPLAY")

    def show(self, label: ViewLabel) -> None:
        """Show another view; what is known of the requests under the one before is dropped."""
        self.label = label
        self.epoch += 1
        self.summaries = {}
        self._letters = None
        self._scout = None
        for key in [key for key in self._traces if key[0] == "FORK"]:
            del self._traces[key]

    # --- where it stands ---

    @property
    def index(self) -> int:
        """The position's place among all steps."""
        return self._index.get(self.position, 0)

    def stand(self, step: Step, stage: Stage | None, decision: int | None = None) -> None:
        """Stand at another position."""
        if step != self.position:
            self.last = self.position
        self.position, self.stage, self.decision = step, stage, decision

    def go_to(self, text: str) -> None:
        """To an address. Raises UsageError saying what would be right."""
        address = parse_address(text)
        step = self.replay.step(address.turn, address.request)
        if address.stage is not None and address.decision is not None:
            count = len(decisions(self.trace(self.label, step), address.stage))
            if not 0 <= address.decision < count:
                numbers = f"its decisions are #0 to #{count - 1}" if count else "it decided nothing in this request"
                msg = f"{text}: {address.stage} has no decision #{address.decision}; {numbers}"
                raise UsageError(msg)
        self.stand(step, address.stage or self.stage, address.decision)
