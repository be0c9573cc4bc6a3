"""Failure cases that people reported: the errors and warnings named there come out, and no others.

`message` is the index in the recorded list; where a reader makes one message of several items or lines, the place in
the file is compared too.
"""

from __future__ import annotations

import pytest

from ctxinspect.lint import judge, plan_repair
from ctxinspect.lint.repair import PAIRING_RULES
from ctxinspect.model.session import Source
from ctxinspect.readers import load
from tests.support.shared import case_file

QUIET: list[tuple[str, int | None, str | None]] = []
LONG_ID = "ws_0123456789abcdef0123456789abcdef0123456789abcdef"

EXPECTED = {
    ("001", "openai"): [("missing-result", 2, "call_vent")],
    ("001", "anthropic"): [("missing-result", 2, "call_vent")],
    ("002", "openai"): [("orphan-result", 1, "call_old")],
    ("004", "openai"): [("duplicate-call-id", 5, "call_x")],
    ("004", "anthropic"): [("duplicate-call-id", 5, "call_x")],
    ("005", "openai"): QUIET,
    ("005", "anthropic"): QUIET,
    ("006", "openai"): [("missing-call-id", 2, None), ("missing-call-id", 3, None)],
    ("008", "openai"): [
        ("missing-call-id", 1, None),
        ("missing-call-id", 1, None),
        ("missing-call-id", 2, None),
        ("missing-call-id", 3, None),
    ],
    ("009", "openai"): [("duplicate-result", 3, "call_w")],
    ("009", "anthropic"): [("duplicate-result", 3, "call_w")],
    ("010", "openai"): [("result-not-adjacent", 2, "call_s")],
    ("012", None): [("orphan-result", 1, "call_1"), ("missing-result", 2, "call_2")],
    ("013", None): QUIET,
    ("015", None): [("duplicate-result", 5, "call_1"), ("duplicate-result", 6, "call_2")],
    ("016", None): [("call-copies-differ", 1, "toolu_7")],
    ("018", "openai"): QUIET,
    ("018", "anthropic"): QUIET,
    ("020", "openai"): [("bad-call-id", 1, LONG_ID)],
    ("020", "anthropic"): [("bad-call-id", 3, "call:7/b")],
    ("021", None): [("missing-name", 2, None)],
    ("023", None): [("missing-result", 1, "toolu_arc")],
    ("025", None): [("call-in-flight", 1, "call_p")],
    ("026", None): [("call-in-flight", 1, "call_1"), ("call-in-flight", 1, "call_3")],
    ("028", None): QUIET,
    ("029", None): QUIET,
    ("034", "gemini"): QUIET,
    ("055", None): QUIET,
    ("057", "openai"): [
        ("null-content", 0, None),
        ("bad-content", 1, None),
        ("bad-content", 2, None),
        ("bad-content", 3, None),
        ("bad-content", 4, None),
    ],
    ("058", "openai"): [("null-content", 1, None), ("null-content", 4, "call_b")],
    ("059", "openai"): QUIET,
    ("059", "anthropic"): [("empty-message", 1, None), ("empty-message", 2, None), ("empty-message", 4, None)],
    ("061", "anthropic"): [("thinking-order", 1, "toolu_o")],
    ("063", "openai"): [("trailing-whitespace", 1, None)],
    ("063", "anthropic"): [("ends-with-assistant", 1, None), ("trailing-whitespace", 1, None)],
    ("064", "openai"): QUIET,
    ("064", "anthropic"): [("system-position", 0, None), ("system-position", 3, None)],
    ("065", "openai"): [("empty-arguments", 1, "call_h"), ("empty-arguments", 7, "call_j")],
    ("065", "strict"): [("empty-arguments", 1, "call_h"), ("empty-arguments", 7, "call_j")],
    ("067", None): QUIET,
    ("080", None): [("lone-surrogate", 0, None), ("lone-surrogate", 2, None)],
    ("081", None): QUIET,
    ("086", None): QUIET,
    ("097", "openai"): [("bad-tool-name", 1, "call_[/x]")],
    ("097", "anthropic"): [("bad-call-id", 1, "call_[/x]"), ("bad-tool-name", 1, "call_[/x]")],
    ("101", None): [("hidden-characters", line, None) for line in range(10)],
    ("104", None): [("hidden-characters", line, None) for line in (0, 1, 2, 3, 6, 7)],
}

WARNINGS = {
    "ambiguous-pair",
    "call-copies-differ",
    "ends-with-assistant",
    "hidden-characters",
    "lone-surrogate",
    "trailing-whitespace",
}
WARNINGS_UNDER = {
    ("openai", "duplicate-call-id"),
    ("openai", "bad-call-id"),
    ("openai", "empty-arguments"),
}


def findings_of(number, profile=None):
    session = load(case_file(number))
    source = session.source
    assert isinstance(source, Source)
    profile = profile or source.dialect or "openai"
    return [
        finding
        for recorded in session.recorded
        for finding in judge(
            recorded.messages,
            profile=profile,
            tools=recorded.tools,
            transcript=source.family == "transcript",
            partial=recorded.partial is not None,
            thinking=recorded.thinking,
            model=recorded.model,
        )
        if finding.severity != "info"
    ]


@pytest.mark.parametrize(("number", "profile"), list(EXPECTED), ids=str)
def test_the_named_findings_come_out_and_no_others(number, profile):
    found = findings_of(number, profile)
    assert [(finding.id, finding.message, finding.call_id) for finding in found] == EXPECTED[number, profile]
    for finding in found:
        warns = finding.id in WARNINGS or (profile, finding.id) in WARNINGS_UNDER
        if (profile, finding.id) == ("anthropic", "system-position"):
            warns = finding.message != 0
        assert finding.severity == ("warning" if warns else "error")


@pytest.mark.parametrize(
    ("number", "places"),
    [
        ("012", [("$.input[1]", None), ("$.input[3]", None)]),
        ("023", [("$.message.content[0]", 3)]),
        (
            "059",
            [("$.messages[1].content[0]", None), ("$.messages[2].content[0]", None), ("$.messages[4].content", None)],
        ),
        ("061", [("$.messages[1].content[0]", None)]),
    ],
)
def test_places_in_the_file_are_named(number, places):
    assert [(finding.path, finding.line) for finding in findings_of(number)] == places


def test_the_first_of_two_results_is_named():
    (finding,) = findings_of("009")
    assert "message 2" in finding.text


def test_without_thinking_no_thinking_is_missing():
    session = load(case_file("061"))
    assert judge(session.recorded[0].messages, profile="anthropic", thinking=False) == ()


def test_a_window_that_opens_on_a_call_is_an_error_for_gemini():
    messages = load(case_file("034")).recorded[0].messages
    opened = (messages[0], *messages[2:])
    faults = judge(opened, profile="gemini")
    assert [(fault.id, fault.severity, fault.message) for fault in faults] == [("role-order", "error", 1)]
    assert [fault.severity for fault in judge(opened, profile="openai")] == ["warning"]


@pytest.mark.parametrize("number", ["001", "002", "009", "010", "015", "023", "025", "026"])
def test_a_repair_of_the_case_leaves_no_pairing_error(number):
    session = load(case_file(number))
    assert isinstance(session.source, Source)
    profile = session.source.dialect or "openai"
    repair = plan_repair(session.recorded[0].messages, profile=profile)
    assert repair.steps
    assert not [f for f in judge(repair.messages, profile=profile) if f.id in PAIRING_RULES and f.severity == "error"]
