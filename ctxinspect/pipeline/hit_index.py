"""Where breakpoints hold, worked out once per request and expression, and the next stop in either direction.

Stops are in one order: session order, then stage, then decision. Going on from stop to stop visits every one of them,
going back visits the same ones in reverse, and they are the places that `find_hits` gives.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ctxinspect.pipeline.breakpoints import Breakpoint
from ctxinspect.pipeline.events import Moment
from ctxinspect.pipeline.plan import Step
from ctxinspect.pipeline.predicate import Hit, parse
from ctxinspect.pipeline.replay import Replay, View
from ctxinspect.trace.types import STAGES

__all__ = ["Direction", "HitIndex", "Place", "Stop", "place_of"]

Place: TypeAlias = tuple[int, int, int, int]
"""Turn, request, stage (0: the request as a whole, 1: ingest, …), decision (-1: the stage as a whole)."""
Direction: TypeAlias = Literal[1, -1]


def place_of(step: Step, stage: str | None = None, decision: int | None = None) -> Place:
    """A position as a place that stops are compared with; a request without stage stands before all its stages."""
    return (*step, STAGES.index(stage) + 1 if stage else 0, -1 if decision is None else decision)


@dataclass(frozen=True, slots=True)
class Stop:
    """Where to stop: the hits at one place, and the ids of the breakpoints that hold there."""

    place: Place
    hits: tuple[Hit, ...]
    ids: tuple[int, ...]

    @property
    def address(self) -> str:
        """The stop's address, such as `t42r1.window#3`."""
        return self.hits[0].address


class HitIndex:
    """The hits of some expressions over a session, found request by request; each pair is looked at once.

    It can be filled step by step (`scan`), asked at any time, and given more expressions later.
    """

    def __init__(self, replay: Replay, expressions: Iterable[str] = (), *, view: View | None = None) -> None:
        self.replay = replay
        self.view = view
        self._found: dict[str, dict[Step, tuple[Hit, ...]]] = {}
        self._sorted: dict[str, tuple[int, tuple[Hit, ...]]] = {}
        for expression in expressions:
            self.add(expression)

    def add(self, expression: str) -> None:
        """Look for this one too. Raises UsageError where it cannot be read."""
        parse(expression)
        self._found.setdefault(expression, {})

    # --- filling ---

    def scan(self, steps: Iterable[Step] | None = None) -> Iterator[Step]:
        """Look at these requests (all, in session order) and yield each when done; those known cost nothing.

        Stop asking and no more is looked at.
        """
        for step in self.replay.steps if steps is None else steps:
            missing = [expression for expression, found in list(self._found.items()) if step not in found]
            if missing:
                moment = Moment(self.replay, step, self.view)
                for expression in missing:
                    self._found[expression][step] = parse(expression).hits_at(moment)
            yield step

    def scanned(self, expression: str) -> int:
        """Requests looked at for this expression."""
        return len(self._found.get(expression, {}))

    def complete(self, expressions: Iterable[str] | None = None) -> bool:
        """Whether every request was looked at for these expressions (all of them)."""
        asked = list(self._found) if expressions is None else list(expressions)
        return all(self.scanned(expression) == len(self.replay.steps) for expression in asked)

    # --- asking ---

    def hits(self, expression: str) -> tuple[Hit, ...]:
        """The places found so far, in session order, each once."""
        found = self._found.get(expression, {})
        known = self._sorted.get(expression)
        if known is None or known[0] != len(found):
            unique = {hit.address: hit for step in list(found) for hit in found[step]}
            known = (len(found), tuple(sorted(unique.values(), key=lambda hit: hit.place)))
            self._sorted[expression] = known
        return known[1]

    def count_text(self, expression: str) -> str:
        """`12`, or `12+` while there are requests that were not looked at."""
        return f"{len(self.hits(expression))}" + ("" if self.complete([expression]) else "+")

    def rank(self, expression: str, place: Place) -> int:
        """How many of the places found lie at or before this one: `rank/count_text` reads `4/9`."""
        return bisect_right([hit.place for hit in self.hits(expression)], place)

    def stops(self, breakpoints: Iterable[Breakpoint]) -> tuple[Stop, ...]:
        """Every stop known of the breakpoints that are on, in session order; ignored ones are passed over."""
        at: dict[Place, list[tuple[Hit, int]]] = {}
        for item in breakpoints:
            if item.enabled:
                for hit in self.hits(item.expression)[item.ignore :]:
                    at.setdefault(hit.place, []).append((hit, item.id))
        return tuple(
            Stop(place, tuple(dict.fromkeys(hit for hit, _ in rows)), tuple(number for _, number in rows))
            for place, rows in sorted(at.items())
        )

    def next_stop(self, place: Place | Step, direction: Direction, breakpoints: Iterable[Breakpoint]) -> Stop | None:
        """The nearest known stop strictly after (1) or before (-1) a place; null where there is none."""
        here = place_of(place) if isinstance(place, Step) else place
        stops = self.stops(breakpoints)
        places = [stop.place for stop in stops]
        at = bisect_right(places, here) if direction > 0 else bisect_left(places, here) - 1
        return stops[at] if 0 <= at < len(stops) else None

    def seek(
        self, place: Place | Step, direction: Direction, breakpoints: Iterable[Breakpoint]
    ) -> Generator[Step, None, Stop | None]:
        """Look only at the requests that decide what the next stop is; yields each, returns the stop or null.

        They are looked at turn by turn from the place on; where a breakpoint ignores some, those before the place first.
        A caller that stops asking has cancelled the search; what was found is kept.
        """
        here = place_of(place) if isinstance(place, Step) else place
        asked = [item for item in breakpoints if item.enabled]
        for item in asked:
            self.add(item.expression)
        turns = len(self.replay.session.turns)
        order = list(range(here[0], turns) if direction > 0 else range(here[0], -1, -1))
        if any(item.ignore for item in asked):
            yield from self.scan(step for step in self.replay.steps if step.turn <= here[0])
        for turn in order if asked else ():
            yield from self.scan(Step(turn, request) for request in range(self.replay.last_request(turn) + 1))
            stop = self.next_stop(here, direction, asked)
            if stop is not None:
                return stop
        return None
