"""The answer to why a text is in a request or not, as lines for people and as JSON: every place, its fate, its flips.

Lines are sanitised and stand for themselves; nothing is cut without saying how much.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from ctxinspect.pipeline.fate import Fate
from ctxinspect.pipeline.flips import Flip
from ctxinspect.pipeline.occurrences import Place
from ctxinspect.pipeline.sight import LATER
from ctxinspect.pipeline.why import Placed, Why
from ctxinspect.text.sanitize import sanitize

__all__ = ["flip_text", "place_text", "why_json", "why_lines"]

_WHOLE = 12
"""Places told stage by stage; further ones take a line each."""
_SHORT = 100
"""Lines of places told in short; further ones are counted."""
_STATES = {"in": "IN", "partly": "PARTLY", "out": "OUT"}


def place_text(place: Place) -> str:
    """Where a place is, in a few words: `turn 3, user`, `turn 3, result 0 of round 1 (read_file, page c7)`."""
    name = place.name or ""
    at = "" if place.turn_id is None else f"turn {place.turn_id}, "
    if place.kind in ("component", "variable"):
        return f"{at or 'session, '}{place.kind} {name}"
    if place.kind == "tool":
        return f"schema of tool {name}"
    if place.kind == "rendered":
        return f"{at or 'system prompt, '}as rendered"
    if place.kind in ("call", "result"):
        page = f", page {place.page}" if place.page else ""
        return f"{at}{place.kind} {place.index} of round {place.round} ({name}{page})"
    if place.kind == "assistant":
        return f"{at}answer" if place.round is None else f"{at}assistant text of round {place.round}"
    return f"{at}{place.kind}"


def flip_text(flip: Flip) -> str:
    """A flip as one line: what to set, and what came of it when it was replayed."""
    if flip.edit is not None:
        what = f"in the session: {flip.edit}"
    else:
        what = " ".join(f"--set {shlex.quote(change.flag)}" for change in flip.changes)
        now = ", ".join(f"now {_value(change.before)}" for change in flip.changes)
        what += f" ({now})"
    outcome = f"in message {flip.message}, request {flip.request_tokens} tokens ({flip.added_tokens:+d})"
    return what + f": {outcome}" + (f", {flip.over} over its budget" if flip.over else "")


def why_lines(why: Why) -> tuple[str, ...]:
    """The whole answer, a headline first. Each line is safe to print and free of line breaks."""
    return tuple(sanitize(line) for line in _lines(why))


def _lines(why: Why) -> Iterator[str]:
    yield from _headline(why)
    later = [placed for placed in why.places if placed.fate.rule == LATER]
    told = [placed for placed in why.places if placed.fate.rule != LATER]
    whole = [placed for placed in told if placed.flips is not None]
    whole += [placed for placed in told if placed.flips is None][: max(0, _WHOLE - len(whole))]
    chosen = {id(placed) for placed in whole}
    for placed in told:
        if id(placed) in chosen:
            yield ""
            yield from _whole(placed, why)
    rest = [placed for placed in told if id(placed) not in chosen]
    if rest:
        yield ""
        yield from _in_short(rest)
    if later:
        yield ""
        yield f"{_count(len(later), 'place')} said later than this request: {_turns(later)}"
    if why.unsearched:
        yield ""
        yield f"What would keep them was not searched for {_count(why.unsearched, 'place')} more; --flips N searches N"


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def _headline(why: Why) -> Iterator[str]:
    case = "any case" if why.any_case else "this case"
    label = "as recorded" if why.view == "recorded" else "as replayed"
    head = f'"{why.text}" ({case}) at {why.step.address}, {label}: '
    if not why.places:
        yield f"{head}nowhere in the session"
        return
    inside = [placed for placed in why.places if placed.fate.presence == "in"]
    numbers = dict.fromkeys(placed.fate.message for placed in inside if placed.fate.message is not None)
    where = f", in message {', '.join(map(str, numbers))} of {why.messages}" if numbers else ""
    out, partly = why.count("out"), why.count("partly")
    parts = f"{_count(len(why.places), 'place')}: {len(inside)} in"
    yield f"{head}{parts}{f', {partly} partly' if partly else ''}, {out} out{where}"


def _turns(places: Sequence[Placed]) -> str:
    turns = dict.fromkeys(placed.occurrence.place.turn_id for placed in places)
    names = [f"t{turn}" for turn in turns][:20]
    return ", ".join(names) + (f" and {len(turns) - 20} more turns" if len(turns) > 20 else "")


def _excerpt(placed: Placed) -> str:
    occurrence = placed.occurrence
    before, match, after = occurrence.excerpt()
    head = "..." if occurrence.start > len(before) else ""
    tail = "..." if occurrence.end + len(after) < len(occurrence.field) else ""
    return f"{head}{before}[{match}]{after}{tail}"


def _whole(placed: Placed, why: Why) -> Iterator[str]:
    yield f"{_STATES[placed.fate.presence]:<6} {place_text(placed.occurrence.place)}: {_excerpt(placed)}"
    yield from _verdicts(placed.fate)
    if placed.replayed is not None:
        yield f"  in the replay: {_STATES[placed.replayed.presence]}"
        yield from _verdicts(placed.replayed)
    if placed.flips is None:
        return
    kept = "would keep it" if why.view == "replay" else "would keep it in the replay"
    if not placed.flips:
        yield f"  nothing {kept}: {_no_flip(placed.replay_fate)}"
        return
    if placed.flips[0].edit is None and len(placed.flips[0].changes) > 1:
        yield f"  no single setting {kept}; two together do (each replayed):"
    else:
        yield f"  {kept} (each replayed):"
    yield from (f"    {flip_text(flip)}" for flip in placed.flips)


def _no_flip(fate: Fate) -> str:
    rules = {
        "inactive": "the session itself switched the page off",
        "orphan": "its other half is missing, and half a call cannot be sent",
        "not_rendered": "no setting names a variable in a component",
        "filled": "no setting leaves a placeholder unfilled",
        "empty": "the component is empty",
    }
    return rules.get(fate.rule, "no single setting, and no two together that were tried")


def _verdicts(fate: Fate) -> Iterator[str]:
    for verdict in fate.verdicts:
        yield f"  {verdict.stage:<9}{'  ' if verdict.passed else 'x '}{verdict.text}"


def _in_short(places: Sequence[Placed]) -> Iterator[str]:
    """A line for every run of places that stand in one text and came to the same, for as many as a reader looks at."""
    runs = [(head, len(list(run))) for head, run in groupby(places, _short)]
    yield from (
        f"{place}{f' ({number} places)' if number > 1 else ''}: {fate}" for (place, fate), number in runs[:_SHORT]
    )
    left = sum(number for _, number in runs[_SHORT:])
    if left:
        yield f"and {_count(left, 'place')} more; --format json lists all"


def _short(placed: Placed) -> tuple[str, str]:
    """Where it stands, and what decided."""
    decided = placed.fate.decided
    text = f"{decided.stage}: {decided.text}" if decided else placed.fate.rule
    return f"{_STATES[placed.fate.presence]:<6} {place_text(placed.occurrence.place)}", text


def _value(value: Any) -> str:
    if value is None:
        return "none"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


# --- JSON ---


def why_json(why: Why) -> dict[str, Any]:
    """The whole answer as JSON values: every place, every verdict with its numbers, every flip."""
    return {
        "format": "ctxinspect-why/1",
        "text": why.text,
        "any_case": why.any_case,
        "view": why.view,
        "turn_id": why.step.turn,
        "request": why.step.request,
        "messages": why.messages,
        "in": why.count("in"),
        "partly": why.count("partly"),
        "out": why.count("out"),
        "unsearched": why.unsearched,
        "places": [_placed_json(placed) for placed in why.places],
    }


def _placed_json(placed: Placed) -> dict[str, Any]:
    place, occurrence = placed.occurrence.place, placed.occurrence
    before, match, after = occurrence.excerpt()
    return {
        "kind": place.kind,
        "turn_id": place.turn_id,
        "round": place.round,
        "index": place.index,
        "page": place.page,
        "name": place.name,
        "path": place.path,
        "start": occurrence.start,
        "end": occurrence.end,
        "before": before,
        "match": match,
        "after": after,
        **_fate_json(placed.fate),
        "replay": None if placed.replayed is None else _fate_json(placed.replayed),
        "flips": None if placed.flips is None else [_flip_json(flip) for flip in placed.flips],
    }


def _fate_json(fate: Fate) -> dict[str, Any]:
    return {
        "state": fate.presence,
        "stage": fate.stage,
        "rule": fate.rule,
        "message": fate.message,
        "stages": [
            {
                "stage": verdict.stage,
                "passed": verdict.passed,
                "rule": verdict.rule,
                "text": verdict.text,
                "value": verdict.value,
                "threshold": verdict.threshold,
                "margin": verdict.margin,
            }
            for verdict in fate.verdicts
        ],
    }


def _flip_json(flip: Flip) -> dict[str, Any]:
    return {
        "set": [change.flag for change in flip.changes],
        "changes": [{"path": c.path, "before": c.before, "after": c.after} for c in flip.changes],
        "edit": flip.edit,
        "verified": True,
        "message": flip.message,
        "request_tokens": flip.request_tokens,
        "added_tokens": flip.added_tokens,
        "over_budget_tokens": flip.over,
    }
