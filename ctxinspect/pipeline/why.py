"""Why a text is in one request or not: every place of the session where it stands, its fate, and what would keep it.

No place is left out: what the pipeline or a recording wrote itself is listed too. Every flip was replayed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from ctxinspect.model.session import Arguments, arguments_text
from ctxinspect.pipeline.fate import Fate, Fates, Verdict
from ctxinspect.pipeline.flips import Flip, Flipper
from ctxinspect.pipeline.occurrences import Needle, Occurrence, Place, occurrences
from ctxinspect.pipeline.plan import Step
from ctxinspect.pipeline.recorded_sight import RecordedSights
from ctxinspect.pipeline.replay import Replay, View
from ctxinspect.pipeline.sight import LATER

__all__ = ["SEARCHED", "Placed", "Why", "why"]

_REPLAYED_TURNS = 40_000
"""Turns looked at by replays after which flips are searched for no further place: it bounds the time of an answer."""
SEARCHED = 8
"""Places that are out for which flips are searched, unless asked for more."""


@dataclass(frozen=True, slots=True)
class Placed:
    """One occurrence and its fate in the view asked for; `replayed` is its fate in the replay beside a recording.

    `flips` are what would keep it in the replay, nearest first; null where they were not searched: it is in already,
    it came later, or more places were out than were to be searched.
    """

    occurrence: Occurrence
    fate: Fate
    replayed: Fate | None
    flips: tuple[Flip, ...] | None

    @property
    def replay_fate(self) -> Fate:
        """Its fate in the replay, whatever the view."""
        return self.replayed or self.fate


@dataclass(frozen=True, slots=True)
class Why:
    """The answer for one request: what was asked, every occurrence in session order, and how many messages there are.

    `searched` and `unsearched` count the places that are out and could be kept: with flips searched, and not.
    """

    text: str
    any_case: bool
    view: View
    step: Step
    messages: int
    places: tuple[Placed, ...]
    searched: int
    unsearched: int

    def count(self, presence: str) -> int:
        """How many places are `in`, `partly` or `out`."""
        return sum(placed.fate.presence == presence for placed in self.places)


class _Message(Protocol):
    """A message of either view, as far as a text is looked for in it."""

    @property
    def turn_id(self) -> int | None: ...
    @property
    def role(self) -> str: ...


def why(
    replay: Replay,
    step: Step,
    text: str,
    *,
    view: View | None = None,
    flips: int = SEARCHED,
    progress: Callable[[int, int], None] | None = None,
) -> Why:
    """Every occurrence of `text` and its fate in the request at `step`, with verified flips for up to `flips` places.

    `view` is the session's own by default. Raises UsageError for an empty text, or where there is no such step.
    """
    step = replay.step(*step)
    view = view or replay.default_view
    needle = Needle(text)
    found = occurrences(replay.session, needle)
    flipper = Flipper(replay, step, needle)
    fates = flipper.base_fates
    recorded = RecordedSights(replay, step, needle) if view == "recorded" else None
    pairs: list[tuple[Occurrence, Fate, Fate | None]] = []
    for occurrence in found:
        fate = fates.fate(occurrence)
        pairs.append((occurrence, fate, None) if recorded is None else (occurrence, recorded.fate(occurrence), fate))
    wanted = _to_search(pairs)
    found_flips: dict[int, tuple[Flip, ...]] = {}
    for done, at in enumerate(wanted[: max(0, flips)]):
        if flipper.replays * step.turn > _REPLAYED_TURNS:
            break
        if progress is not None:
            progress(done, len(wanted))
        occurrence, fate, other = pairs[at]
        found_flips[at] = flipper.flips(occurrence, other or fate)
    places = [Placed(*pair, found_flips.get(at)) for at, pair in enumerate(pairs)]
    rest = _unplaced(fates, needle, places) if recorded is None else _unplaced_rows(recorded, needle, places)
    messages = len(flipper.base.window.messages) if recorded is None else len(recorded.rows)
    return Why(
        text,
        needle.smart,
        view,
        step,
        messages,
        (*places, *rest),
        len(found_flips),
        len(wanted) - len(found_flips),
    )


def _to_search(pairs: Sequence[tuple[Occurrence, Fate, Fate | None]]) -> list[int]:
    """Which places to search flips for: not whole, said already; the newest turns first, standing parts before them."""
    out = [at for at, (_, fate, other) in enumerate(pairs) if _could_be_kept(other or fate)]
    turn_of = {at: pairs[at][0].place.turn_id for at in out}
    return sorted(out, key=lambda at: (turn_of[at] is not None, -(turn_of[at] or 0), at))


def _could_be_kept(fate: Fate) -> bool:
    return fate.presence != "in" and fate.rule not in (LATER, "thinking", "other_turn", "replaced", "chat_tool")


def _unplaced(fates: Fates, needle: Needle, places: Sequence[Placed]) -> list[Placed]:
    """Matches in the messages that stand in no place of the session: labels, headers, filled values, handles."""
    texts = [
        (message, message.text, [call.arguments for call in message.calls]) for message in fates.request.window.messages
    ]
    return _leftovers(texts, needle, places, fates.step)


def _unplaced_rows(recorded: RecordedSights, needle: Needle, places: Sequence[Placed]) -> list[Placed]:
    texts = [(row, row.content, [call.arguments for call in row.tool_calls]) for row in recorded.rows]
    return _leftovers(texts, needle, places, recorded.step)


def _leftovers(
    texts: Sequence[tuple[_Message, str, list[Arguments]]], needle: Needle, places: Sequence[Placed], step: Step
) -> list[Placed]:
    known = {placed.fate.message for placed in places if placed.fate.presence == "in"}
    found: list[Placed] = []
    for index, (message, content, arguments) in enumerate(texts):
        if index in known:
            continue
        bodies = [(content, False), *((arguments_text(one), True) for one in arguments)]
        for body, as_json in bodies:
            for start, end in needle.spans(body, as_json=as_json):
                place = Place("rendered", message.turn_id, f"{step.address}.messages[{index}]")
                text = f"message {index} ({message.role}) of {len(texts)}; it is in no text of the session"
                verdict = Verdict("render", True, "rendered", text)
                fate = Fate("in", "render", "rendered", index, (verdict,))
                found.append(Placed(Occurrence(place, start, end, body), fate, None, None))
    return found
