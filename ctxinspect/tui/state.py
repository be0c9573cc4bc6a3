"""Where the inspector stands: plain objects, no event loop, no terminal. Every move is exact in both directions.

The view of a position depends on nothing but the session, the settings and the position: any path to a step shows the
same. A move that has nowhere to go stays where it is and says so in one line.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, field

from ctxinspect.pipeline.plan import Step
from ctxinspect.pipeline.replay import Replay, View
from ctxinspect.settings import parse_override
from ctxinspect.trace.types import Stage, Trace
from ctxinspect.view.address import parse_address
from ctxinspect.view.inspection import Inspection, StepSummary, ViewLabel, position_text

__all__ = ["PANEL_COUNT", "Desk", "Navigator", "view_behind"]

PANEL_COUNT = 9
_TRACES = 64
"""Traces kept for stepping back and forth."""


@dataclass
class Desk:
    """Which panel has the keys (by digit), whether it is zoomed, the stage looked at, and the log of all moves."""

    focus: int = 7
    zoom: bool = False
    stage: Stage | None = None
    log: list[str] = field(default_factory=list)

    def focus_panel(self, number: int) -> None:
        """Focus a panel; the digit of the focused one zooms it, and once more takes the zoom back."""
        if number == self.focus:
            self.zoom = not self.zoom
        self.focus = number

    def leave_zoom(self) -> None:
        """Take the zoom back, if there is one."""
        self.zoom = False

    def focus_by(self, by: int) -> None:
        """Focus the next or previous panel, round and round; a zoom stays on."""
        self.focus = (self.focus - 1 + by) % PANEL_COUNT + 1


def view_behind(label: ViewLabel) -> View:
    """Which of its two views a replay is asked for under a label."""
    return "recorded" if label == "RECORDED" else "replay"


class Navigator:
    """A session under inspection: its replay, a fork beside it, the position, and which view is shown."""

    def __init__(self, replay: Replay, at: str | None = None) -> None:
        self.replay = replay
        self.forked: Replay | None = None
        self.fork_flags: tuple[str, ...] = ()
        self.label: ViewLabel = "RECORDED" if replay.default_view == "recorded" else "REPLAY"
        self.position = replay.steps[-1] if replay.steps else Step(0, 0)
        self.summaries: dict[Step, StepSummary] = {}
        """Summaries under the view shown; they arrive in the background."""
        self.epoch = 0
        """Counts changes of the view or the fork: summaries begun under another one are of no use."""
        self._inspections: dict[ViewLabel, Inspection] = {}
        self._letters: list[str | None] | None = None
        self._index = {step: at for at, step in enumerate(replay.steps)}
        self._traces: OrderedDict[tuple[ViewLabel, Step], Trace] = OrderedDict()
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

    def trace(self, label: ViewLabel) -> Trace:
        """The trace at the position under a label; the last ones are kept."""
        key = (label, self.position)
        trace = self._traces.get(key)
        if trace is None:
            trace = self.replay_of(label).trace(*self.position, view=view_behind(label), ledger=False)
            self._traces[key] = trace
            if len(self._traces) > _TRACES:
                self._traces.popitem(last=False)
        return trace

    def inspection(self, label: ViewLabel | None = None) -> Inspection:
        """What the panels are built from, under the view shown or another one."""
        shown = label or self.label
        trace = self.trace(shown)
        known = self._inspections.get(shown)
        if known is None or known.trace is not trace or known.summaries is not self.summaries:
            replay = self.replay_of(shown)
            known = Inspection(trace, replay.session, replay.settings, shown, self.summaries)
            self._inspections[shown] = known
        return known

    @property
    def address(self) -> str:
        """The position as every line writes it: `t042r3`."""
        return position_text(self.position, len(self.replay.session.turns))

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
            self._show(other)
        return other

    def set_fork(self, flag: str) -> None:
        """Fork under one more edited setting (`PATH=VALUE`) and show it. Raises SettingsError naming the range."""
        path, value = parse_override(flag)
        self.forked = (self.forked or self.replay).fork({path: value})
        self.fork_flags = (*(known for known in self.fork_flags if not known.startswith(f"{path}=")), flag)
        self._show("FORK")

    def reset_fork(self) -> None:
        """Drop the fork; the recording was never touched."""
        self.forked, self.fork_flags = None, ()
        self._show("RECORDED" if self.replay.default_view == "recorded" else "REPLAY")

    def _show(self, label: ViewLabel) -> None:
        self.label = label
        self.epoch += 1
        self.summaries = {}
        self._letters = None
        for key in [key for key in self._traces if key[0] == "FORK"]:
            del self._traces[key]

    # --- moving; each returns null, or why it stayed ---

    @property
    def index(self) -> int:
        """The position's place among all steps."""
        return self._index.get(self.position, 0)

    def move_request(self, by: int) -> str | None:
        """One request on or back, crossing turns."""
        return self._to_index(self.index + by)

    def move_turn(self, by: int) -> str | None:
        """One turn on or back: to its last request."""
        turn = self.position.turn + by
        if not 0 <= turn < len(self.replay.session.turns):
            return f"STAY   already at the {'first' if by < 0 else 'last'} turn"
        self.position = self.replay.step(turn)
        return None

    def move_end(self, *, last: bool) -> str | None:
        """To the first request of the first turn, or the last of the last."""
        return self._to_index(len(self.replay.steps) - 1 if last else 0)

    def move_event(self, by: int) -> str | None:
        """To the nearest request with an event after or before this one; stays where none is known."""
        steps = self.replay.steps
        at = self.index + by
        while 0 <= at < len(steps):
            summary = self.summaries.get(steps[at])
            if summary is not None and summary.letters:
                return self._to_index(at)
            at += by
        known = len(self.summaries)
        pending = f", {known} of {len(steps)} requests indexed" if known < len(steps) else ""
        return f"STAY   no event {'after' if by > 0 else 'before'} {self.address}{pending}"

    def go_to(self, text: str) -> str | None:
        """To an address. Raises UsageError saying what would be right."""
        address = parse_address(text)
        self.position = self.replay.step(address.turn, address.request)
        return None

    def _to_index(self, at: int) -> str | None:
        if not 0 <= at < len(self.replay.steps):
            return f"STAY   already at the {'first' if at < 0 else 'last'} request"
        self.position = self.replay.steps[at]
        return None
