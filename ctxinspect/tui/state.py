"""Where the inspector stands: plain objects, no event loop, no Textual. Every move is exact in both directions.

The view of a position depends on nothing but the session, the settings and the position: any path to a step shows the
same. A move that has nowhere to go stays where it is and says so.
"""

from __future__ import annotations

from typing import Literal

from ctxinspect.pipeline.plan import Step
from ctxinspect.pipeline.replay import Replay, View
from ctxinspect.settings import parse_override
from ctxinspect.trace.types import Trace
from ctxinspect.view.address import parse_address
from ctxinspect.view.inspection import Inspection, StepSummary, ViewLabel

__all__ = ["Navigator", "Shown"]

Shown = Literal["recorded", "replay", "fork"]


class Navigator:
    """A session under inspection: the replay, a fork beside it, the position, what is shown of it."""

    def __init__(self, replay: Replay, at: str | None = None) -> None:
        self.replay = replay
        self.forked: Replay | None = None
        self.fork_flags: tuple[str, ...] = ()
        self.shown: Shown = "recorded" if replay.default_view == "recorded" else "replay"
        self.position = replay.steps[-1] if replay.steps else Step(0, 0)
        self.marked: Step | None = None
        self.summaries: dict[Step, StepSummary] = {}
        """Summaries under the view shown; they arrive in the background."""
        self.message = ""
        self._index = {step: at for at, step in enumerate(replay.steps)}
        if at:
            self.go_to(at)

    # --- what is shown ---

    @property
    def active(self) -> Replay:
        """The replay whose traces are shown: the fork's while it is shown, else the session's own."""
        return self.forked if self.shown == "fork" and self.forked is not None else self.replay

    def trace(self) -> Trace:
        """The trace at the position, in the view shown."""
        view: View = "recorded" if self.shown == "recorded" else "replay"
        return self.active.trace(*self.position, view=view)

    def inspection(self) -> Inspection:
        """What the panels are built from."""
        return self._inspect(self.trace(), self.label, self.summaries)

    def other_inspection(self) -> Inspection | None:
        """The same request in the other view, for side by side."""
        trace = self.other_trace()
        if trace is None:
            return None
        label: ViewLabel = "RECORDED" if trace.view == "recorded" else "REPLAY" if self.shown != "replay" else "FORK"
        return self._inspect(trace, label, {})

    def _inspect(self, trace: Trace, label: ViewLabel, summaries: dict[Step, StepSummary]) -> Inspection:
        return Inspection(trace, self.replay.session, self.active.settings, label, summaries)

    @property
    def label(self) -> ViewLabel:
        """RECORDED, REPLAY or FORK."""
        return "RECORDED" if self.shown == "recorded" else "FORK" if self.shown == "fork" else "REPLAY"

    @property
    def turn_letters(self) -> list[str | None]:
        """Event letters of each turn, null where they are not known yet."""
        letters: list[str | None] = []
        for turn, own in enumerate(self.replay.session.turns):
            known = [self.summaries.get(Step(turn, request)) for request in range(len(own.rounds) + 1)]
            found = [summary.letters for summary in known if summary is not None]
            letters.append("".join(found) if found else None)
        return letters

    def other_trace(self) -> Trace | None:
        """The same request in the other view, where there is one: RECORDED against REPLAY, REPLAY against FORK."""
        if self.shown == "fork":
            return self.replay.trace(*self.position)
        if self.replay.session.foreign:
            return self.replay.trace(*self.position, view="replay" if self.shown == "recorded" else "recorded")
        return None if self.forked is None else self.forked.trace(*self.position)

    def cycle_view(self) -> str:
        """RECORDED, REPLAY, FORK, as far as there are such; returns what to say."""
        views: list[Shown] = ["recorded"] if self.replay.session.foreign else []
        views.append("replay")
        if self.forked is not None:
            views.append("fork")
        if len(views) == 1:
            return "a native session has one view, its replay; :set PATH=VALUE makes a fork beside it"
        self.shown = views[(views.index(self.shown) + 1) % len(views)]
        return f"now showing {self.shown.upper()}"

    def set_fork(self, flag: str) -> str:
        """Fork under one more edited setting (`PATH=VALUE`). Raises SettingsError naming the value and its range."""
        path, value = parse_override(flag)
        self.forked = (self.forked or self.replay).fork({path: value})
        self.fork_flags = (*(f for f in self.fork_flags if not f.startswith(f"{path}=")), flag)
        self.shown = "fork"
        return f"fork: --set {' --set '.join(self.fork_flags)}"

    def reset_fork(self) -> str:
        """Drop the fork; the recording was never touched."""
        self.forked, self.fork_flags = None, ()
        self.shown = "recorded" if self.replay.default_view == "recorded" else "replay"
        return "fork dropped"

    # --- moving ---

    @property
    def index(self) -> int:
        """The position's place among all steps."""
        return self._index.get(self.position, 0)

    def move_request(self, by: int) -> bool:
        """One request on or back, crossing turns."""
        return self._to_index(self.index + by)

    def move_turn(self, by: int) -> bool:
        """One turn on or back: to its last request."""
        turn = self.position.turn + by
        if not 0 <= turn < len(self.replay.session.turns):
            return self._stay("first" if by < 0 else "last")
        self.position = self.replay.step(turn)
        return True

    def move_end(self, last: int) -> bool:
        """To the first request of the first turn, or the last of the last."""
        return self._to_index(len(self.replay.steps) - 1 if last else 0)

    def move_event(self, by: int) -> bool:
        """To the next or previous request with a finding, a cut or a switch."""
        at = self.index + by
        while 0 <= at < len(self.replay.steps):
            summary = self.summaries.get(self.replay.steps[at])
            if summary is None:
                self.message = "still indexing; try again in a moment"
                return False
            if summary.letters:
                return self._to_index(at)
            at += by
        self.message = f"no event {'after' if by > 0 else 'before'} {self.position.address}"
        return False

    def go_to(self, text: str) -> bool:
        """To an address. Raises UsageError saying what would be right."""
        address = parse_address(text)
        self.position = self.replay.step(address.turn, address.request)
        return True

    def go_to_turn(self, turn: int) -> bool:
        """To the last request of a turn."""
        self.position = self.replay.step(turn)
        return True

    def _to_index(self, at: int) -> bool:
        if not 0 <= at < len(self.replay.steps):
            return self._stay("first" if at < 0 else "last")
        self.position = self.replay.steps[at]
        return True

    def _stay(self, end: str) -> bool:
        self.message = f"{self.position.address} is the {end} there is"
        return False
