"""Charts as inline SVG: bars beside their words, and columns over a session. No text is drawn, all of it is HTML.

So a chart can be stretched to any width and its words stay readable; what a shape says is also in its title and in the
table that stands with it. Sizes are tokens.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ctxinspect.view.html_page import text
from ctxinspect.view.overview import Overview, RequestRow

__all__ = ["Bar", "bars", "cache_prefix", "composition", "gate_timeline", "waterfall", "waterfalls"]

_PARTS = ("tools", "system", "history", "current")
_INKS = {
    "tools": "#8250df",
    "system": "#0b6bcb",
    "history": "#2da44e",
    "current": "#bf6a02",
    "left": "#e4e8ec",
    "answer": "#8b949e",
    "reused": "#2da44e",
    "fresh": "#bf6a02",
    "budget": "#1b1f24",
    "none": "#e4e8ec",
    "error": "#b3261e",
    "warning": "#8a5a00",
    "start": "#0b6bcb",
    "continue": "#2da44e",
    "switch": "#bf6a02",
}
"""The fill of a shape where a viewer does not apply the style of the page to drawings."""


class Bar(NamedTuple):
    """One row of a bar chart: its words, where it starts and ends, its class, the number beside it."""

    label: str
    start: int
    end: int
    kind: str
    number: str


def bars(caption: str, rows: Sequence[Bar], *, whole: int | None = None) -> Iterator[str]:
    """A bar a row between its label and its number; `whole` is the width (default: the furthest end)."""
    width = max(1, whole or 0, *(row.end for row in rows)) if rows else 1
    yield f'<figure><figcaption>{text(caption)}</figcaption><div class="rows">'
    for row in rows:
        start, size = _share(row.start, width), _share(row.end - row.start, width)
        shape = _rect("left", 0, 1000) + _rect(row.kind, start, size)
        said = text(f"{row.label}: {row.number}")
        yield (
            f"<span>{text(row.label)}</span>"
            f'<svg class="bar" role="img" viewBox="0 0 1000 10" preserveAspectRatio="none"><title>{said}</title>{shape}</svg>'
            f'<span class="number">{text(row.number)}</span>'
        )
    yield "</div></figure>"


def waterfall(row: RequestRow) -> Iterator[str]:
    """The window of one request from top to bottom: what is kept back, what each part takes, what is left."""
    steps = [Bar("window", 0, row.size, "budget", f"{row.size:,}")]
    kept_back = row.size - row.input_budget
    at = row.input_budget
    steps.append(Bar("kept for the answer", row.input_budget, row.size, "answer", f"-{kept_back:,}"))
    for name in _PARTS:
        size = getattr(row, name)
        steps.append(Bar(_NAMES[name], max(0, at - size), max(0, at), name, f"-{size:,}" if size else "0"))
        at -= size
    steps.append(Bar("left", 0, max(0, at), "reused", f"{at:,}"))
    yield from bars(f"Token waterfall of {row.address}", steps, whole=row.size)


_NAMES = {
    "tools": "tool schemas",
    "system": "system prompt",
    "history": "earlier turns",
    "current": "current turn",
}


def waterfalls(overview: Overview) -> Iterator[str]:
    """Per turn one bar, of its last request: its parts one behind the other, and what is left of the input budget."""
    width, budget = _scale(overview.rows)
    caption = "Token waterfall per turn, last request" + (
        f", of an input budget of {budget:,}" if budget == width else ""
    )
    yield f"<figure><figcaption>{caption}</figcaption>"
    yield _legend((*_PARTS, *(["left"] if budget == width else [])))
    yield '<div class="rows short">'
    for row in {row.turn: row for row in overview.rows}.values():
        shapes, at = [_rect("left", 0, 1000)], 0
        for name in _PARTS:
            size = getattr(row, name)
            shapes.append(_rect(name, _share(at, width), _share(size, width)))
            at += size
        said = text(f"{row.address}: {row.total} of {row.input_budget} tokens")
        yield (
            f'<span>{row.address}</span><svg class="bar" role="img" viewBox="0 0 1000 10" preserveAspectRatio="none">'
            f'<title>{said}</title>{"".join(shapes)}</svg><span class="number">{row.total:,}</span>'
        )
    yield "</div></figure>"


def composition(overview: Overview) -> Iterator[str]:
    """A column a request: its parts stacked, the input budget as a line."""
    rows = overview.rows
    top, budget = _scale(rows)
    shapes = []
    for at, row in enumerate(rows):
        base = 0
        for name in _PARTS:
            size = getattr(row, name)
            shapes.append(_column(at, base, base + size, top, name, f"{row.address}: {_NAMES[name]} {size} tokens"))
            base += size
        if row.input_budget <= top:
            level = 1000 - _share(row.input_budget, top)
            shapes.append(_rect("budget", at * 10, 10, level, 6))
    caption = f"Composition over the session; the highest column is {max([0, *(row.total for row in rows)]):,} tokens"
    note = "the line is the input budget" if budget <= top else f"the input budget is far above: {budget:,} tokens"
    yield from _columns(caption, rows, shapes, (*_PARTS,), note)


def _scale(rows: Sequence[RequestRow]) -> tuple[int, int]:
    """The tokens that a chart is high or wide, and the largest input budget, which is inside unless far above all."""
    highest, budget = max([1, *(row.total for row in rows)]), max([0, *(row.input_budget for row in rows)])
    return max(highest, budget if budget <= 4 * highest else 0), budget


def cache_prefix(overview: Overview) -> Iterator[str]:
    """A column a request: tokens that are the same as in the request before, from its start, and those that are new."""
    rows = overview.rows
    top = max([1, *(row.request for row in rows)])
    shapes = []
    for at, row in enumerate(rows):
        common = min(row.common or 0, row.request)
        shapes.append(_column(at, 0, common, top, "reused", f"{row.address}: {common} tokens reusable"))
        shapes.append(
            _column(at, common, row.request, top, "fresh", f"{row.address}: {row.request - common} tokens new")
        )
    known = [row for row in rows if row.common is not None]
    share = sum(min(row.common or 0, row.request) for row in known) / max(1, sum(row.request for row in known))
    yield from _columns(
        f"Cache prefix: {share:.0%} of the tokens after the first request could be reused",
        rows,
        shapes,
        ("reused", "fresh"),
        "",
    )


def gate_timeline(overview: Overview) -> Iterator[str]:
    """A cell a turn: what the topic gate decided; nothing for a view without a gate."""
    turns = {row.turn: row for row in overview.rows if row.decision is not None}
    if not turns:
        return
    shapes = [
        _rect(str(row.decision), at * 10, 9, said=f"t{turn}: {row.decision}, topic from t{row.topic_start}")
        for at, (turn, row) in enumerate(turns.items())
    ]
    switches = ", ".join(f"t{turn}" for turn, row in turns.items() if row.decision == "switch")
    yield "<figure><figcaption>Gate timeline</figcaption>" + _legend(("start", "continue", "switch"))
    yield (
        f'<div class="columns strip"><svg role="img" viewBox="0 0 {10 * len(turns)} 10" preserveAspectRatio="none">'
        f"<title>gate decisions by turn</title>{''.join(shapes)}</svg></div>{_ends(list(overview.rows))}"
    )
    yield f'<p class="note">topic switches: {text(switches or "none")}</p></figure>'


def _columns(
    caption: str, rows: Sequence[RequestRow], shapes: Sequence[str], kinds: tuple[str, ...], note: str
) -> Iterator[str]:
    yield f"<figure><figcaption>{text(caption)}</figcaption>{_legend(kinds)}"
    yield (
        f'<div class="columns"><svg role="img" viewBox="0 0 {10 * max(1, len(rows))} 1000" preserveAspectRatio="none">'
        f"<title>{text(caption)}</title>{''.join(shapes)}</svg></div>{_ends(rows)}"
    )
    yield (f'<p class="note">{text(note)}</p>' if note else "") + "</figure>"


def _column(at: int, start: int, end: int, top: int, kind: str, said: str) -> str:
    high, low = _share(end, top), _share(start, top)
    return _rect(kind, at * 10, 9, 1000 - high, high - low, said)


def _rect(kind: str, x: int, width: int, y: int = 0, height: int = 10, said: str = "") -> str:
    title = f"<title>{text(said)}</title>" if said else ""
    place = f'x="{x}" y="{y}" width="{width}" height="{height}"'
    return f'<rect class="{kind}" fill="{_INKS[kind]}" {place}>{title}</rect>'


def _share(size: int, whole: int) -> int:
    """A size in thousandths of the whole, inside the drawing."""
    return max(0, min(1000, round(1000 * size / whole)))


def _ends(rows: Sequence[RequestRow]) -> str:
    first, last = (rows[0].address, rows[-1].address) if rows else ("", "")
    return f'<div class="ends"><span>{first}</span><span>{last}</span></div>'


_KINDS = {**_NAMES, "left": "left of the budget", "reused": "the same as before", "fresh": "new"}


def _legend(kinds: Sequence[str]) -> str:
    keys = [
        f'<span><svg viewBox="0 0 10 10" aria-hidden="true">{_rect(kind, 0, 10)}</svg>'
        f"{text(_KINDS.get(kind, kind))}</span>"
        for kind in kinds
    ]
    return f'<p class="legend">{"".join(keys)}</p>'
