"""A row of the audit is the trace's and lint's own numbers; no cell of it is a formula."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from ctxinspect.errors import UsageError
from ctxinspect.model.session import Session
from ctxinspect.pipeline.lint_report import lint_session
from ctxinspect.pipeline.replay import Replay
from ctxinspect.readers import load
from ctxinspect.view.audit import AuditRow, audit_row, audit_text, format_of, unread_row
from tests.support.shared import case_file

SAMPLES = Path(__file__).resolve().parents[2] / "sample_sessions"


def test_the_numbers_are_those_of_trace_and_lint():
    replay = Replay(load(SAMPLES / "network_ops.json"))
    row = audit_row("n", replay)
    traces = [replay.trace(*step, ledger=False) for step in replay.steps]
    assert (row.turns, row.requests) == (len(replay.session.turns), len(traces))
    assert row.last_request == traces[-1].window.request_tokens + traces[-1].window.tool_tokens
    assert row.trimmed == sum(bool(trace.window.dropped) for trace in traces)
    assert row.switches == len({t.turn_id for t in traces if t.gate is not None and t.gate.decision == "switch"})
    faults = lint_session(replay)
    assert (row.errors, row.warnings) == tuple(
        sum(f.finding.severity == s for f in faults) for s in ("error", "warning")
    )
    assert row.reusable is not None
    assert 0 < row.reusable < 1


def test_a_recording_has_the_faults_of_its_file():
    row = audit_row("001", Replay(load(case_file("001"))))
    assert (row.view, row.errors, row.rules, row.switches) == ("recorded", 1, "missing-result:1", None)


def test_the_three_formats_hold_the_same():
    rows = [audit_row("a", Replay(load(SAMPLES / "home_assistant.json"))), unread_row("b", "b: cut short")]
    plain = json.loads(audit_text(rows, "json"))
    assert plain == [json.loads(line) for line in audit_text(rows, "jsonl").splitlines()]
    table = list(csv.DictReader(io.StringIO(audit_text(rows, "csv"))))
    assert [set(row) for row in table] == [set(row) for row in plain]
    assert table[1]["problem"] == "b: cut short"
    assert table[0]["requests"] == str(plain[0]["requests"])


@pytest.mark.parametrize("title", ["=1+1", "+1", "-1", "@x", "\t=1", "a\nb\x1b[31m", 'say "hi", twice'])
def test_no_cell_is_a_formula_or_breaks_a_line(title: str):
    session = Session.model_validate({"format": "ctxinspect/1", "title": title, "turns": [{"user": "hi"}]})
    lines = audit_text([audit_row("f", Replay(session))], "csv").splitlines()
    assert len(lines) == 2
    cell = next(csv.DictReader(io.StringIO("\n".join(lines))))["title"]
    assert not cell.startswith(("=", "+", "-", "@", "\t"))
    assert "\x1b" not in cell


def test_a_session_without_turns_has_a_row():
    row = audit_row("e", Replay(Session.model_validate({"format": "ctxinspect/1"})))
    assert (row.turns, row.requests, row.largest_request, row.reusable) == (0, 0, None, None)
    assert isinstance(row, AuditRow)


def test_the_ending_of_a_name_is_the_format():
    assert [format_of(name) for name in ("a.csv", "b.JSON", "c.d.jsonl")] == ["csv", "json", "jsonl"]
    with pytest.raises(UsageError, match=r"a\.txt: expected a name that ends in \.csv, \.json, \.jsonl"):
        format_of("a.txt")
