"""Lint reports as JSON and as text: `file:line: t4r1.render E missing-result c7: sentence`, greppable and clickable.

Where a breakpoint stops is a line of its own: `file: t4r1.window break 2 "budget used>0.9": sentence`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ctxinspect.pipeline.fail_on import BreakHit, FailOn
from ctxinspect.pipeline.lint_report import Fault
from ctxinspect.text.sanitize import one_line, sanitize
from ctxinspect.view.jsonable import dump, jsonable
from ctxinspect.view.overview import Overview

__all__ = ["FileFaults", "break_name", "failing", "lint_json", "lint_jsonl", "lint_lines"]

_RANK = {"error": 3, "warning": 2, "info": 1}
_LETTER = {"error": "E", "warning": "W", "info": "I"}


@dataclass(frozen=True, slots=True)
class FileFaults:
    """The faults of one file, where breakpoints stop in it, and its requests in numbers where they were asked for."""

    file: str
    faults: tuple[Fault, ...]
    breaks: tuple[BreakHit, ...] = ()
    overview: Overview | None = None


def failing(reports: Sequence[FileFaults], fail_on: FailOn) -> bool:
    """Whether any file fails: a breakpoint stops in it, or a fault of it is a reason."""
    return any(report.breaks or fail_on.fails(report.faults) for report in reports)


def _row(fault: Fault) -> dict[str, Any]:
    row = jsonable(fault.finding)
    assert isinstance(row, dict)
    first = None if fault.first is None else {"turn": fault.first[0], "request": fault.first[1]}
    return {**row, "view": fault.view, "first_request": first, "requests": fault.requests}


def lint_json(reports: Sequence[FileFaults]) -> str:
    """`{"files": [{"file", "findings", "breaks"}]}`; the fingerprint of a finding is what a baseline knows it by."""
    from ctxinspect.view.lint_formats import fingerprint  # noqa: PLC0415 - it builds on this module

    files = [
        {
            "file": report.file,
            "findings": [{**_row(fault), "fingerprint": fingerprint(report.file, fault)} for fault in report.faults],
            "breaks": [jsonable(hit) for hit in report.breaks],
        }
        for report in reports
    ]
    return dump({"files": files}, indent=2)


def lint_jsonl(reports: Sequence[FileFaults]) -> Iterator[str]:
    """One finding a line, each with its file; then one line `{"file", "break"}` for each stop of a breakpoint."""
    for report in reports:
        for fault in report.faults:
            yield dump({"file": report.file, **_row(fault)})
        for hit in report.breaks:
            yield dump({"file": report.file, "break": jsonable(hit)})


def lint_lines(reports: Sequence[FileFaults]) -> Iterator[str]:
    """One finding a line, then one line of sums per file."""
    for report in reports:
        name = sanitize(report.file)
        for fault in report.faults:
            yield _line(name, fault)
        for hit in report.breaks:
            yield f"{name}: {hit.address} {break_name(hit)}: {one_line(hit.text)}"
        counts = {level: sum(f.finding.severity == level for f in report.faults) for level in _RANK}
        yield (
            f"{name}: {_count(counts['error'], 'error')}, {_count(counts['warning'], 'warning')}, "
            f"{counts['info']} info" + (f", {_count(len(report.breaks), 'break')}" if report.breaks else "")
        )


def break_name(hit: BreakHit) -> str:
    """What stops there: `break 2 "budget used>0.9"`, or `fail-on "…"` for the expression of the command line."""
    return f'{f"break {hit.number}" if hit.number else "fail-on"} "{one_line(hit.expression)}"'


def _line(file: str, fault: Fault) -> str:
    finding = fault.finding
    place = f"{file}:{finding.line}:" if finding.line is not None else f"{file}:"
    address = "" if fault.first is None else f" t{fault.first[0]}" + (f"r{fault.first[1]}" if fault.first[1] else "")
    where = finding.path or (f"messages[{finding.message}]" if finding.message is not None else "")
    subject = finding.call_id or finding.component or ""
    words = [place + address + "." + finding.stage if address else f"{place} {finding.stage}"]
    words += [_LETTER[finding.severity], finding.id, sanitize(subject), sanitize(where)]
    line = " ".join(word for word in words if word) + f": {sanitize(finding.text)}"
    return line + (f" (in {fault.requests} requests)" if fault.requests > 1 else "")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")
