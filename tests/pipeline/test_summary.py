"""A summary has the figures of the trace, and makes none."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from ctxinspect.model.session import Session
from ctxinspect.pipeline.replay import Replay
from ctxinspect.readers import load
from ctxinspect.view.inspection import summarize
from tests.benchmarks.generate import long_session, session_data

SAMPLES = sorted((Path(__file__).resolve().parents[2] / "sample_sessions").glob("*.json"))


def figures(trace):
    """The same figures, read from a whole trace."""
    components = trace.assembly.components if trace.assembly else ()
    return {
        "decision": trace.gate.decision if trace.gate else None,
        "request_tokens": trace.window.request_tokens,
        "tool_tokens": trace.window.tool_tokens,
        "dropped_units": len(trace.window.dropped),
        "dropped_components": sum(row.state == "dropped" for row in components),
        "cut_components": sum(row.state == "truncated" for row in components),
        "handles": sum(message.state == "handle" for message in trace.messages),
        "findings": Counter((f.severity, f.id) for f in trace.findings if f.id != "cache-prefix-break"),
    }


def compare(session: Session, view):
    replay = Replay(session)
    for step in replay.steps:
        summary = replay.summary(step, view=view)
        expected = figures(replay.trace(*step, view=view, ledger=False))
        assert summary.step == step
        assert summarize(summary) == summarize(replay.trace(*step, view=view, ledger=False))
        assert {name: getattr(summary, name) for name in expected} == expected
        assert summary.rules == {rule for _, rule in expected["findings"]}
        for severity in ("error", "warning", "info"):
            assert summary.count(severity) == sum(n for (s, _), n in expected["findings"].items() if s == severity)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_the_figures_are_those_of_the_trace(path):
    compare(load(path), "replay")


@pytest.mark.parametrize("history", ["gatekeeper", "full"])
def test_so_they_are_under_pressure(history):
    compare(long_session(40, history=history, window={"context_tokens": 9000}), "replay")


def test_so_they_are_in_the_recorded_view(tmp_path):
    messages = [{"role": "user", "content": turn["user"]} for turn in session_data(4)["turns"]]
    messages.insert(1, {"role": "assistant", "content": None, "tool_calls": [{"id": "a", "type": "function", "function": {"name": "f", "arguments": "{"}}]})  # fmt: skip
    path = tmp_path / "body.json"
    path.write_text(json.dumps({"model": "gpt-4o", "messages": messages}), "utf-8")
    session = load(path)
    compare(session, "recorded")
    assert Replay(session).summary(Replay(session).steps[-1], view="recorded").count("error")


def test_under_the_full_history_no_selection_is_made_for_it():
    replay = Replay(long_session(20, history="full"))
    for step in replay.steps:
        replay.summary(step)
    assert replay.work.selections == 0
