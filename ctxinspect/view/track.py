"""Presence of texts over a session as a strip, as lines for people and as JSON.

A strip has one cell a request: `#` in, `+` partly, `.` out. Where there are more requests than cells, a cell stands for
several: `#` if all have it, `.` if none has any of it, else `+`. ASCII, and no colour carries a meaning.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ctxinspect.pipeline.plan import Step
from ctxinspect.pipeline.sight import Presence
from ctxinspect.pipeline.track import Track, TrackChange, TrackedText
from ctxinspect.text.sanitize import sanitize

__all__ = ["CELLS", "missing_lines", "track_json", "track_lines", "track_strip"]

CELLS: dict[Presence, str] = {"in": "#", "partly": "+", "out": "."}
_WIDTH = 64
"""Cells of a strip's line in the text form."""
_CHANGES = 60
"""Changes listed for a text; further ones are counted."""
_WORDS: dict[Presence, str] = {"in": "in", "partly": "partly", "out": "out"}


def track_strip(track: Track, width: int) -> str:
    """One line a text, of at most `width` cells (at least 1); lines are joined by a line feed."""
    return "\n".join(_strip(tracked.states, max(1, width)) for tracked in track.texts)


def _strip(states: Sequence[Presence], width: int) -> str:
    count = len(states)
    if count <= width:
        return "".join(CELLS[state] for state in states)
    cells = []
    for cell in range(width):
        some = {states[at] for at in range(cell * count // width, max(cell + 1, (cell + 1) * count // width))}
        cells.append(CELLS[some.pop()] if len(some) == 1 else "+")
    return "".join(cells)


def track_lines(track: Track) -> tuple[str, ...]:
    """The whole answer: for each text a headline, its strip in lines of 64 requests, and every change with its cause."""
    return tuple(sanitize(line) for line in _lines(track))


def _lines(track: Track) -> Iterator[str]:
    for number, tracked in enumerate(track.texts):
        if number:
            yield ""
        yield _headline(track, tracked)
        wide = max((len(step.address) for step in track.steps), default=0)
        for at in range(0, len(track.steps), _WIDTH):
            cells = "".join(CELLS[state] for state in tracked.states[at : at + _WIDTH])
            yield f"  {track.steps[at].address:<{wide}} {cells}"
        for change in tracked.changes[:_CHANGES]:
            yield f"  {change.step.address:<{wide}} {_WORDS[change.after]:<6} {_cause(change)}"
        if len(tracked.changes) > _CHANGES:
            yield f"  and {len(tracked.changes) - _CHANGES} more changes; --format json lists all"


def _headline(track: Track, tracked: TrackedText) -> str:
    label = "as recorded" if track.view == "recorded" else "as replayed"
    places = f"{tracked.places} place{'' if tracked.places == 1 else 's'} in the session"
    inside = sum(state == "in" for state in tracked.states)
    text = f'"{tracked.text}", {label}: in {inside} of {len(tracked.states)} requests; {places}'
    return text + ("" if tracked.places or inside else "; it stands nowhere")


def _cause(change: TrackChange) -> str:
    if change.rule == "said":
        return change.text
    return f"{change.stage}: {change.text}"


def missing_lines(track: Track) -> tuple[str, ...]:
    """One line for each text that was in and is missing from a later request: where first, how often, and why."""
    lines = []
    for tracked in track.texts:
        if not tracked.lost or tracked.first_in is None:
            continue
        first, lost = track.steps[tracked.first_in], track.steps[tracked.lost[0]]
        change = next((change for change in tracked.changes if change.step == lost), None)
        how = "is out" if tracked.states[tracked.lost[0]] == "out" else "is only partly in"
        times = f"{len(tracked.lost)} of {len(tracked.states) - tracked.first_in} requests since then lack it"
        why = f" ({_cause(change)})" if change else ""
        lines.append(sanitize(f'"{tracked.text}" was in at {first.address} and {how} at {lost.address}{why}; {times}'))
    return tuple(lines)


def track_json(track: Track) -> dict[str, Any]:
    """The whole answer as JSON values; `states` is a strip of one cell a request, in the order of `steps`."""
    return {
        "format": "ctxinspect-track/1",
        "view": track.view,
        "steps": [[step.turn, step.request] for step in track.steps],
        "survived": track.survived,
        "texts": [_text_json(track.steps, tracked) for tracked in track.texts],
    }


def _text_json(steps: Sequence[Step], tracked: TrackedText) -> dict[str, Any]:
    return {
        "text": tracked.text,
        "places": tracked.places,
        "states": "".join(CELLS[state] for state in tracked.states),
        "first_in": None if tracked.first_in is None else list(steps[tracked.first_in]),
        "missing": [list(steps[at]) for at in tracked.lost],
        "changes": [
            {
                "turn_id": change.step.turn,
                "request": change.step.request,
                "before": change.before,
                "after": change.after,
                "stage": change.stage,
                "rule": change.rule,
                "text": change.text,
                "place_turn_id": change.turn_id,
            }
            for change in tracked.changes
        ],
    }
