"""What is found while pages become messages: the findings of page 4 and the fate of every page.

Only rounds that are rendered are judged; a page that is switched off is not.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ctxinspect.model.pairing import RoundPages
from ctxinspect.model.session import Turn
from ctxinspect.trace.types import Finding, LedgerEntry, Severity

__all__ = ["PageFate", "round_findings"]

_SEVERITY: dict[str, Severity] = {
    "missing-call-id": "error",
    "duplicate-call-id": "warning",
    "ambiguous-pair": "warning",
    "duplicate-result": "error",
    "orphan-result": "error",
    "results-reordered": "info",
}


@dataclass(frozen=True, slots=True)
class PageFate:
    """How a page ended: its state and the rule that decided, with the numbers where the rule has some (tokens)."""

    id: str
    turn_id: int
    state: Literal["kept", "handle", "dropped"]
    rule: str
    value: int | None = None
    threshold: int | None = None

    def entry(self) -> LedgerEntry:
        """The page's row in the ledger."""
        margin = None if self.value is None or self.threshold is None else self.value - self.threshold
        stage: Literal["ingest", "render"] = "ingest" if self.rule == "what_if_drop" else "render"
        return LedgerEntry("page", self.id, stage, self.state, self.rule, self.value, self.threshold, margin)


def round_findings(
    turn: Turn, turn_id: int, number: int, round_: RoundPages, inactive: frozenset[str], *, in_flight: bool
) -> list[Finding]:
    """Findings of one rendered round, calls and results in order."""
    base = f"$.turns[{turn_id}].rounds[{number}]"
    findings: list[Finding] = []
    off = {page.call_index for page in round_.pages if page.id in inactive}
    off_results = {page.result_index for page in round_.pages if page.id in inactive}
    for fault in round_.faults:
        if fault.index in (off if fault.half == "call" else off_results) and fault.code != "results-reordered":
            continue
        half = "tool_calls" if fault.half == "call" else "tool_results"
        findings.append(
            Finding(
                fault.code,
                "error" if fault.in_one_message else _SEVERITY[fault.code],
                "render",
                path=f"{base}.{half}[{fault.index}]",
                turn_id=turn_id,
                call_id=fault.call_id,
                text=fault.text,
            )
        )
    for page in round_.pages:
        if page.result is not None or page.id in inactive:
            continue
        place = f"{base}.tool_calls[{page.call_index}]"
        if in_flight:
            text = f"call {page.id} of {page.call.name} was in flight when the recording ends"
            code, severity = "call-in-flight", "info"
        else:
            text = f"call {page.id} of {page.call.name} has no result"
            text += "; the turn was interrupted" if turn.interrupted else ""
            code, severity = "missing-result", "warning" if turn.interrupted else "error"
        findings.append(
            Finding(code, severity, "render", path=place, turn_id=turn_id, call_id=page.id, text=text)  # type: ignore[arg-type]
        )
    return findings
