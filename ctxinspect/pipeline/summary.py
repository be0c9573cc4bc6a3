"""One request in a few figures: what a list of all requests shows of each, so that no trace is made for it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ctxinspect.pipeline.plan import Step
from ctxinspect.trace.types import Finding, Severity, Trace

__all__ = ["RequestSummary", "figures_of", "finding_counts"]


@dataclass(frozen=True, slots=True)
class RequestSummary:
    """The figures of one request, as its trace has them; costs are in tokens.

    `decision` is the gate's, None in the recorded view. `findings` has the number of findings by severity and rule; the
    comparison with the request before (`cache-prefix-break`, info) is not made.
    """

    step: Step
    decision: str | None
    request_tokens: int
    tool_tokens: int
    dropped_units: int
    dropped_components: int
    cut_components: int
    handles: int
    findings: Mapping[tuple[Severity, str], int]

    @property
    def rules(self) -> frozenset[str]:
        """The rules that found something."""
        return frozenset(rule for _, rule in self.findings)

    def count(self, severity: Severity) -> int:
        """How many findings have this severity."""
        return sum(number for (own, _), number in self.findings.items() if own == severity)


def finding_counts(findings: Iterable[Finding]) -> dict[tuple[Severity, str], int]:
    """How many findings there are by severity and rule."""
    return dict(Counter((finding.severity, finding.id) for finding in findings))


def figures_of(trace: Trace) -> RequestSummary:
    """The figures of a request whose trace there is; the comparison with the request before counts among its findings."""
    components = trace.assembly.components if trace.assembly else ()
    return RequestSummary(
        step=Step(trace.turn_id, trace.request),
        decision=trace.gate.decision if trace.gate else None,
        request_tokens=trace.window.request_tokens,
        tool_tokens=trace.window.tool_tokens,
        dropped_units=len(trace.window.dropped),
        dropped_components=sum(row.state == "dropped" for row in components),
        cut_components=sum(row.state == "truncated" for row in components),
        handles=sum(message.state == "handle" for message in trace.messages),
        findings=finding_counts(trace.findings),
    )
