"""The line of a fault in a file that is one JSON document, where its reader knows a path alone."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace

from ctxinspect.pipeline.lint_report import Fault, fault_place
from ctxinspect.text.json_places import json_lines

__all__ = ["with_lines"]

_TURN = re.compile(r"\$\.turns\[(\d+)\]")


def with_lines(faults: Sequence[Fault], text: str) -> tuple[Fault, ...]:
    """The faults, those with a path and no line with the line of that path in `text`, the file's whole content.

    In JSON Lines of the native format, where the first line is the session and each other one a turn, the line of the
    session or the turn. What cannot be found stays without a line. The order is that of a report.
    """
    asked = {fault.finding.path for fault in faults if fault.finding.line is None and fault.finding.path}
    records = _records(text) if asked else []
    lines = json_lines(text, sorted(asked)) if asked and not records else {}
    out = []
    for fault in faults:
        path = fault.finding.path
        line = None
        if path is not None and fault.finding.line is None:
            line = _line_of_record(path, records) if records else lines.get(path)
        out.append(fault if line is None else replace(fault, finding=replace(fault.finding, line=line)))
    return tuple(sorted(out, key=fault_place))


def _records(text: str) -> list[int]:
    """The lines of the session and its turns in JSON Lines of the native format; none for any other text."""
    numbers = [number for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if len(numbers) < 2:
        return []
    try:
        first = json.loads(text.split("\n", numbers[0])[numbers[0] - 1])
    except (ValueError, RecursionError):
        return []
    return numbers if isinstance(first, dict) and str(first.get("format")).startswith("ctxinspect/") else []


def _line_of_record(path: str, records: Sequence[int]) -> int | None:
    turn = _TURN.match(path)
    record = int(turn[1]) + 1 if turn else 0
    return records[record] if record < len(records) else None
