"""What the builders of panels look at: one trace with the session around it. Frozen; cheap to make for every step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, TypeAlias

from ctxinspect.model.session import Session
from ctxinspect.pipeline.plan import Step, first_visible_turn
from ctxinspect.pipeline.summary import RequestSummary, figures_of
from ctxinspect.settings import Settings
from ctxinspect.trace.types import Trace
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


def summarize(figures: Trace | RequestSummary) -> StepSummary:
    """The summary of a request, from its trace or from its figures alone."""
    if isinstance(figures, Trace):
        figures = figures_of(figures)
    decision = figures.decision or "-"
    letters = "".join(
        letter
        for letter, holds in (
            ("S", decision == "switch"),
            ("T", bool(figures.cut_components or figures.handles)),
            ("D", bool(figures.dropped_units or figures.dropped_components)),
            ("L", bool(figures.count("error"))),
            ("B", bool(figures.rules & _BUDGET_RULES)),
            ("P", bool(figures.rules & _PAIR_RULES)),
        )
        if holds
    )
    return StepSummary(figures.step, decision, figures.request_tokens + figures.tool_tokens, letters)
