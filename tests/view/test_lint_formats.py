"""Lint reports for machines: valid against the schemas of others, worst first, and never a command of the recording."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import xmlschema

from ctxinspect.errors import InputError, UsageError
from ctxinspect.model.session import Session
from ctxinspect.pipeline.fail_on import BreakHit
from ctxinspect.pipeline.lint_report import Fault, lint_session
from ctxinspect.pipeline.replay import Replay
from ctxinspect.readers import load
from ctxinspect.trace.codes import RULES
from ctxinspect.trace.types import Finding
from ctxinspect.view.lint_formats import (
    PER_SEVERITY,
    fingerprint,
    lint_github,
    lint_junit,
    lint_sarif,
    narrowed,
    read_baseline,
)
from ctxinspect.view.lint_text import FileFaults, lint_json, lint_jsonl, lint_lines
from tests.view.test_html import HOSTILE, foreign_session, hostile_session

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = ROOT / "tests" / "data" / "schemas"
ODD = "a\x00b\ud800c\ufffed\r\n::error::x%0A##[add-mask]y"


def finding(code: str = "missing-result", severity: Any = "error", **more: Any) -> Finding:
    return Finding(code, severity, "ingest", **more)


def fault(code: str = "missing-result", severity: Any = "error", **more: Any) -> Fault:
    return Fault(finding(code, severity, **more), "recorded", (3, 1), 2)


BREAK = BreakHit(2, "budget used>90%", "t4r1.window", 4, 1, "window", "950 of 1000 tokens")


@cache
def reports() -> tuple[FileFaults, ...]:
    """Every rule with every severity, hostile texts in every field, a file without faults."""
    every = tuple(
        fault(
            code,
            severity,
            text=f"{rule.meaning} {HOSTILE} {ODD}",
            line=line,
            path=f"$.x{HOSTILE}",
            call_id=ODD,
            component=HOSTILE,
        )
        for line, (code, rule) in enumerate(RULES.items())
        for severity in ("error", "warning", "info")
    )
    native = lint_session(Replay(Session.model_validate(hostile_session())), profile="strict")
    foreign = lint_session(Replay(foreign_session()), replay_too=True)
    odd = (BreakHit(0, f"text /{HOSTILE}/", "t1", 1, 0, "render", ODD),)
    return (
        FileFaults("runs/every one.json", every, (BREAK,)),
        FileFaults(HOSTILE, native, odd),
        FileFaults(ODD, foreign),
        FileFaults("good.json", ()),
    )


def test_sarif_is_valid_against_its_schema():
    schema = json.loads((SCHEMAS / "sarif-2.1.0.json").read_text("utf-8"))
    validator = jsonschema.Draft4Validator(schema, format_checker=jsonschema.Draft4Validator.FORMAT_CHECKER)
    for given in (reports(), (), reports()[-1:]):
        log = json.loads(lint_sarif(given, "0.1.0"))
        assert [error.message for error in validator.iter_errors(log)] == []
    broken = json.loads(lint_sarif(reports(), "0.1.0"))
    broken["runs"][0]["results"][0]["level"] = "fatal"
    assert list(validator.iter_errors(broken))


def test_sarif_says_where_what_and_how_grave():
    log = json.loads(lint_sarif([FileFaults("runs/a b.json", (fault(line=7, text="gone"),), (BREAK,))], "1.2"))
    (run,) = log["runs"]
    assert run["tool"]["driver"]["version"] == "1.2"
    first, second = run["results"]
    assert (first["ruleId"], first["level"], first["message"]["text"]) == ("missing-result", "error", "gone")
    place = first["locations"][0]["physicalLocation"]
    assert place == {"artifactLocation": {"uri": "runs/a%20b.json"}, "region": {"startLine": 7}}
    assert second["ruleId"] == "breakpoint"
    rules = run["tool"]["driver"]["rules"]
    assert [rules[result["ruleIndex"]]["id"] for result in run["results"]] == ["missing-result", "breakpoint"]


def test_junit_is_valid_against_its_schema():
    schema = xmlschema.XMLSchema(str(SCHEMAS / "junit-10.xsd"))
    for given in (reports(), (), reports()[-1:]):
        schema.validate(lint_junit(given))
    with pytest.raises(xmlschema.XMLSchemaValidationError):
        schema.validate(lint_junit(reports()).replace("<testcase", "<testcases").replace("</testcase>", "</testcases>"))


def test_junit_counts_what_fails():
    schema = xmlschema.XMLSchema(str(SCHEMAS / "junit-10.xsd"))
    faults = (fault(), fault("low-headroom", "warning"), fault("results-reordered", "info"))
    found: Any = schema.to_dict(lint_junit([FileFaults("a.json", faults, (BREAK,)), FileFaults("b.json", ())]))
    assert (found["@tests"], found["@failures"]) == ("5", "3")
    assert [suite["@failures"] for suite in found["testsuite"]] == ["3", "0"]


def test_annotations_come_worst_first_and_within_the_limit():
    faults = [fault("low-headroom", "warning", text=f"w{n}") for n in range(PER_SEVERITY + 2)]
    faults += [fault(text=f"e{n}", line=n + 1) for n in range(3)]
    lines = list(lint_github([FileFaults("a,b:c.json", tuple(faults), (BREAK,))]))
    commands = [line for line in lines if line.startswith("::")]
    assert [line.split(" ")[0] for line in commands] == ["::error"] * 4 + ["::warning"] * PER_SEVERITY
    assert commands[0] == "::error file=a%2Cb%3Ac.json,line=1,title=missing-result::t3r1.ingest e0"
    assert commands[3].startswith('::error file=a%2Cb%3Ac.json,title=break 2 "budget used>90%25"::t4r1.window 950 of')
    assert lines[len(commands)] == "2 more without annotation, because a step shows 10 of each kind:"
    assert lines[-1] == "- a,b:c.json: warning low-headroom t3r1.ingest: w11"


def test_nothing_of_a_recording_is_a_command():
    lines = list(lint_github(reports()))
    for line in lines:
        assert "\n" not in line
        assert "\r" not in line
        trimmed = line.strip()
        if trimmed.startswith("::"):
            assert re.match(r"::(error|warning|notice) file=[^,:]*(,line=\d+)?,title=[^,:]*::", trimmed)
        else:
            assert "##[" not in line
            assert trimmed[0] in "-0123456789"


@pytest.mark.parametrize("write", [lint_github, lint_lines, lint_jsonl])
def test_every_line_is_one_line(write):
    for line in write(reports()):
        assert line.splitlines() == [line]
    if write is not lint_jsonl:
        assert not any(set(line) & {"\x1b", "\u202e", "\x00"} for line in write(reports()))


def test_text_can_be_clicked_and_names_breaks():
    lines = list(lint_lines([FileFaults("a.json", (fault(line=7, call_id="c1", text="gone"),), (BREAK,))]))
    assert lines == [
        "a.json:7: t3r1.ingest E missing-result c1: gone (in 2 requests)",
        'a.json: t4r1.window break 2 "budget used>90%": 950 of 1000 tokens',
        "a.json: 1 error, 0 warnings, 0 info, 1 break",
    ]


def test_json_and_jsonl_hold_the_same():
    files = json.loads(lint_json(reports()))["files"]
    rows = [json.loads(line) for line in lint_jsonl(reports())]
    assert sum(len(file["findings"]) + len(file["breaks"]) for file in files) == len(rows)
    assert files[0]["breaks"][0]["expression"] == "budget used>90%"


def test_a_baseline_hides_what_it_holds_and_nothing_else():
    old = (fault(call_id="c1"), fault(call_id="c2"))
    known = read_baseline(lint_json([FileFaults("a.json", old)]), "base.json")
    new = (*old, fault(call_id="c3"))
    (report,) = narrowed([FileFaults("a.json", new)], select=(), ignore=(), known=known)
    assert [found.finding.call_id for found in report.faults] == ["c3"]
    assert fingerprint("a.json", old[0]) != fingerprint("b.json", old[0])
    assert (
        fingerprint("./runs/a.json", old[0])
        == fingerprint("runs/a.json", old[0])
        == fingerprint("runs\\\\a.json", old[0])
    )


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"files": [{"findings": [{}]}]}', '{"files": [{"findings": [{"fingerprint": 1}]}]}', "[" * 99999],
)
def test_what_is_no_baseline_is_refused(text: str):
    with pytest.raises(InputError, match=r"base\.json"):
        read_baseline(text, "base.json")


def test_rules_are_selected_and_ignored_by_name_or_other_name():
    given = [FileFaults("a", (fault(), fault("bad-call-id"), fault("low-headroom", "warning")))]
    select = narrowed(given, select=("id-too-long, missing-result",), ignore=("missing-result",), known=frozenset())
    assert [found.finding.id for found in select[0].faults] == ["bad-call-id"]
    with pytest.raises(UsageError, match=r"--select: no rule 'mising-result'; did you mean .?missing-result"):
        narrowed(given, select=("mising-result",), ignore=(), known=frozenset())


def test_a_real_report_is_valid_too():
    schema = json.loads((SCHEMAS / "sarif-2.1.0.json").read_text("utf-8"))
    report = FileFaults("broken.json", lint_session(Replay(load(ROOT / "sample_sessions" / "broken.json"))))
    jsonschema.Draft4Validator(schema).validate(json.loads(lint_sarif([report], "0")))
    xmlschema.XMLSchema(str(SCHEMAS / "junit-10.xsd")).validate(lint_junit([report]))
