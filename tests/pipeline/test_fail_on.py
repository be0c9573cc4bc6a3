"""Lint fails at a severity, where an expression holds for a finding, or where a breakpoint stops in a request."""

from __future__ import annotations

import pytest

from ctxinspect.errors import UsageError
from ctxinspect.model.session import Session
from ctxinspect.pipeline.breakpoints import Breakpoint
from ctxinspect.pipeline.fail_on import break_hits, parse_fail_on
from ctxinspect.pipeline.lint_report import Fault
from ctxinspect.pipeline.predicate import find_hits, parse
from ctxinspect.pipeline.replay import Replay
from ctxinspect.trace.types import Finding, Severity


def fault(code: str, severity: Severity, call: str | None = None) -> Fault:
    return Fault(Finding(code, severity, "render", turn_id=3, call_id=call), "replay", (3, 0), 1)


FAULTS = (fault("missing-result", "error", "c1"), fault("low-headroom", "warning"), fault("history-trimmed", "info"))


def replay() -> Replay:
    turns = [{"user": f"question {n} about port {n}", "assistant": "answer " * 20} for n in range(4)]
    return Replay(Session.model_validate({"format": "ctxinspect/1", "turns": turns, "context": {"history": "full"}}))


@pytest.mark.parametrize(("text", "given", "fails"), [
    ("error", FAULTS, True),
    ("error", FAULTS[1:], False),
    ("warning", FAULTS[1:], True),
    ("info", FAULTS[2:], True),
    ("info", (), False),
    ("finding", FAULTS[2:], True),
    ("pair", FAULTS[1:], False),
    ("pair", FAULTS, True),
    ("finding severity>=warning and not finding id=low-headroom", FAULTS[1:], False),
    ("finding id=/-trimmed$/ or pair", FAULTS[2:], True),
    ("finding call=c1", FAULTS, True),
    ("finding call=c2", FAULTS, False),
    ("finding turn>3", FAULTS, False),
])  # fmt: skip
def test_faults_fail_by_severity_or_expression(text: str, given: tuple[Fault, ...], fails: bool):
    gate = parse_fail_on(text)
    assert gate.breakpoint_ is None
    assert gate.fails(given) is fails


def test_an_expression_about_more_than_findings_is_asked_of_every_request():
    gate = parse_fail_on("finding severity=error or budget used>1%")
    assert gate.breakpoint_ == Breakpoint(0, "finding severity=error or budget used>1%")
    assert not gate.fails(FAULTS)


@pytest.mark.parametrize(("text", "said"), [
    ("eror", 'did you mean "error"?'),
    ("", "expected error, warning, info or an expression"),
    ("finding sevrity=error", 'did you mean "severity"?'),
    ("bugdet used>3", 'did you mean "budget"?'),
    ("finding severity=grave", "not 'grave'"),
])  # fmt: skip
def test_what_makes_no_sense_is_refused_with_the_nearest_name(text: str, said: str):
    with pytest.raises(UsageError, match="--fail-on") as caught:
        parse_fail_on(text)
    assert said in str(caught.value)


def test_hits_are_the_places_of_the_expression_in_session_order():
    given = replay()
    found = break_hits(given, [Breakpoint(2, "drop or at 1"), Breakpoint(1, "text /port 2/")])
    assert {(hit.expression, hit.address) for hit in found} == {
        (text, hit.address) for text in ("drop or at 1", "text /port 2/") for hit in find_hits(given, parse(text))
    }
    assert [hit.turn for hit in found] == sorted(hit.turn for hit in found)
    assert {hit.number for hit in found} == {1, 2}


def test_switched_off_ignored_and_single_stops_are_honoured():
    given = replay()
    every = break_hits(given, [Breakpoint(1, "text /port 0/")])
    assert [hit.turn for hit in every] == [0, 1, 2, 3]
    assert break_hits(given, [Breakpoint(1, "text /port 0/", enabled=False)]) == ()
    assert break_hits(given, [Breakpoint(1, "text /port 0/", ignore=3)]) == every[3:]
    assert break_hits(given, [Breakpoint(1, "text /port 0/", once=True, ignore=1)]) == every[1:2]


def test_progress_is_told_once_per_request():
    told: list[tuple[int, int]] = []
    break_hits(replay(), [Breakpoint(1, "drop")], lambda done, total: told.append((done, total)))
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]
