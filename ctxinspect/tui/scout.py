"""The scout looks at requests ahead of the screen: summaries and breakpoint hits, on a replay of its own.

It may be asked from several threads; one request is looked at at a time, and each is looked at once. What it found is
given out whole, so that a reader never waits for it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from threading import Lock

from ctxinspect.pipeline.breakpoints import Breakpoint
from ctxinspect.pipeline.hit_index import Direction, HitIndex, Place, Stop
from ctxinspect.pipeline.plan import Step
from ctxinspect.pipeline.replay import Replay, View
from ctxinspect.view.inspection import StepSummary, summarize

__all__ = ["Scout", "outward"]


def outward(steps: Sequence[Step], here: int) -> Iterator[Step]:
    """All steps, the nearest to the index `here` first."""
    yield from steps[here : here + 1]
    for distance in range(1, len(steps)):
        if here + distance < len(steps):
            yield steps[here + distance]
        if here - distance >= 0:
            yield steps[here - distance]


class Scout:
    """Looks at the requests of one view of one replay."""

    def __init__(self, replay: Replay, view: View) -> None:
        self.replay = replay
        self.view = view
        self.index = HitIndex(replay, view=view)
        self._known: set[Step] = set()
        self._lock = Lock()

    def watch(self, expressions: Iterable[str]) -> None:
        """Look for these predicates too; never waits. Raises UsageError where one cannot be read."""
        for expression in expressions:
            self.index.add(expression)

    def skip(self, steps: Iterable[Step]) -> None:
        """These have summaries already."""
        self._known.update(steps)

    @contextmanager
    def borrowed(self) -> Iterator[Replay]:
        """The replay for one longer piece of work; looking ahead waits until it is given back."""
        with self._lock:
            yield self.replay

    def look(self, here: int, cancelled: Callable[[], bool]) -> Iterator[StepSummary | None]:
        """Look at every request, nearest to the index `here` first; a summary the first time, null for hits alone."""
        for step in outward(self.replay.steps, here):
            if cancelled():
                return
            fresh = step not in self._known
            if not fresh and self.index.complete():
                continue
            with self._lock:
                summary = summarize(self.replay.summary(step, view=self.view)) if fresh else None
                self._known.add(step)
                for _ in self.index.scan((step,)):
                    pass
            yield summary

    def seek(
        self, place: Place, direction: Direction, breakpoints: Sequence[Breakpoint]
    ) -> Generator[Step, None, Stop | None]:
        """Look for the next stop from a place on; yields each request looked at, returns the stop or null."""
        search = self.index.seek(place, direction, breakpoints)
        while True:
            with self._lock:
                try:
                    step = next(search)
                except StopIteration as end:
                    found: Stop | None = end.value
                    return found
            yield step
