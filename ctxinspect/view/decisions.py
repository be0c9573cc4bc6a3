"""The decisions of every stage of one request, numbered as addresses number them: one decision, one row of a panel.

`t42.assemble#3` is the fourth component in priority order, `t42.window#0` the first unit dropped: the same number that
predicates print. A stage that did not run has no decision and is passed over.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ctxinspect.trace.types import STAGES, Stage, Trace
from ctxinspect.view.stages import stage_verdicts

__all__ = ["STAGE_PANELS", "Decision", "decision_at", "decisions", "row_of", "stages_run"]

STAGE_PANELS: dict[Stage, int] = {
    "ingest": 1,
    "gate": 2,
    "recall": 5,
    "prune": 5,
    "cover": 5,
    "assemble": 3,
    "render": 7,
    "window": 6,
    "lint": 8,
}
"""The panel that shows a stage's decisions."""


@dataclass(frozen=True, slots=True)
class Decision:
    """One decision: the key of its row in the stage's panel, and a line of text that says what was decided."""

    key: str
    text: str


def stages_run(trace: Trace) -> tuple[Stage, ...]:
    """The stages that ran, in pipeline order; ingest, render and lint always do."""
    always = {"ingest", "render", "lint"}
    return tuple(item.stage for item in stage_verdicts(trace) if item.stage in always or item.verdict != "-")


def decisions(trace: Trace, stage: Stage) -> Sequence[Decision]:
    """All decisions of a stage of this request, in the order of their numbers."""
    return _BUILDERS[stage](trace)


def decision_at(trace: Trace, stage: Stage, number: int) -> Decision | None:
    """One decision by its number, or null."""
    found = decisions(trace, stage)
    return found[number] if 0 <= number < len(found) else None


def row_of(trace: Trace, stage: Stage, number: int | None) -> str | None:
    """The key of the row a position stands at: its decision's, else the one that says most about the stage."""
    if number is not None:
        found = decision_at(trace, stage, number)
        return found.key if found else None
    if stage == "gate" and trace.gate is not None:
        return trace.gate.rule
    if stage == "ingest":
        return str(trace.turn_id)
    return None


def _ingest(trace: Trace) -> list[Decision]:
    found = [(at, finding) for at, finding in enumerate(trace.findings) if finding.stage == "ingest"]
    return [Decision(str(trace.turn_id), f"{finding.severity} {finding.id}: {finding.text}") for _, finding in found]


def _gate(trace: Trace) -> list[Decision]:
    if trace.gate is None:
        return []
    return [Decision(trace.gate.rule, f"{trace.gate.decision} by {trace.gate.rule}")]


def _recall(trace: Trace) -> list[Decision]:
    rows = trace.recall or ()
    return [Decision(str(row.turn_id), f"turn {row.turn_id} {row.state} by {row.rule}") for row in rows]


def _prune(trace: Trace) -> list[Decision]:
    rows = trace.recall or ()
    return [Decision(str(row.turn_id), f"turn {row.turn_id} lost sentences") for row in rows if row.state == "pruned"]


def _cover(trace: Trace) -> list[Decision]:
    steps = trace.cover.steps if trace.cover else ()
    return [
        Decision(str(step.turn_id), f"turn {step.turn_id} taken, gain {step.gain:.4f}, cost {step.cost}")
        for step in steps
    ]


def _assemble(trace: Trace) -> list[Decision]:
    rows = trace.assembly.components if trace.assembly else ()
    return [
        Decision(row.name, f"{row.name} {row.state} by {row.rule}, {row.requested_tokens} -> {row.rendered_tokens}")
        for row in rows
    ]


def _render(trace: Trace) -> list[Decision]:
    return [
        Decision(str(at), f"message {at} {row.role} {row.state}, {row.tokens} tokens")
        for at, row in enumerate(trace.messages)
    ]


def _window(trace: Trace) -> list[Decision]:
    return [
        Decision(f"dropped:{at}", f"{unit.kind} of turn {unit.turn_id} dropped, {unit.tokens} tokens")
        for at, unit in enumerate(trace.window.dropped)
    ]


def _lint(trace: Trace) -> list[Decision]:
    return [
        Decision(str(at), f"{finding.severity} {finding.id}: {finding.text}")
        for at, finding in enumerate(trace.findings)
    ]


_BUILDERS = {
    "ingest": _ingest,
    "gate": _gate,
    "recall": _recall,
    "prune": _prune,
    "cover": _cover,
    "assemble": _assemble,
    "render": _render,
    "window": _window,
    "lint": _lint,
}
assert tuple(_BUILDERS) == STAGES
