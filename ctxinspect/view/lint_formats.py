"""Lint reports for machines: SARIF 2.1.0, JUnit XML and workflow annotations; and what narrows a report.

Every text of a recording is data here: escaped for its format, control characters made visible, never a command.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from posixpath import normpath
from typing import Any
from urllib.parse import quote
from xml.sax.saxutils import escape, quoteattr

from ctxinspect.errors import InputError, UsageError
from ctxinspect.pipeline.fail_on import BreakHit
from ctxinspect.pipeline.lint_report import Fault
from ctxinspect.text.sanitize import sanitize, sanitize_lines
from ctxinspect.trace.codes import RULES, rule_named
from ctxinspect.view.lint_text import FileFaults, break_name

__all__ = ["PER_SEVERITY", "fingerprint", "lint_github", "lint_junit", "lint_sarif", "narrowed", "read_baseline"]

PER_SEVERITY = 10
"""Annotations that a step may show of each kind; more are counted in one line."""

_BREAK = "breakpoint"
_LEVEL = {"error": "error", "warning": "warning", "info": "note"}
_COMMAND = {"error": "error", "warning": "warning", "info": "notice"}


def narrowed(
    reports: Sequence[FileFaults], *, select: Sequence[str], ignore: Sequence[str], known: frozenset[str]
) -> list[FileFaults]:
    """The reports with only selected rules, without ignored ones and without faults of the baseline.

    Rules are comma-separated codes. Raises UsageError for a code that is no rule.
    """
    wanted, unwanted = _codes(select, "--select"), _codes(ignore, "--ignore")
    out = []
    for report in reports:
        faults = tuple(
            fault
            for fault in report.faults
            if (not wanted or fault.finding.id in wanted)
            and fault.finding.id not in unwanted
            and fingerprint(report.file, fault) not in known
        )
        out.append(replace(report, faults=faults))
    return out


def _codes(given: Sequence[str], option: str) -> frozenset[str]:
    codes = [code.strip() for text in given for code in text.split(",") if code.strip()]
    try:
        return frozenset(rule_named(code).code for code in codes)
    except UsageError as error:
        msg = f"{option}: {error}"
        raise UsageError(msg) from error


def fingerprint(file: str, fault: Fault) -> str:
    """What a fault is known by from run to run: file, rule, turn, call, component, path; no line, no sentence.

    `./runs/a.json` and `runs/a.json` are the same file, whatever separates their folders.
    """
    finding = fault.finding
    parts = [
        normpath(file.replace("\\", "/")),
        fault.view,
        finding.id,
        finding.turn_id,
        finding.call_id,
        finding.component,
        finding.path,
    ]
    return _hashed(parts)


def _hashed(parts: list[Any]) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:32]


def read_baseline(text: str, name: str) -> frozenset[str]:
    """The faults of an earlier `--format json` report. Raises InputError where the text is none."""
    try:
        files = json.loads(text)["files"]
        known = [print_ for file in files for row in file["findings"] for print_ in [row["fingerprint"]]]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        msg = f"{name}: no baseline; expected the output of `ctxinspect lint --format json`"
        raise InputError(msg) from error
    if not all(isinstance(item, str) for item in known):
        msg = f"{name}: no baseline; a fingerprint is not a string"
        raise InputError(msg)
    return frozenset(known)


def lint_sarif(reports: Sequence[FileFaults], version: str) -> str:
    """SARIF 2.1.0: one run, the rules that were broken, one result a fault."""
    codes = sorted({fault.finding.id for report in reports for fault in report.faults})
    rules = [_sarif_rule(code) for code in codes]
    results = [
        _sarif_result(report.file, fault, codes.index(fault.finding.id))
        for report in reports
        for fault in report.faults
    ]
    if any(report.breaks for report in reports):
        meaning = "A breakpoint of the gate stops here."
        rules.append({"id": _BREAK, "shortDescription": {"text": meaning}})
        results += [_sarif_break(report.file, hit, len(codes)) for report in reports for hit in report.breaks]
    driver = {"name": "ctxinspect", "version": version, "rules": rules}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    log = {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2)


def _sarif_rule(code: str) -> dict[str, Any]:
    rule = RULES.get(code)
    if rule is None:
        return {"id": code}
    return {
        "id": code,
        "shortDescription": {"text": rule.meaning},
        "fullDescription": {"text": rule.cause},
        "help": {"text": rule.remedy},
        "defaultConfiguration": {"level": _LEVEL[rule.gravest]},
    }


def _sarif_result(file: str, fault: Fault, index: int) -> dict[str, Any]:
    finding = fault.finding
    place = _sarif_place(file)
    if finding.line is not None and finding.line >= 1:
        place["region"] = {"startLine": finding.line}
    return {
        "ruleId": finding.id,
        "ruleIndex": index,
        "level": _LEVEL[finding.severity],
        "message": {"text": _plain(finding.text) or finding.id},
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {"ctxinspect/1": fingerprint(file, fault)},
        "properties": {"stage": finding.stage, "turn": finding.turn_id, "view": fault.view},
    }


def _sarif_place(file: str) -> dict[str, Any]:
    """Relative paths stay relative, as code hosts want them; backslashes of Windows are separators."""
    return {"artifactLocation": {"uri": quote(_plain(file).replace("\\", "/"), safe="/:")}}


def _sarif_break(file: str, hit: BreakHit, index: int) -> dict[str, Any]:
    text = f"{hit.address} {break_name(hit)}: {_plain(hit.text)}"
    return {
        "ruleId": _BREAK,
        "ruleIndex": index,
        "level": "error",
        "message": {"text": text},
        "locations": [{"physicalLocation": _sarif_place(file)}],
        "partialFingerprints": {"ctxinspect/1": _hashed([file, hit.expression, hit.address])},
        "properties": {"stage": hit.stage, "turn": hit.turn},
    }


def lint_junit(reports: Sequence[FileFaults]) -> str:
    """JUnit XML: one suite a file, one failing case an error or warning, one passing case where there is none."""
    suites, tests, failures = [], 0, 0
    for report in reports:
        cases = [_junit_case(report.file, fault) for fault in report.faults]
        cases += [_junit_break(report.file, hit) for hit in report.breaks]
        failed = sum(fault.finding.severity != "info" for fault in report.faults) + len(report.breaks)
        if not cases:
            cases = [f'    <testcase classname={_attribute(report.file)} name="lint"/>']
        tests, failures = tests + len(cases), failures + failed
        head = f'  <testsuite name={_attribute(report.file)} tests="{len(cases)}" failures="{failed}" errors="0">'
        suites += [head, *cases, "  </testsuite>"]
    top = f'<testsuites name="ctxinspect lint" tests="{tests}" failures="{failures}" errors="0">'
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', top, *suites, "</testsuites>"])


def _junit_case(file: str, fault: Fault) -> str:
    finding = fault.finding
    name = _attribute(" ".join([finding.id, _where(fault)]).strip())
    text = _plain(finding.text)
    head = f"    <testcase classname={_attribute(file)} name={name}"
    if finding.severity == "info":
        return f"{head}><system-out>{escape(text)}</system-out></testcase>"
    return f'{head}><failure type="{finding.severity}" message={_attribute(text)}>{escape(text)}</failure></testcase>'


def _junit_break(file: str, hit: BreakHit) -> str:
    name, text = _attribute(f"{hit.address} {break_name(hit)}"), _plain(hit.text)
    failure = f'<failure type="break" message={_attribute(text)}>{escape(text)}</failure>'
    return f"    <testcase classname={_attribute(file)} name={name}>{failure}</testcase>"


def lint_github(reports: Sequence[FileFaults]) -> Iterator[str]:
    """Workflow commands, worst first, at most PER_SEVERITY of each kind; the rest as plain text behind them.

    No line holds a line break of the recording and a plain line starts with a dash, so nothing of a recording can be
    taken for a command.
    """
    rest: list[str] = []
    for severity, command in _COMMAND.items():
        found = [(report.file, fault) for report in reports for fault in report.faults if _is(fault, severity)]
        commands = [_annotation(command, file, fault) for file, fault in found]
        plain = [_plain_line(file, severity, fault) for file, fault in found]
        if severity == "error":
            stops = [(report.file, hit) for report in reports for hit in report.breaks]
            commands += [_command(command, file, None, break_name(h), f"{h.address} {h.text}") for file, h in stops]
            plain += [_inert(f"{file}: {h.address} {break_name(h)}: {h.text}") for file, h in stops]
        yield from commands[:PER_SEVERITY]
        rest += plain[PER_SEVERITY:]
    if rest:
        yield f"{len(rest)} more without annotation, because a step shows {PER_SEVERITY} of each kind:"
        yield from rest


def _annotation(command: str, file: str, fault: Fault) -> str:
    text = " ".join(filter(None, [_where(fault), fault.finding.text]))
    return _command(command, file, fault.finding.line, fault.finding.id, text)


def _command(command: str, file: str, line: int | None, title: str, text: str) -> str:
    place = f"file={_property(file)}" + (f",line={line}" if line is not None else "")
    return f"::{command} {place},title={_property(title)}::{_data(text)}"


def _plain_line(file: str, severity: str, fault: Fault) -> str:
    line = "" if fault.finding.line is None else f":{fault.finding.line}"
    return _inert(f"{file}{line}: {severity} {fault.finding.id} {_where(fault)}: {fault.finding.text}")


def _inert(text: str) -> str:
    """One line that is no command: the runner looks for `::` at the start of a trimmed line, and for `##[` anywhere."""
    return "- " + sanitize(text).replace("##[", "## [")


def _is(fault: Fault, severity: str) -> bool:
    return fault.finding.severity == severity


def _where(fault: Fault) -> str:
    finding = fault.finding
    address = "" if fault.first is None else f"t{fault.first[0]}r{fault.first[1]}.{finding.stage}"
    return " ".join(filter(None, [address, finding.call_id or finding.component, finding.path]))


def _plain(text: str) -> str:
    """The text without what no XML or JSON consumer takes: controls made visible, lone surrogates replaced."""
    return "".join(
        "\ufffd" if "\ud800" <= char <= "\udfff" or char in "\ufffe\uffff" else char for char in sanitize_lines(text)
    )


def _attribute(text: str) -> str:
    return quoteattr(_plain(text))


def _data(text: str) -> str:
    return _plain(text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
