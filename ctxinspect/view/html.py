"""Reports for people as HTML pages: one request whole, a session in charts and numbers, the findings of lint."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ctxinspect.model.session import arguments_text
from ctxinspect.pipeline.replay import View
from ctxinspect.trace.codes import RULES
from ctxinspect.trace.types import MessageRow, Trace
from ctxinspect.view.html_charts import Bar, bars, cache_prefix, composition, gate_timeline, waterfall, waterfalls
from ctxinspect.view.html_page import anchor, page, table, text
from ctxinspect.view.lint_text import FileFaults, break_name
from ctxinspect.view.overview import Overview, RequestRow, request_row
from ctxinspect.view.report import Body, Grid, Note, Section, report_sections
from ctxinspect.view.sentence import request_sentence

__all__ = ["lint_html", "session_html", "trace_html"]

_LEVELS = ("error", "warning", "info")


def trace_html(trace: Trace) -> str:
    """One request as a page: its charts, then every section of its report."""
    return page(f"t{trace.turn_id}r{trace.request} · {trace.session.title or 'session'}", _trace(trace))


def _trace(trace: Trace) -> Iterator[str]:
    first, *rest = report_sections(trace)
    yield from _parts(first)
    yield from waterfall(request_row(trace))
    if trace.assembly is not None:
        rows = [
            Bar(
                f"{row.name} ({row.state})",
                0,
                row.rendered_tokens,
                "system",
                f"{row.rendered_tokens} of {row.requested_tokens}",
            )
            for row in trace.assembly.components
        ]
        yield from bars("System prompt: tokens of each component", rows)
    sizes = [
        Bar(
            f"{at} {row.role}" + ("" if row.turn_id is None else f" t{row.turn_id}"),
            0,
            row.tokens,
            _kind(row, trace),
            f"{row.tokens:,}",
        )
        for at, row in enumerate(trace.messages)
    ]
    yield from bars("Messages: tokens of each", sizes)
    for section in rest:
        yield f"<h2>{text(section.title)}</h2>"
        yield from _parts(section)


def _kind(row: MessageRow, trace: Trace) -> str:
    if row.turn_id is None:
        return "system"
    return "current" if row.turn_id == trace.turn_id else "history"


def _parts(section: Section) -> Iterator[str]:
    for part in section.parts:
        if isinstance(part, Note):
            yield f"<p>{text(part.text)}</p>"
        elif isinstance(part, Grid):
            marked = part.headers.index("severity") if "severity" in part.headers else None
            yield from table(part.headers, part.rows, marked=marked)
        elif isinstance(part, Body):
            yield f"<h3>{text(part.caption)}</h3>"
            yield f"<pre>{text(part.text)}</pre>" if part.text else '<p class="note">empty</p>'


def session_html(title: str, view: View, traces: Iterable[Trace]) -> str:
    """A whole session as a page: charts, a table of requests, then each request with what is new in it."""
    rows: list[RequestRow] = []
    requests: list[str] = []
    known: dict[tuple[object, ...], str] = {}
    for trace in traces:
        rows.append(request_row(trace))
        requests += _request(trace, known)
    overview = Overview(title, view, tuple(rows))
    return page(title, [*_session(overview), *requests])


def _session(overview: Overview) -> Iterator[str]:
    rows = overview.rows
    errors, warnings = sum(row.errors for row in rows), sum(row.warnings for row in rows)
    yield f"<p>{len(rows)} requests in the {overview.view} view; {errors} errors and {warnings} warnings in all of them</p>"
    yield from _charts(overview)
    yield "<h2>Requests</h2>"
    heads = (
        "request",
        "gate",
        "tools",
        "system",
        "earlier",
        "current",
        "sum",
        "budget",
        "trimmed",
        "reusable",
        "E",
        "W",
    )
    yield from table(heads, [_numbers(row) for row in rows])


def _charts(overview: Overview) -> Iterator[str]:
    yield from composition(overview)
    yield from gate_timeline(overview)
    yield from cache_prefix(overview)
    yield from waterfalls(overview)


def _numbers(row: RequestRow) -> tuple[object, ...]:
    return (
        *(row.address, row.decision or "-", row.tools, row.system, row.history, row.current),
        *(
            row.total,
            row.input_budget,
            row.dropped,
            "-" if row.common is None else row.common,
            row.errors,
            row.warnings,
        ),
    )


def _request(trace: Trace, known: dict[tuple[object, ...], str]) -> Iterator[str]:
    """One request: its sentence, its findings, and every message that no earlier request had."""
    address = f"t{trace.turn_id}r{trace.request}" if trace.request else f"t{trace.turn_id}"
    yield f'<section><h2 id="{anchor(address)}">{address}</h2><p>{text(request_sentence(trace))}</p>'
    found = [(finding.severity, finding.id, finding.stage, finding.text) for finding in trace.findings]
    if found:
        yield from table(("severity", "rule", "stage", "text"), found, marked=0)
    again: list[str] = []
    for at, row in enumerate(trace.messages):
        calls = tuple((call.id, call.name, arguments_text(call.arguments)) for call in row.tool_calls)
        earlier = known.setdefault((row.role, row.turn_id, row.content, row.tool_call_id, calls), address)
        if earlier != address:
            again.append(earlier)
            continue
        yield from _seen(at, again)
        again = []
        head = f"{at} {row.role}" + ("" if row.turn_id is None else f" of t{row.turn_id}") + f" · {row.tokens} tokens"
        yield f"<h3>{text(head)}</h3>"
        if row.content:
            yield f"<pre>{text(row.content)}</pre>"
        for call in row.tool_calls:
            yield f"<p>calls {text(call.name)} {text(call.id)}</p><pre>{text(arguments_text(call.arguments))}</pre>"
    yield from _seen(len(trace.messages), again)
    yield "</section>"


def _seen(end: int, places: Sequence[str]) -> Iterator[str]:
    """One line for the messages before `end` that stand in earlier requests already, with links to the outermost."""
    if places:
        number = len(places)
        which = f"message {end - 1}" if number == 1 else f"messages {end - number} to {end - 1}"
        ends = dict.fromkeys((places[0], places[-1]))
        links = " to ".join(f'<a href="#{anchor(place)}">{place}</a>' for place in ends)
        yield f'<p class="note">{which}: as in {links}</p>'


def lint_html(reports: Sequence[FileFaults]) -> str:
    """The findings of every file as a page: sums, charts of the session, one row a finding, what each rule means."""
    return page("Lint report", _lint(reports))


def _lint(reports: Sequence[FileFaults]) -> Iterator[str]:
    counts = {level: sum(f.finding.severity == level for r in reports for f in r.faults) for level in _LEVELS}
    yield f"<p>{len(reports)} files: {counts['error']} errors, {counts['warning']} warnings, {counts['info']} info</p>"
    for report in reports:
        yield f"<h2>{text(report.file)}</h2>"
        sums = {level: sum(fault.finding.severity == level for fault in report.faults) for level in _LEVELS}
        if not report.faults and not report.breaks:
            yield "<p>nothing found</p>"
        else:
            kinds = {"error": "error", "warning": "warning", "info": "system"}
            yield from bars(
                "Findings by severity",
                [Bar(level, 0, sums[level], kinds[level], str(sums[level])) for level in _LEVELS],
            )
            yield from table(("severity", "rule", "where", "line", "text"), _fault_rows(report), marked=0)
        if report.overview is not None and report.overview.rows:
            yield from _charts(report.overview)
    yield from _rules({fault.finding.id for report in reports for fault in report.faults})


def _fault_rows(report: FileFaults) -> Iterator[tuple[object, ...]]:
    for fault in report.faults:
        finding = fault.finding
        place = "" if fault.first is None else f"t{fault.first[0]}r{fault.first[1]}."
        said = finding.text + (f" (in {fault.requests} requests)" if fault.requests > 1 else "")
        yield finding.severity, finding.id, f"{place}{finding.stage} {finding.path or ''}", finding.line, said
    for hit in report.breaks:
        yield "error", break_name(hit), hit.address, None, hit.text


def _rules(codes: set[str]) -> Iterator[str]:
    known = [code for code in RULES if code in codes]
    if known:
        yield "<h2>What the rules mean</h2>"
    for code in known:
        rule = RULES[code]
        yield f'<h3 id="{anchor(code)}">{code}</h3><p>{text(rule.meaning)}</p>'
        yield f"<p>How it happens: {text(rule.cause)}</p><p>How to fix it: {text(rule.remedy)}</p>"
