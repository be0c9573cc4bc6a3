"""A sweep as a table with its flip points, and as JSON. Texts are sanitised; nothing is left out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ctxinspect.pipeline.sweep import MOST_PROBES, FlipPoint, Sweep, SweepRow
from ctxinspect.text.sanitize import one_line
from ctxinspect.view.jsonable import jsonable
from ctxinspect.view.pipe_table import pipe_table

__all__ = ["sweep_lines", "sweep_value"]

_WORDS = {"left_out": "components left out", "cut": "components cut", "trimmed": "units trimmed", "decision": "gate"}


def sweep_lines(result: Sweep) -> Iterator[str]:
    """One row for every combination of values, then where an outcome flips."""
    paths = [path for path, _ in next((row.overrides for row in result.rows if row.overrides), ())]
    shown = [f"needle {at}" for at in range(1, len(result.needles) + 1)]
    headers = (
        *paths,
        "tokens",
        "largest",
        "trimmed",
        "cut",
        "left out",
        "errors",
        "warnings",
        "infos",
        "switches",
        "changed",
        *shown,
    )
    yield from pipe_table(headers, [_cells(row, paths, result) for row in result.rows])
    yield f"{result.requests} requests each; changed: with other messages than the session as it is (*)"
    for at, text in enumerate(result.needles, start=1):
        yield f"needle {at}: {one_line(text)}"
    yield ""
    yield "flip points" if result.flips else "no outcome flips between these values"
    for flip in result.flips:
        yield f"  {_flip(flip)}"
    if result.unsought:
        yield f"  {result.unsought} not narrowed down further: {MOST_PROBES} probes were made"


def _text(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return one_line(text).replace("|", "\\|")


def _cells(row: SweepRow, paths: list[str], result: Sweep) -> list[str]:
    values = dict(row.overrides)
    named = [_text(values[path]) if path in values else "as is" for path in paths]
    if row.as_is:
        named[0] += " *"
    numbers = (row.tokens, row.largest, row.trimmed, row.cut, row.left_out)
    more = (row.errors, row.warnings, row.infos, row.switches)
    held = [f"{number} of {result.requests}" for number in row.needles]
    return [*named, *map(str, numbers), *map(str, more), f"{row.changed} of {result.requests}", *held]


def _flip(flip: FlipPoint) -> str:
    name = _WORDS.get(flip.outcome, one_line(flip.outcome))
    given = "".join(f", {path}={_text(value)}" for path, value in flip.given)
    more = f"{flip.others} more request{'s flip' if flip.others > 1 else ' flips'}"
    others = f"; {more} between {_text(flip.swept[0])} and {_text(flip.swept[1])}" if flip.others else ""
    between = f"{_text(flip.below)} and {_text(flip.above)}"
    return f"{flip.step.address} {name} {flip.before} -> {flip.after} between {flip.path} {between}{given}{others}"


def sweep_value(result: Sweep) -> dict[str, Any]:
    """The sweep as JSON values."""
    rows = []
    for row in result.rows:
        value: dict[str, Any] = {"settings": dict(row.overrides)}
        for name in ("as_is", "tokens", "largest", "trimmed", "cut", "left_out", "errors", "warnings", "infos"):
            value[name] = getattr(row, name)
        value["switches"], value["changed"], value["needles"] = row.switches, row.changed, list(row.needles)
        rows.append(value)
    flips = [
        {**jsonable(flip), "given": dict(flip.given), "step": flip.step.address, "turn_id": flip.step.turn}
        for flip in result.flips
    ]
    return {
        "format": "ctxinspect-sweep/1",
        "requests": result.requests,
        "needles": list(result.needles),
        "rows": rows,
        "flips": flips,
        "unsought": result.unsought,
    }
