"""Why a text is in a request or not: every place of the session where it stands, and the stage that decided there.

The verdicts are the pipeline's own, the same that `ctxinspect why` prints.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ctxinspect.pipeline.fate import Fate, Fates
from ctxinspect.pipeline.occurrences import Needle, Occurrence, fields_of
from ctxinspect.pipeline.plan import Step
from ctxinspect.pipeline.replay import Replay
from ctxinspect.pipeline.sight import Sights
from ctxinspect.text.sanitize import one_line
from ctxinspect.trace.types import Trace

__all__ = ["where_it_stands"]

_SHOWN = 5
"""Places that are named; more are counted."""


def where_it_stands(replay: Replay, trace: Trace, text: str | re.Pattern[str], *, present: bool = False) -> str:
    """One line for every place of the session with this text: where, in or out, by which stage and rule, and why.

    `present`: only the places that are in the request, whole or partly. In the recorded view, where no stage decided,
    the places alone.
    """
    pattern = text if isinstance(text, re.Pattern) else re.compile(re.escape(text))
    found = list(_occurrences(replay, pattern))
    if not found and isinstance(text, str):
        found = list(_occurrences(replay, re.compile(re.escape(text), re.IGNORECASE)))
        if found:
            return "\n".join(["  it stands in the session with other capitals only:", *_lines(replay, trace, found)])
    if not found:
        return "  it stands nowhere in the session: no component, variable, turn, call or result holds it"
    if present and trace.view == "replay":
        found = [occurrence for occurrence in found if _fate(replay, trace, occurrence).presence != "out"]
    return "\n".join(_lines(replay, trace, found))


def _occurrences(replay: Replay, pattern: re.Pattern[str]) -> Iterator[Occurrence]:
    for place, field in fields_of(replay.session):
        match = pattern.search(field)
        if match is not None:
            yield Occurrence(place, match.start(), match.end(), field)


def _lines(replay: Replay, trace: Trace, found: list[Occurrence]) -> Iterator[str]:
    for occurrence in found[:_SHOWN]:
        where = f"  {_where(occurrence)}"
        if trace.view == "recorded":
            yield where
            continue
        fate = _fate(replay, trace, occurrence)
        decided = fate.decided
        yield f"{where} {fate.presence} by {fate.stage}, rule {fate.rule}: {one_line(decided.text) if decided else '-'}"
    if len(found) > _SHOWN:
        yield f"  and {len(found) - _SHOWN} more places"


def _fate(replay: Replay, trace: Trace, occurrence: Occurrence) -> Fate:
    words = occurrence.field[occurrence.start : occurrence.end]
    request = replay.request(Step(trace.turn_id, trace.request))
    return Fates(Sights(replay, request, Needle(words if words.strip() else occurrence.field))).fate(occurrence)


def _where(occurrence: Occurrence) -> str:
    place = occurrence.place
    owner = "" if place.turn_id is None else f"turn {place.turn_id} "
    name = f" {place.name}" if place.name else ""
    round_ = "" if place.round is None else f" in round {place.round}"
    return f"{owner}{place.kind}{name}{round_}"
