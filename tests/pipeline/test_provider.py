"""A replay is judged by the provider asked for: severities of the sequence stage follow its profile."""

from __future__ import annotations

import pytest

from ctxinspect.pipeline.lint_report import lint_session
from ctxinspect.pipeline.replay import Replay
from tests.support.build import call, result, round_, session, turn

TWICE = round_([call("x"), call("x")], [result("x"), result("x")])
AGAIN = round_([call("x")], [result("x")])


def severities(profile, code):
    replay = Replay(session(turn("a", "b", TWICE, AGAIN, round_([call(None)], [result(None)])), turn("n", "m")))
    faults = lint_session(replay, profile=profile)
    return [fault.finding.severity for fault in faults if fault.finding.id == code]


@pytest.mark.parametrize(
    ("profile", "expected"),
    [
        (None, ["error", "warning"]),
        ("openai", ["error", "warning"]),
        ("anthropic", ["error", "error"]),
        ("gemini", ["error"]),
    ],
)
def test_a_duplicate_id_is_as_grave_as_the_provider_has_it(profile, expected):
    assert severities(profile, "duplicate-call-id") == expected


@pytest.mark.parametrize(("profile", "known"), [("openai", True), ("gemini", False)])
def test_a_missing_id_is_nothing_to_gemini(profile, known):
    assert bool(severities(profile, "missing-call-id")) is known
