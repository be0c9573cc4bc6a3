"""The lines around the panels: which session and position, how full the window is, the session as a strip of events."""

from __future__ import annotations

from collections.abc import Sequence

from ctxinspect.text.clip import cell_width, clip
from ctxinspect.text.sanitize import one_line
from ctxinspect.view.inspection import Inspection
from ctxinspect.view.stages import finding_counts
from ctxinspect.view.table import Cell, Role

__all__ = ["header_line", "timeline"]

_TITLE = 18
"""Cells kept for the session's title."""
_WORST = "LPBTDS."
"""Event letters, worst first: the letter that stands for a bucket of several turns."""
_LETTER_ROLES: dict[str, Role] = {"L": "error", "P": "error", "B": "error", "T": "warn", "D": "warn", "S": "accent"}


def _name(inspection: Inspection) -> str:
    label = inspection.trace.session
    source = (label.source or "").rsplit("/", 1)[-1]
    return one_line(label.title or source or "untitled session", 200)


def _label(inspection: Inspection) -> str:
    if inspection.label == "REPLAY" and inspection.session.foreign:
        return "REPLAY (not what was sent)"
    return inspection.label


def header_line(inspection: Inspection, width: int) -> list[Cell]:
    """Session, position, label, window and tokens used with their counter, findings; fitted to `width` cells.

    What does not fit is left out from the least needed on; position and label always stay.
    """
    trace, window = inspection.trace, inspection.trace.window
    used = window.request_tokens + window.tool_tokens
    share = 100 * used / window.size if window.size else 0.0
    counter = trace.counter.name + ("" if trace.counter.exact else "~")
    wrong = finding_counts(trace)
    turns = len(inspection.session.turns)
    position = f"{inspection.position}/{turns}" + (" (may not have been sent)" if trace.hypothetical else "")
    role: Role = "accent" if inspection.label != "RECORDED" else "highlight"
    over: Role = "error" if used > window.input_budget else "text"
    pieces = [
        Cell(position, "title"),
        Cell(_label(inspection), role),
        Cell(f"used {used}/{window.size} {share:.1f}% {counter}", over),
        Cell(wrong, "error" if "E" in wrong else "warn" if "W" in wrong else "text"),
        Cell(f"win {window.size} x{window.ratio:g}={window.input_budget}", "text"),
        Cell(f"tools {window.tool_tokens}", "text"),
    ]
    taken = cell_width(pieces[0].text) + cell_width(pieces[1].text) + 5
    keep = pieces[:2]
    for piece in pieces[2:]:
        cost = cell_width(piece.text) + 3
        if taken + cost > width - _TITLE:
            break
        keep.append(piece)
        taken += cost
    line = [Cell(" "), Cell(clip(_name(inspection), max(0, min(48, width - taken))), "text"), Cell("  ")]
    for at, piece in enumerate(keep):
        line += ([Cell(" | " if at > 1 else "  ", "dim")] if at else []) + [piece]
    return line


def timeline(letters: Sequence[str | None], here: int, width: int) -> list[Cell]:
    """The whole session in one line, a cell a turn, or the worst event of a bucket of turns; `[x]` is where we stand.

    `letters` are the event letters of each turn, null where they are not known yet (shown as blanks).
    """
    totals = " ".join(f"{kind}{n}" for kind in "LPBTDS" if (n := sum(kind in (own or "") for own in letters)))
    pending = sum(own is None for own in letters)
    tail = f" {totals}" if totals else ""
    if pending:
        tail += f" indexing {len(letters) - pending}/{len(letters)}"
    room = max(1, width - 6 - cell_width(tail))
    size = max(1, -(-len(letters) // room))
    line = [Cell(" tl ", "dim")]
    for start in range(0, len(letters), size):
        bucket = letters[start : start + size]
        known = [own for own in bucket if own is not None]
        worst = next((kind for kind in _WORST if any(kind in own for own in known)), "." if known else " ")
        if start <= here < start + size:
            line += [Cell("[", "title"), Cell(worst, _LETTER_ROLES.get(worst, "title")), Cell("]", "title")]
        else:
            line.append(Cell(worst, _LETTER_ROLES.get(worst, "dim")))
    return [*line, Cell(tail, "text")]
