"""The replay: what the pipeline builds from a session under its settings, one request at a time, in any order.

Every stage is a pure function, so a step back costs what a step forward does and gives the same trace. Work that
requests share is done once (see `stages`); `work` says how much was done.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from ctxinspect.assembler import AssemblyResult
from ctxinspect.errors import UsageError
from ctxinspect.gatekeeper import Engine, Selection
from ctxinspect.model.session import Session
from ctxinspect.pipeline.judged import Judge
from ctxinspect.pipeline.plan import Step, previous_step, steps_of
from ctxinspect.pipeline.recorded import RecordedView
from ctxinspect.pipeline.stages import Request, Stages, Work
from ctxinspect.pipeline.summary import RequestSummary
from ctxinspect.pipeline.tracing import Tracer
from ctxinspect.sequence import Sequencer
from ctxinspect.settings import apply_overrides
from ctxinspect.tokens.counter import Counter, is_exact, named_counter
from ctxinspect.trace.types import Finding, GateTrace, Trace

__all__ = ["Replay", "Request", "View", "Work"]

View = Literal["replay", "recorded"]


class Replay:
    """A session under its settings, ready to be asked about any request. Nothing is computed before it is asked for.

    `steps` are all requests in session order; `base` is the replay that this one was forked from, `work` the counts of
    what was done so far.
    """

    def __init__(self, session: Session, base: Replay | None = None) -> None:
        self.session = session
        self.settings = session.context
        self.counter: Counter = named_counter(self.settings.counter).labelled(
            exact=is_exact(self.settings.counter, session.model)
        )
        self.steps: tuple[Step, ...] = steps_of(session)
        self.default_view: View = "recorded" if session.foreign else "replay"
        self.base = base
        lender = None if base is None else base._stages  # noqa: SLF001 - another replay of the same session
        self._stages: Stages = Stages(session, self.settings, self.counter, lender)
        self._tracer = Tracer(session, self._stages)
        self.recorded = RecordedView(session, self.settings, self.counter)

    # --- asking ---

    def fork(self, overrides: Mapping[str, Any]) -> Replay:
        """The same session under edited settings; what they do not touch is not worked out again.

        Raises SettingsError naming the value and its range.
        """
        settings = apply_overrides(self.settings, overrides)
        return Replay(self.session.model_copy(update={"context": settings}), self)

    def last_request(self, turn: int) -> int:
        """The number of the turn's last request. Raises UsageError where there is no such turn."""
        if not 0 <= turn < len(self.session.turns):
            last = len(self.session.turns) - 1
            there = f"the session has turns 0 to {last}" if last >= 0 else "the session has no turns"
            msg = f"turn {turn}: no such turn; {there}"
            raise UsageError(msg)
        return len(self.session.turns[turn].rounds)

    def step(self, turn: int, request: int | None = None) -> Step:
        """The step of this turn and request (the turn's last one by default). Raises UsageError where there is none."""
        last = self.last_request(turn)
        if request is None:
            return Step(turn, last)
        if not 0 <= request <= last:
            msg = f"request {request}: turn {turn} has requests 0 to {last}"
            raise UsageError(msg)
        return Step(turn, request)

    def trace(self, turn: int, request: int | None = None, *, view: View = "replay", ledger: bool = True) -> Trace:
        """The trace of one request (page 6). `ledger=False` leaves the ledger null; it is linear in the turn's number.

        Raises UsageError where there is no such turn or request.
        """
        step = self.step(turn, request)
        return self.recorded.trace(step) if view == "recorded" else self._tracer.trace(step, ledger=ledger)

    def summary(self, step: Step, *, view: View = "replay") -> RequestSummary:
        """One request in a few figures, the same as its trace has; cheaper than the trace where there are many."""
        return self.recorded.summary(step) if view == "recorded" else self._tracer.summary(step)

    def findings(self, step: Step, *, judge: Judge | None = None) -> tuple[Finding, ...]:
        """Findings of one replayed request, in pipeline order; `judge` decides by another provider's rules."""
        return self._tracer.findings(step, judge)

    def previous(self, step: Step) -> Step | None:
        """The request before this one in the session's order."""
        return previous_step(self.session, step)

    def first_visible(self, turn: int) -> int:
        """The earliest turn still in this turn's context: earlier ones are before a reset."""
        return self._stages.first_visible(turn)

    # --- stages, in order ---

    @property
    def work(self) -> Work:
        """How often each kind of work was done so far."""
        return self._stages.work

    @property
    def sequencer(self) -> Sequencer:
        """What renders the session's turns."""
        return self._stages.sequencer

    @property
    def engine(self) -> Engine:
        """The gatekeeper over every turn of the session, indexed once."""
        return self._stages.engine

    def gate(self, turn: int) -> GateTrace:
        """The topic gate's decision at this turn; decisions of earlier turns are made once."""
        return self._stages.gate(turn)

    def selection(self, turn: int) -> Selection:
        """What the gatekeeper would bring along at this turn: recall, prune, cover."""
        return self._stages.selection(turn)

    def assembly(self, turn: int) -> AssemblyResult:
        """The assembled system prompt of this turn; the same for turns with the same components and variables."""
        return self._stages.assembly(turn)

    def request(self, step: Step) -> Request:
        """Every stage of one request."""
        return self._stages.request(step)
