"""What happened at every request, in a few letters: for the timeline, for stepping from event to event.

Letters: S the topic switched, T a component was cut, D something was dropped (a component or from the window), L an error
finding, B over budget, P a broken pair.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ctxinspect.pipeline.plan import Step
from ctxinspect.pipeline.replay import Replay, View
from ctxinspect.trace.types import Trace

__all__ = ["EVENT_LETTERS", "StepSummary", "summaries", "summarize"]

EVENT_LETTERS = {
    "S": "topic switched",
    "T": "component cut",
    "D": "something dropped",
    "L": "error finding",
    "B": "over budget",
    "P": "broken pair",
}
_PAIRS = frozenset({"orphan-result", "missing-result", "duplicate-result", "result-not-adjacent", "ambiguous-pair"})


@dataclass(frozen=True, slots=True)
class StepSummary:
    """One request in short: its gate decision (null where recorded), its event letters, its size, its findings."""

    step: Step
    decision: str | None
    letters: str
    tokens: int
    errors: int
    warnings: int


def summaries(replay: Replay, view: View) -> Iterator[StepSummary]:
    """Every step of a session, in order."""
    for step in replay.steps:
        yield summarize(replay.trace(step.turn, step.request, view=view, ledger=False), step)


def summarize(trace: Trace, step: Step) -> StepSummary:
    """A trace in short."""
    errors = [finding for finding in trace.findings if finding.severity == "error"]
    letters = ""
    if trace.gate is not None and trace.gate.decision == "switch":
        letters += "S"
    components = trace.assembly.components if trace.assembly is not None else ()
    if any(row.state == "truncated" for row in components):
        letters += "T"
    if trace.window.dropped or any(row.state == "dropped" and row.rule != "empty" for row in components):
        letters += "D"
    if errors:
        letters += "L"
    if any(finding.id.endswith("over-budget") for finding in errors):
        letters += "B"
    if any(finding.id in _PAIRS for finding in trace.findings):
        letters += "P"
    return StepSummary(
        step=step,
        decision=trace.gate.decision if trace.gate is not None else None,
        letters=letters,
        tokens=trace.window.request_tokens,
        errors=len(errors),
        warnings=sum(finding.severity == "warning" for finding in trace.findings),
    )
