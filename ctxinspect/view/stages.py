"""The verdict of every stage of one request, in a few characters each."""

from __future__ import annotations

from dataclasses import dataclass

from ctxinspect.trace.recall_rows import stayed_rows
from ctxinspect.trace.types import STAGES, Stage, Trace
from ctxinspect.view.table import Cell, Role, ratio

__all__ = ["SHORT_NAMES", "StageVerdict", "finding_counts", "stage_line", "stage_verdicts"]

SHORT_NAMES: dict[Stage, str] = {
    "ingest": "ing",
    "gate": "gate",
    "recall": "rec",
    "prune": "pru",
    "cover": "cov",
    "assemble": "asm",
    "render": "ren",
    "window": "win",
    "lint": "lint",
}
_TERSE = {"continue": "cont"}
"""Words of verdicts where there is no room for the whole ones."""


@dataclass(frozen=True, slots=True)
class StageVerdict:
    """One stage: what it decided (`-` where it did not run), and how worried a reader should be."""

    stage: Stage
    verdict: str
    role: Role = "text"


def finding_counts(trace: Trace) -> str:
    """`2E 5W`, or `ok`."""
    errors = sum(finding.severity == "error" for finding in trace.findings)
    warnings = sum(finding.severity == "warning" for finding in trace.findings)
    parts = [f"{errors}E"] if errors else []
    return " ".join([*parts, f"{warnings}W"] if warnings else parts) or "ok"


def stage_verdicts(trace: Trace) -> tuple[StageVerdict, ...]:
    """All nine stages in pipeline order."""
    words: dict[Stage, str] = dict.fromkeys(STAGES, "-")
    roles: dict[Stage, Role] = {}
    at_ingest = sum(finding.stage == "ingest" for finding in trace.findings)
    words["ingest"] = f"{at_ingest} found" if at_ingest else "ok"
    if trace.gate is not None:
        words["gate"] = trace.gate.decision.upper() if trace.gate.decision == "switch" else trace.gate.decision
        roles["gate"] = "accent" if trace.gate.decision == "switch" else "text"
    if trace.recall is not None and trace.cover is not None:
        stayed = stayed_rows(trace.recall)
        words["recall"] = f"{sum(row.state != 'dropped' for row in stayed)}/{len(trace.recall)}"
        words["prune"] = str(sum(row.state == "pruned" for row in stayed))
        words["cover"] = "-" if trace.cover.coverage is None else ratio(trace.cover.coverage)
    if trace.assembly is not None:
        lost = [row for row in trace.assembly.components if row.state != "kept" and row.rule != "empty"]
        words["assemble"] = f"CUT {len(lost)}" if lost else str(len(trace.assembly.components))
        roles["assemble"] = "warn" if lost else "text"
    words["render"] = str(len(trace.messages))
    words["window"] = f"-{len(trace.window.dropped)}" if trace.window.dropped else "fits"
    if trace.view == "recorded":
        words["window"] = "-"
    if any(finding.id == "over-budget" for finding in trace.findings):
        words["window"] = "OVER"
    roles["window"] = "error" if words["window"] == "OVER" else "warn" if trace.window.dropped else "text"
    words["lint"] = finding_counts(trace).replace(" ", "")
    roles["lint"] = "error" if "E" in words["lint"] else "warn" if "W" in words["lint"] else "text"
    return tuple(StageVerdict(stage, words[stage], roles.get(stage, "text")) for stage in STAGES)


def stage_line(trace: Trace, width: int, here: Stage | None = None) -> list[Cell]:
    """The stages in one line: `ingest ok > gate SWITCH > ...`; the stage under the cursor in brackets.

    The longest form that fits `width` cells is taken: whole names, then short ones, then without the signs between,
    then with short verdicts.
    """
    forms = ((False, " > ", False), (False, "  ", False), (True, " > ", False), (True, " ", False), (True, " ", True))
    lines = [_stage_line(trace, here, short=short, between=between, terse=terse) for short, between, terse in forms]
    return next((line for line in lines if sum(len(text) for text, _ in line) <= width), lines[-1])


def _stage_line(trace: Trace, here: Stage | None, *, short: bool, between: str, terse: bool) -> list[Cell]:
    line: list[Cell] = [Cell(" ")]
    for at, item in enumerate(stage_verdicts(trace)):
        if at:
            line.append(Cell(between, "dim"))
        name = SHORT_NAMES[item.stage] if short else item.stage
        verdict = _TERSE.get(item.verdict, item.verdict.removesuffix(" found")) if terse else item.verdict
        text = f"{name}:{verdict}" if short else f"{name} {verdict}"
        line.append(Cell(f"[{text}]" if item.stage == here else text, item.role))
    return line
