"""What makes lint fail: a severity, or an expression in the language of breakpoints.

An expression about findings alone judges what lint reports, after everything that narrows the report. Any other one is
asked of every request, and each place where it holds is a reason of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from ctxinspect.errors import UsageError
from ctxinspect.pipeline.breakpoints import Breakpoint
from ctxinspect.pipeline.hit_index import HitIndex
from ctxinspect.pipeline.lint_report import Fault
from ctxinspect.pipeline.predicate import Predicate, finding_matches, parse
from ctxinspect.pipeline.replay import Replay
from ctxinspect.text.nearest import nearest

__all__ = ["BreakHit", "FailOn", "break_hits", "parse_fail_on"]

_RANK = {"error": 3, "warning": 2, "info": 1}
_OF_FINDINGS = frozenset({"finding", "pair"})


@dataclass(frozen=True, slots=True)
class BreakHit:
    """A place where a breakpoint stops: its number (0: `--fail-on`), its expression, the address, one line (raw)."""

    number: int
    expression: str
    address: str
    turn: int
    request: int
    stage: str
    text: str


@dataclass(frozen=True, slots=True)
class FailOn:
    """When lint fails: at or above a severity, or where `predicate` holds; `breakpoint_` asks it of every request."""

    severity: str | None = None
    predicate: Predicate | None = None
    breakpoint_: Breakpoint | None = None

    def fails(self, faults: Iterable[Fault]) -> bool:
        """Whether one of these faults is a reason to fail."""
        if self.severity is not None:
            least = _RANK[self.severity]
            return any(_RANK[fault.finding.severity] >= least for fault in faults)
        if self.predicate is not None:
            return any(finding_matches(self.predicate, fault.finding) for fault in faults)
        return False


def parse_fail_on(text: str) -> FailOn:
    """`error`, `warning`, `info`, or an expression. Raises UsageError that says what is wrong and what would be right."""
    asked = text.strip()
    if asked in _RANK:
        return FailOn(severity=asked)
    try:
        predicate = parse(asked)
    except UsageError as error:
        hint = nearest(asked, list(_RANK)) or str(error)
        msg = f"--fail-on {text!r}: expected error, warning, info or an expression; {hint}"
        raise UsageError(msg) from error
    if _kinds(predicate) <= _OF_FINDINGS:
        return FailOn(predicate=predicate)
    return FailOn(breakpoint_=Breakpoint(0, asked))


def _kinds(predicate: Predicate) -> set[str]:
    if predicate.op == "term":
        return {predicate.kind}
    return {kind for part in predicate.parts for kind in _kinds(part)}


def break_hits(
    replay: Replay, breakpoints: Sequence[Breakpoint], progress: Callable[[int, int], None] | None = None
) -> tuple[BreakHit, ...]:
    """Every place where a breakpoint that is on stops, in session order, in the session's own view.

    Stops that a breakpoint ignores are passed over; one that stops once counts its first stop alone. `progress` is told
    (requests looked at, requests in all). Raises UsageError for an expression that cannot be read.
    """
    asked = [item for item in breakpoints if item.enabled]
    if not asked:
        return ()
    index = HitIndex(replay, [item.expression for item in asked], view=replay.default_view)
    for done, _ in enumerate(index.scan(), 1):
        if progress is not None:
            progress(done, len(replay.steps))
    found = []
    for item in asked:
        hits = index.hits(item.expression)[item.ignore :]
        for hit in hits[:1] if item.once else hits:
            row = BreakHit(item.id, item.expression, hit.address, hit.step.turn, hit.step.request, hit.stage, hit.text)
            found.append((hit.place, item.id, row))
    return tuple(row for _, _, row in sorted(found, key=lambda entry: entry[:2]))
