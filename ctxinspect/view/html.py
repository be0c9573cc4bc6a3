"""Reports for people: one self-contained HTML file, no script, nothing loaded, every recorded text escaped.

The page takes light and dark from the reader's system, fits a phone and prints; charts are SVG with a text beside them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from ctxinspect.text.sanitize import sanitize_lines
from ctxinspect.trace.types import Trace
from ctxinspect.view.lint_text import FileFaults

__all__ = ["lint_html", "trace_html"]

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_STYLE = """:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;max-width:70rem;margin:0 auto;padding:1rem;background:Canvas;color:CanvasText}
pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.3rem 0}
table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;padding:.2rem .5rem;
border-bottom:1px solid GrayText;overflow-wrap:anywhere}article{border-left:4px solid GrayText;padding-left:.7rem}
svg{width:100%;height:auto}svg text{fill:CanvasText;font:13px system-ui,sans-serif}rect{fill:#3b78b5}
.error{color:light-dark(#a11,#f88)}.warning{color:light-dark(#850,#fc6)}
@media print{body{max-width:none}}"""


def _text(value: object) -> str:
    return escape(sanitize_lines(str(value)), quote=True)


def _page(title: str, body: Iterable[str]) -> str:
    head = (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{_text(title)}</title><style>{_STYLE}</style></head><body><main><h1>{_text(title)}</h1>"
    )
    return "\n".join([head, *body, "</main></body></html>"])


def _table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    yield "<table><thead><tr>" + "".join(f"<th>{_text(head)}</th>" for head in heads) + "</tr></thead><tbody>"
    for row in rows:
        yield "<tr>" + "".join(f"<td>{_text('' if cell is None else cell)}</td>" for cell in row) + "</tr>"
    yield "</tbody></table>"


def _bars(title: str, rows: Sequence[tuple[str, int]], *, waterfall: bool = False) -> str:
    """A bar a row, in tokens; a waterfall starts each bar where the one above ends."""
    total = max(1, sum(size for _, size in rows) if waterfall else max((size for _, size in rows), default=1))
    parts = [f'<svg role="img" viewBox="0 0 900 {24 * len(rows) + 4}"><title>{_text(title)}</title>']
    start = 0
    for index, (label, size) in enumerate(rows):
        left = 330 + (start * 480 / total if waterfall else 0)
        width, top = size * 480 / total, 24 * index
        short = label if len(label) <= 42 else label[:41] + "…"
        parts.append(f'<text x="0" y="{top + 16}">{_text(short)}</text>')
        parts.append(f'<rect x="{left:.1f}" y="{top + 3}" width="{width:.1f}" height="16"/>')
        parts.append(f'<text x="{left + width + 5:.1f}" y="{top + 16}">{size}</text>')
        start += size
    return "".join([*parts, "</svg>"])


def trace_html(trace: Trace) -> str:
    """One request as a page: sums, gate, components, token waterfall, messages whole, findings."""
    return _page(f"t{trace.turn_id}r{trace.request} · {trace.session.title or 'session'}", _trace(trace))


def _trace(trace: Trace) -> Iterator[str]:
    window = trace.window
    yield f"<p>{_text(trace.view)}; {window.request_tokens} of {window.message_budget} tokens; {window.tool_tokens} of tools"
    yield f"; counted by {_text(trace.counter.name)}{'' if trace.counter.exact else ', an estimate'}</p>"
    if trace.gate is not None:
        yield f"<h2>Gate</h2><p>{_text(trace.gate.decision)} by {_text(trace.gate.rule)}</p>"
        yield _gate_line(trace)
    if trace.assembly is not None:
        yield "<h2>Components</h2>"
        rows = trace.assembly.components
        yield _bars("composition of the system prompt, tokens", [(row.name, row.rendered_tokens) for row in rows])
        yield from _table(
            ("component", "state", "rule", "tokens", "of"),
            [(row.name, row.state, row.rule, row.rendered_tokens, row.requested_tokens) for row in rows],
        )
    yield "<h2>Tokens</h2>"
    sizes = [(f"{index} {row.role}", row.tokens) for index, row in enumerate(trace.messages)]
    yield _bars("token waterfall of the messages", sizes, waterfall=True)
    yield "<h2>Findings</h2>"
    found = [(item.severity, item.id, item.stage, item.message, item.text) for item in trace.findings]
    yield from _table(("severity", "rule", "stage", "message", "text"), found)
    yield "<h2>Messages</h2>"
    for index, row in enumerate(trace.messages):
        yield f"<article><h3>{index} {_text(row.role)} · {row.tokens} tokens</h3><pre>{_text(row.content)}</pre>"
        for call in row.tool_calls:
            yield f"<pre>{_text(call.name)} {_text(call.id)} {_text(call.arguments)}</pre>"
        yield "</article>"


def _gate_line(trace: Trace) -> str:
    """The turns up to this one; those of the active topic are filled."""
    assert trace.gate is not None
    number, start = trace.turn_id + 1, trace.gate.topic_start
    wide = 890 / number
    parts = ['<svg role="img" viewBox="0 0 900 24"><title>gate timeline: turns of the active topic are filled</title>']
    parts += [
        f'<rect x="{turn * wide:.2f}" y="3" width="{wide * 0.9:.2f}" height="16" opacity="{1 if turn >= start else 0.25}"/>'
        for turn in range(number)
    ]
    return "".join([*parts, "</svg>"])


def lint_html(reports: Sequence[FileFaults]) -> str:
    """The faults of every file as a page: a chart of how many of each severity, then one row a fault."""
    return _page("Lint report", _lint(reports))


def _lint(reports: Sequence[FileFaults]) -> Iterator[str]:
    for report in reports:
        yield f"<h2>{_text(report.file)}</h2>"
        levels = ("error", "warning", "info")
        yield _bars(
            "findings by severity",
            [(level, sum(fault.finding.severity == level for fault in report.faults)) for level in levels],
        )
        rows = []
        for fault in report.faults:
            finding = fault.finding
            place = "" if fault.first is None else f"t{fault.first[0]}r{fault.first[1]}"
            rows.append((finding.severity, finding.id, f"{place}.{finding.stage}", finding.line, finding.text))
        yield from _table(("severity", "rule", "where", "line", "text"), rows)
