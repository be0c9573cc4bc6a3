"""Lint of a whole session: each fault once, with the first request that shows it and how many do.

A foreign file is judged as recorded (and, where asked, as replayed too); a native one as replayed. Two findings are one
fault where rule, turn, call and component are the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from ctxinspect.lint import judge
from ctxinspect.model.session import RecordedCall, Session, Source
from ctxinspect.pipeline.judged import Judge, profile_of
from ctxinspect.pipeline.native_places import component_place, message_place
from ctxinspect.pipeline.plan import Step
from ctxinspect.pipeline.recorded import turn_of_message
from ctxinspect.pipeline.replay import Replay, View
from ctxinspect.trace.types import STAGES, Finding

__all__ = ["Fault", "fault_place", "lint_session", "source_findings"]


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault: its finding as first seen, the view and request that first shows it, how many requests do."""

    finding: Finding
    view: View
    first: tuple[int, int] | None
    requests: int


def lint_session(
    replay: Replay,
    *,
    profile: str | None = None,
    replay_too: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Fault, ...]:
    """Every fault of a session, in pipeline order, then by place.

    `profile` overrides the session's own dialect; `progress` is told (requests done, requests in all).
    """
    session = replay.session
    faults = [Fault(finding, "recorded", None, 1) for finding in source_findings(session)]
    if session.foreign:
        faults += _gather(_recorded(session, profile), "recorded")
    if replay_too or not session.foreign:
        found = _gather(_replayed(replay, profile, progress), "replay")
        faults += found if session.foreign else [_placed(replay, fault) for fault in found]
    return tuple(sorted(faults, key=fault_place))


def source_findings(session: Session) -> tuple[Finding, ...]:
    """What the reader could not read or had to mend, as findings of the stage `ingest`."""
    if not isinstance(session.source, Source):
        return ()
    return tuple(
        Finding(
            problem.rule,
            problem.severity,
            "ingest",
            path=problem.path,
            line=problem.line,
            text=problem.message,
        )
        for problem in session.source.problems
    )


def _recorded(session: Session, profile: str | None) -> Iterator[tuple[tuple[int, int], Iterable[Finding]]]:
    for call in session.recorded:
        yield (call.turn, call.request), judge_call(session, call, profile)


def judge_call(session: Session, call: RecordedCall, profile: str | None = None) -> tuple[Finding, ...]:
    """Findings of one recorded call, as it stood in the file."""
    found = judge(
        call.messages,
        profile=profile or profile_of(session),
        tools=call.tools if call.tools is not None else (session.tools or None),
        recording=True,
        transcript=isinstance(session.source, Source) and session.source.family == "transcript",
        partial=call.partial is not None,
        thinking=call.thinking,
        model=call.model or session.model,
    )
    out = []
    for finding in found:
        turn = turn_of_message(call, finding.message) if finding.message is not None else None
        out.append(replace(finding, stage="ingest", turn_id=call.turn if turn is None else turn))
    return tuple(out)


def _replayed(
    replay: Replay, profile: str | None, progress: Callable[[int, int], None] | None
) -> Iterator[tuple[tuple[int, int], Iterable[Finding]]]:
    judge = Judge(replay.session, profile) if profile is not None else None
    for done, step in enumerate(replay.steps):
        if progress is not None:
            progress(done, len(replay.steps))
        yield (step.turn, step.request), replay.findings(step, judge=judge)


def _placed(replay: Replay, fault: Fault) -> Fault:
    """The fault with its path in the native session, where it is about a part of it."""
    finding = fault.finding
    if finding.path is not None or fault.first is None:
        return fault
    place = component_place(replay.session, finding)
    if place is None and finding.message is not None:
        message = replay.request(Step(*fault.first)).window.messages[finding.message]
        place = message_place(replay.session, message, finding.call_id)
    return fault if place is None else replace(fault, finding=replace(finding, path=place))


def _gather(found: Iterable[tuple[tuple[int, int], Iterable[Finding]]], view: View) -> list[Fault]:
    faults: dict[tuple[object, ...], Fault] = {}
    for request, findings in found:
        seen: set[tuple[object, ...]] = set()
        for finding in findings:
            key: tuple[object, ...] = (finding.id, finding.turn_id, finding.call_id, finding.component)
            if finding.call_id is None and finding.component is None:
                key = (*key, finding.path)
            known = faults.get(key)
            if known is None:
                faults[key] = Fault(finding, view, request, 1)
            elif key not in seen:
                faults[key] = replace(known, requests=known.requests + 1)
            seen.add(key)
    return list(faults.values())


def fault_place(fault: Fault) -> tuple[int, int, int, int, str, str]:
    """What faults are sorted by: stage, turn, line, message, rule, subject."""
    finding = fault.finding
    return (
        STAGES.index(finding.stage),
        finding.turn_id if finding.turn_id is not None else -1,
        finding.line or 0,
        finding.message if finding.message is not None else -1,
        finding.id,
        finding.call_id or finding.component or "",
    )
