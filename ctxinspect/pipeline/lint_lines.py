"""The line of a fault in a file that is one JSON document, where its reader knows a path alone."""

from __future__ import annotations

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
    turn. What cannot be found stays without a line. The order is that of a report.
    """
    asked = {fault.finding.path for fault in faults if fault.finding.line is None and fault.finding.path}
    lines = json_lines(text, sorted(asked)) if asked else {}
    records = [] if lines or not asked else [n for n, line in enumerate(text.split("\n"), 1) if line.strip()]
    out = []
    for fault in faults:
        path = fault.finding.path
        line = None if path is None or fault.finding.line is not None else lines.get(path)
        turn = _TURN.match(path or "") if line is None and fault.finding.line is None else None
        if turn is not None and int(turn[1]) + 1 < len(records):
            line = records[int(turn[1]) + 1]
        out.append(fault if line is None else replace(fault, finding=replace(fault.finding, line=line)))
    return tuple(sorted(out, key=fault_place))
