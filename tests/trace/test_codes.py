"""The registry of rule codes: complete, consistent with the table of profiles, and able to explain itself."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ctxinspect.errors import UsageError
from ctxinspect.pipeline.fail_on import parse_fail_on
from ctxinspect.pipeline.lint_report import Fault
from ctxinspect.trace.codes import (
    ALIASES,
    PROFILE_NAMES,
    RULES,
    explain,
    provider_lines,
    rule_named,
    silence_sentence,
    unanswered_sentence,
)
from ctxinspect.trace.types import STAGES, Finding
from tests.support.shared import shared_folder

PACKAGE = Path(__file__).resolve().parents[2] / "ctxinspect"

ERRORS = """orphan-result missing-result duplicate-result result-not-adjacent bad-arguments-json null-content bad-content
no-user-message over-budget missing-name unreadable-record pinned-dropped tools-over-budget system-over-budget
tool-schema-unreadable history-in-system"""
WARNINGS = """ambiguous-pair unknown-tool call-copies-differ dangling-parent lone-surrogate hidden-characters
secret-in-context trailing-whitespace unused-budget priority-inversion low-headroom placeholder-unfilled
variable-not-rendered"""
INFOS = "results-reordered history-trimmed content-filter-skipped cache-prefix-break answer-before-evidence"
TABLE = {
    "missing-call-id": "E E E - E",
    "duplicate-call-id": "W W E - E",
    "bad-call-id": "W W E - E",
    "bad-tool-name": "E E E E E",
    "result-after-text": "- - E W E",
    "empty-message": "- - E E E",
    "system-position": "-,- -,- E,W E,E -,E",
    "role-order": "W W E,- E,E E",
    "consecutive-role": "- - - W E",
    "ends-with-assistant": "- - W W E",
    "thinking-order": "- - E - E",
    "reasoning-orphan": "- E - - E",
    "call-in-flight": "E E E E E",
    "empty-arguments": "W W W - E",
}
LETTERS = {"E": "error", "W": "warning", "-": None}


def test_every_rule_is_there_and_no_other():
    assert set(RULES) == {*ERRORS.split(), *WARNINGS.split(), *INFOS.split(), *TABLE}


@pytest.mark.parametrize(("severity", "listed"), [("error", ERRORS), ("warning", WARNINGS), ("info", INFOS)])
def test_rules_without_profile_have_their_severity(severity, listed):
    assert {RULES[code].severity for code in listed.split()} == {severity}


def test_the_table_is_that_of_the_specification():
    page = (shared_folder("spec") / "6-trace.md").read_text(encoding="utf-8")
    rows = {
        code: row for code, row in re.findall(r"^\| `([a-z-]+)`[^|]*\| (.+) \|$", page, re.MULTILINE) if code in TABLE
    }
    assert {code: [cell.replace(" ", "") for cell in row.split("|")] for code, row in rows.items()} == {
        code: cells.split() for code, cells in TABLE.items()
    }


@pytest.mark.parametrize("code", sorted(TABLE))
def test_rules_with_profiles_have_the_severities_of_the_table(code):
    rule = RULES[code]
    for profile, cell in zip(PROFILE_NAMES, TABLE[code].split(), strict=True):
        letters = cell.split(",")
        assert rule.severity_under(profile, 0) == LETTERS[letters[0]]
        if len(letters) == 2:
            assert rule.severity_under(profile, 1) == LETTERS[letters[1]]


def test_one_id_twice_in_one_message_is_an_error_under_every_profile():
    assert {RULES["duplicate-call-id"].severity_under(profile, 1) for profile in PROFILE_NAMES} == {"error"}


@pytest.mark.parametrize("code", sorted(RULES))
def test_a_rule_explains_itself(code):
    rule, text = RULES[code], explain(code)
    assert text.startswith(f"{code} (")
    assert text.endswith("\n")
    for part in (rule.meaning, rule.cause, rule.remedy):
        assert part
        assert part in text
        assert part.endswith((".", "`"))
    for heading in ("How it happens", "How to fix it", "Before", "After", "What each API does", "How to silence it"):
        assert f"\n{heading}\n" in text
    assert rule.before != rule.after
    assert rule.stage in STAGES


@pytest.mark.parametrize("code", sorted(RULES))
def test_every_word_of_advice_on_silence_works(code):
    text = silence_sentence(RULES[code])
    assert f"`lint --ignore {code}`" in text
    for expression in re.findall(r"--fail-on '([^']+)'", text):
        wanted, other = Finding(code, "error", "ingest"), Finding("over-budget", "error", "window")
        gate = parse_fail_on(expression)
        assert not gate.fails([Fault(wanted, "replay", None, 1)])
        assert gate.fails([Fault(other, "replay", None, 1)]) is (code != "over-budget")


@pytest.mark.parametrize("code", sorted(RULES))
def test_what_each_api_does_is_said_for_every_rule(code):
    rule = RULES[code]
    lines = provider_lines(rule)
    assert [name for name, *_ in lines] in ([], list(PROFILE_NAMES))
    assert lines or unanswered_sentence(rule) in explain(code)


def test_a_rule_by_profile_says_what_each_api_does():
    lines = provider_lines(RULES["ends-with-assistant"])
    assert [name for name, *_ in lines] == list(PROFILE_NAMES)
    assert "prefill" in explain("ends-with-assistant")


def test_no_answer_contradicts_the_severity_beside_it():
    for rule in RULES.values():
        for profile, severity, answer in provider_lines(rule):
            if answer.removesuffix(".") == "accepts it":
                assert "error" not in severity, (rule.code, profile)
            if answer == "refuses the request.":
                assert "not reported" not in severity, (rule.code, profile)


def test_two_cases_are_told_apart():
    assert "warning (a later one)" in explain("system-position")


@pytest.mark.parametrize(("alias", "code"), sorted(ALIASES.items()))
def test_other_names_of_a_rule_are_understood(alias, code):
    assert rule_named(alias).code == code


def test_an_unknown_rule_names_the_nearest():
    with pytest.raises(UsageError, match="orphan-result"):
        explain("orphan-results")


def test_no_part_of_the_program_raises_a_code_that_is_not_registered():
    raised = re.compile(r"(?:Finding\(\s*|rule=|code = |PairingFault\(\s*)\"([a-z]+(?:-[a-z]+)+)\"")
    for path in sorted(PACKAGE.rglob("*.py")):
        for code in raised.findall(path.read_text(encoding="utf-8")):
            assert code in RULES, f"{path.name} raises {code}, which is not registered"
