"""Where a value stands in a JSON text: the physical line of a path such as `$.messages[2].tool_calls[1]`.

Only what lies on the way is looked at closely; everything else is passed over by the parser. A path that leads nowhere
has no line, and a text that is no JSON has none at all.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import TypeAlias

__all__ = ["json_lines"]

Steps: TypeAlias = tuple[str | int, ...]
_STEP = re.compile(r"\.([^.\[\]]+)|\[(\d+)\]")
_BLANK = re.compile(r"[ \t\r\n]*")
_DECODER = json.JSONDecoder(strict=False)
_DEEPEST = 100


def json_lines(text: str, paths: Iterable[str]) -> dict[str, int]:
    """The 1-based line of every path that leads to a value; of a key that stands twice the last one counts."""
    wanted = {steps: path for path in paths if (steps := _steps(path)) is not None}
    try:
        found = dict(_walk(text, _skip(text, 0), (), frozenset(wanted)))
    except (ValueError, IndexError, RecursionError):
        return {}
    lines: dict[str, int] = {}
    line, done = 1, 0
    for at, steps in sorted((at, steps) for steps, at in found.items()):
        line, done = line + text.count("\n", done, at), at
        lines[wanted[steps]] = line
    return lines


def _steps(path: str) -> Steps | None:
    if not path.startswith("$") or len(path) > 1000:
        return None
    steps, at = [], 1
    while at < len(path):
        match = _STEP.match(path, at)
        if match is None:
            return None
        steps.append(match[1] if match[1] is not None else int(match[2]))
        at = match.end()
    return tuple(steps) if len(steps) <= _DEEPEST else None


def _skip(text: str, at: int) -> int:
    match = _BLANK.match(text, at)
    return match.end() if match else at


def _walk(text: str, at: int, here: Steps, wanted: frozenset[Steps]) -> Iterator[tuple[Steps, int]]:
    """(path, first character) of every wanted value at or under the one that starts at `at`."""
    if here in wanted:
        yield here, at
    deeper = frozenset(steps for steps in wanted if len(steps) > len(here) and steps[: len(here)] == here)
    if not deeper or text[at] not in "{[":
        return
    keys = {steps[len(here)] for steps in deeper}
    closing = "}" if text[at] == "{" else "]"
    at, index = _skip(text, at + 1), 0
    while text[at] != closing:
        key: str | int = index
        if closing == "}":
            key, at = _DECODER.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)
        end = _DECODER.raw_decode(text, at)[1]
        if key in keys:
            yield from _walk(text, at, (*here, key), deeper)
        at, index = _skip(text, end), index + 1
        if text[at] == ",":
            at = _skip(text, at + 1)
