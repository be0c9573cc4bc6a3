"""What the builders of panels look at: one trace with the session around it. Frozen; cheap to make for every step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, TypeAlias

from ctxinspect.model.session import Session
from ctxinspect.pipeline.plan import Step, first_visible_turn
from ctxinspect.settings import Settings
from ctxinspect.trace.types import MessageRow, Trace
from ctxinspect.view.fates import TurnFates, turn_fates

__all__ = ["BreakRow", "Inspection", "StepSummary", "ViewLabel", "position_text", "summarize", "turn_text"]

ViewLabel: TypeAlias = Literal["RECORDED", "REPLAY", "FORK"]


@dataclass(frozen=True, slots=True)
class StepSummary:
    """One request in a few characters: its gate decision, its tokens, and the letters of its events.

    Letters: S switch, T truncated (a component cut, a result as handle), D dropped or trimmed, L lint error, B over budget, P pair broken.
    """

    step: Step
    decision: str
    tokens: int
    letters: str


@dataclass(frozen=True, slots=True)
class BreakRow:
    """A breakpoint as panels show it: `hits` is a count, with a + while not all is looked at; `here`: it holds here."""

    id: int
    enabled: bool
    expression: str
    ignore: int
    once: bool
    hits: str
    here: bool


@dataclass(frozen=True)
class Inspection:
    """One request under one label, the session it is from, and what is known so far of the other requests."""

    trace: Trace
    session: Session
    settings: Settings
    label: ViewLabel
    summaries: Mapping[Step, StepSummary] = field(default_factory=dict)
    """Summaries that have arrived; the work is done in the background."""
    breaks: tuple[BreakRow, ...] = ()
    only: tuple[str, tuple[int, ...]] | None = None
    """What turns are listed: an expression, and the turns where it holds; null: all."""

    @property
    def step(self) -> Step:
        """Turn and request of the trace."""
        return Step(self.trace.turn_id, self.trace.request)

    @property
    def position(self) -> str:
        """The position as every panel writes it: `t042`, `t042r3`."""
        return position_text(self.step, len(self.session.turns))

    @cached_property
    def first_visible(self) -> int:
        """The first turn that no reset has put out of the context."""
        return first_visible_turn(self.session, self.settings, self.trace.turn_id)

    @cached_property
    def fates(self) -> TurnFates:
        """What became of every earlier turn in this request."""
        return turn_fates(self.trace, self.first_visible)


def turn_text(turn: int | None, turns: int) -> str:
    """`t042`: the turn with as many digits as the session's last one; `-` where there is none."""
    return "-" if turn is None else f"t{turn:0{len(str(max(turns - 1, 0)))}}"


def position_text(step: Step, turns: int) -> str:
    """`t042`, `t042r3`."""
    return turn_text(step.turn, turns) + (f"r{step.request}" if step.request else "")


_PAIR_RULES = frozenset({"orphan-result", "missing-result", "duplicate-result", "result-not-adjacent"})
_BUDGET_RULES = frozenset({"over-budget", "tools-over-budget", "system-over-budget"})


def _messages_cut(messages: tuple[MessageRow, ...]) -> bool:
    return any(message.state == "handle" for message in messages)


def summarize(trace: Trace) -> StepSummary:
    """The summary of a trace."""
    ids = {finding.id for finding in trace.findings}
    components = trace.assembly.components if trace.assembly else ()
    decision = trace.gate.decision if trace.gate else "-"
    letters = "".join(
        letter
        for letter, holds in (
            ("S", decision == "switch"),
            ("T", any(row.state == "truncated" for row in components) or _messages_cut(trace.messages)),
            ("D", bool(trace.window.dropped) or any(row.state == "dropped" for row in components)),
            ("L", any(finding.severity == "error" for finding in trace.findings)),
            ("B", bool(ids & _BUDGET_RULES)),
            ("P", bool(ids & _PAIR_RULES)),
        )
        if holds
    )
    tokens = trace.window.request_tokens + trace.window.tool_tokens
    return StepSummary(Step(trace.turn_id, trace.request), decision, tokens, letters)
