"""A trace as text, Markdown, SVG or HTML. The whole content stands in each; none of it is ever markup.

Text and SVG show content behind a bar, Markdown inside a fence longer than any run of backticks in it.
"""

from __future__ import annotations

import re
from io import StringIO

from ctxinspect.errors import UsageError
from ctxinspect.text.sanitize import sanitize, sanitize_lines
from ctxinspect.trace.types import Trace
from ctxinspect.view.pipe_table import pipe_table
from ctxinspect.view.report import Body, Grid, Note, Section, report_sections

__all__ = ["STYLES", "render_trace"]

STYLES = ("text", "md", "svg", "html")
_MARKUP = re.compile(r"([\\`*_{}\[\]<>()#|~!&:@])")
"""What Markdown could take for markup inside a line."""
_FONT_FACE = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)
"""What would fetch a font from a server when the picture is opened; without it the reader's own monospaced font is taken."""
_WIDEST = 400
"""Cells of the widest table that an SVG draws without breaking its rows."""
_NARROWEST = 100
"""Cells of an SVG's width where no table is wider: long texts go on in the next row, so that all can be read."""


def render_trace(trace: Trace, style: str) -> str:
    """One request as `text`, `md`, `svg` or `html`. Raises UsageError for any other style."""
    if style == "text":
        return _text(report_sections(trace))
    if style == "md":
        return _markdown(report_sections(trace))
    if style == "svg":
        return _svg(_text(report_sections(trace)), sanitize(f"ctxinspect t{trace.turn_id}r{trace.request}"))
    if style == "html":
        from ctxinspect.view.html import trace_html  # noqa: PLC0415 - only where asked for

        return trace_html(trace)
    msg = f"{style!r} is no format of a trace; formats: {', '.join(STYLES)}"
    raise UsageError(msg)


def _text(sections: tuple[Section, ...]) -> str:
    lines: list[str] = []
    for section in sections:
        lines += ["", f"== {sanitize(section.title)} =="] if lines else [f"== {sanitize(section.title)} =="]
        for part in section.parts:
            if isinstance(part, Note):
                lines.append(sanitize(part.text))
            elif isinstance(part, Grid):
                rows = [[sanitize(cell).replace("|", "\\|") for cell in row] for row in part.rows]
                lines += pipe_table(part.headers, rows)
            else:
                lines.append(f"-- {sanitize(part.caption)} ({_size(part)})")
                lines += [f"  | {line}".rstrip() for line in _lines(part)]
    return "\n".join(lines)


def _size(part: Body) -> str:
    return f"{len(part.text)} characters" if part.text else "empty"


def _lines(part: Body) -> list[str]:
    return sanitize_lines(part.text).split("\n") if part.text else []


def _plain(text: str) -> str:
    return _MARKUP.sub(r"\\\1", sanitize(text))


def _markdown(sections: tuple[Section, ...]) -> str:
    lines: list[str] = []
    for section in sections:
        lines += [f"{'##' if lines else '#'} {_plain(section.title)}", ""]
        for part in section.parts:
            if isinstance(part, Note):
                lines += [_plain(part.text), ""]
            elif isinstance(part, Grid):
                lines += [*pipe_table(part.headers, [[_plain(cell) for cell in row] for row in part.rows]), ""]
            else:
                lines += [f"{_plain(part.caption)} \\({_size(part)}\\)", "", *_fenced(part), ""]
    return "\n".join(lines).rstrip("\n")


def _fenced(part: Body) -> list[str]:
    lines = _lines(part)
    if not lines:
        return []
    longest = max((len(run) for line in lines for run in re.findall("`+", line)), default=0)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}text", *lines, fence]


def _svg(report: str, title: str) -> str:
    from rich.console import Console  # noqa: PLC0415 - only an SVG is drawn with Rich
    from rich.text import Text  # noqa: PLC0415

    from ctxinspect.text.clip import cell_width  # noqa: PLC0415

    tables = [cell_width(line) for line in report.split("\n") if line.startswith("|")]
    width = min(_WIDEST, max([_NARROWEST, *tables]))
    console = Console(record=True, file=StringIO(), width=width, force_terminal=False, color_system=None)
    console.print(Text(report), soft_wrap=False)
    style, end, drawing = console.export_svg(title=title).partition("</style>")
    return _FONT_FACE.sub("", style) + end + drawing
