"""Facts across a session: in which requests each stands whole, in part or not at all, and what changed that.

A text is in a request where any place of it stands whole in the messages, or in a tool's schema. Every change names what took it out or brought
it back, as `why` would say it at that request.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ctxinspect.errors import UsageError
from ctxinspect.pipeline.fate import Fates
from ctxinspect.pipeline.occurrences import Needle, Occurrence, occurrences
from ctxinspect.pipeline.plan import Step
from ctxinspect.pipeline.presence import Costs, PresenceOf
from ctxinspect.pipeline.recorded_track import IN_TOOLS, RecordedPresence
from ctxinspect.pipeline.replay import Replay, View
from ctxinspect.pipeline.sight import Presence, Sights, is_later

__all__ = ["Track", "TrackChange", "TrackedText", "track"]


@dataclass(frozen=True, slots=True)
class TrackChange:
    """A request in which the text stands otherwise than in the one before: what decided, in a rule and a sentence.

    `rule` is `said` where it was said just then, else the ledger's; `turn_id` is the turn of the place that came or
    went, null for standing parts.
    """

    step: Step
    before: Presence
    after: Presence
    stage: str
    rule: str
    text: str
    turn_id: int | None


@dataclass(frozen=True, slots=True)
class TrackedText:
    """One text: how many places the session has of it, how it stands in each step of the track, and what changed."""

    text: str
    places: int
    states: tuple[Presence, ...]
    changes: tuple[TrackChange, ...]

    @property
    def first_in(self) -> int | None:
        """The number of the first step that has it whole, or null."""
        return next((at for at, state in enumerate(self.states) if state == "in"), None)

    @property
    def lost(self) -> tuple[int, ...]:
        """The steps after the first that has it whole in which it is not: out, or only a part of it in."""
        first = self.first_in
        return () if first is None else tuple(at for at in range(first, len(self.states)) if self.states[at] != "in")


@dataclass(frozen=True, slots=True)
class Track:
    """Every text over the same steps, in one view."""

    view: View
    steps: tuple[Step, ...]
    texts: tuple[TrackedText, ...]

    @property
    def survived(self) -> bool:
        """Whether no text that was in is missing from a later request."""
        return not any(tracked.lost for tracked in self.texts)


def track(
    replay: Replay,
    texts: Sequence[str],
    *,
    view: View | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Track:
    """Each text's presence over every request of the session, in the session's own view by default.

    `progress` is told steps done and steps in all. Raises UsageError where there is no text, or an empty one.
    """
    if not texts:
        msg = "no text to track; expected one or more, or a file of them (one a line)"
        raise UsageError(msg)
    needles = [Needle(text) for text in dict.fromkeys(texts)]
    view = view or replay.default_view
    total = len(replay.steps) * len(needles)
    tracked = []
    for number, needle in enumerate(needles):
        before = number * len(replay.steps)

        def tell(done: int, before: int = before) -> None:
            if progress is not None:
                progress(before + done, total)

        walk = _walk_recorded if view == "recorded" else _walk
        tracked.append(walk(replay, needle, tell))
    if progress is not None:
        progress(total, total)
    return Track(view, replay.steps, tuple(tracked))


def _walk(replay: Replay, needle: Needle, tell: Callable[[int], None]) -> TrackedText:
    found = occurrences(replay.session, needle)
    presence = PresenceOf(replay, needle, found, Costs(replay))
    causes = _Causes(replay, needle, found)
    states: list[Presence] = []
    changes: list[TrackChange] = []
    for at, step in enumerate(replay.steps):
        tell(at)
        before: Presence = states[-1] if states else "out"
        after = presence.at(step)
        states.append(after)
        if after != before:
            changes.append(causes.change(step, before, after))
    return TrackedText(needle.text, len(found), tuple(states), tuple(changes))


class _Causes:
    """Says what changed a text's presence, by the fates of its places in the two requests."""

    def __init__(self, replay: Replay, needle: Needle, found: Sequence[Occurrence]) -> None:
        self._replay = replay
        self._needle = needle
        self._found = tuple(reversed(found))

    def change(self, step: Step, before: Presence, after: Presence) -> TrackChange:
        """The change at this step: of the newest place that came, or of the newest that was there and went."""
        previous = self._replay.previous(step)
        now = self._sights(step)
        rose = _RANK[after] < _RANK[before]
        if rose:
            place = self._seen(now, after)
        else:
            place = self._seen(self._sights(previous), before) if previous is not None else None
        if place is None:
            text = "text that the pipeline itself wrote came or went"
            return TrackChange(step, before, after, "render", "rendered", text, None)
        fate = Fates(now).fate(place)
        if rose and _new(place, step, previous):
            return TrackChange(step, before, after, "ingest", "said", _said(place), place.place.turn_id)
        passed = [verdict for verdict in fate.verdicts if verdict.passed and verdict.rule != "sent"]
        decided = passed[-1] if rose and passed else fate.decided
        stage, rule = (decided.stage, decided.rule) if decided else (fate.stage, fate.rule)
        text = decided.text if decided else fate.rule
        return TrackChange(step, before, after, stage, rule, text, place.place.turn_id)

    def _sights(self, step: Step) -> Sights:
        return Sights(self._replay, self._replay.request(step), self._needle)

    def _seen(self, sights: Sights, state: Presence) -> Occurrence | None:
        """The newest place that stands so in a request; only turns with a message in it are looked at."""
        present = {message.turn_id for message in sights.messages}
        candidates = (
            place
            for place in self._found
            if place.place.turn_id in present or place.place.kind in ("component", "variable", "tool")
        )
        return next((place for place in candidates if sights.see(place).presence == state), None)


_RANK: dict[Presence, int] = {"in": 0, "partly": 1, "out": 2}


def _new(place: Occurrence, step: Step, previous: Step | None) -> bool:
    """Whether a place was said between the request before and this one."""
    if place.place.kind in ("component", "variable"):
        return previous is None or (place.place.turn_id == step.turn and previous.turn != step.turn)
    return previous is None or is_later(place.place, previous)


def _said(occurrence: Occurrence) -> str:
    place = occurrence.place
    if place.kind == "tool":
        return f"schema of tool {place.name}"
    if place.kind in ("component", "variable"):
        own = "standing" if place.turn_id is None else f"turn {place.turn_id}'s own"
        return f"{own} {place.kind} {place.name}"
    who = {
        "user": "user",
        "assistant": "assistant",
        "call": f"call of {place.name}",
        "result": f"result of {place.name}",
    }
    return f"said in turn {place.turn_id} ({who.get(place.kind, place.kind)})"


def _walk_recorded(replay: Replay, needle: Needle, tell: Callable[[int], None]) -> TrackedText:
    presence = RecordedPresence(replay, needle)
    states: list[Presence] = []
    changes: list[TrackChange] = []
    for at, step in enumerate(replay.steps):
        tell(at)
        before: Presence = states[-1] if states else "out"
        index, rule = presence.message(step)
        after: Presence = "out" if index is None else "in"
        states.append(after)
        if after == before:
            continue
        if index == IN_TOOLS:
            changes.append(TrackChange(step, before, after, "ingest", "recorded", "a tool's schema", None))
        elif index is not None:
            text = f"recorded message {index} ({presence.role(step, index)}) of this request's list"
            changes.append(TrackChange(step, before, after, "ingest", "recorded", text, step.turn))
        else:
            text = "it stood before the last reset (a compaction, a clear)"
            text = text if rule == "history_reset" else "it is in none of the messages recorded for this request"
            changes.append(TrackChange(step, before, after, "ingest", rule, text, None))
    places = len(occurrences(replay.session, needle))
    return TrackedText(needle.text, places, tuple(states), tuple(changes))
