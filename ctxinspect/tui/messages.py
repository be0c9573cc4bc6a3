"""What background work tells the screens; each carries all a screen needs."""

from __future__ import annotations

from textual.message import Message

from ctxinspect.pipeline.effects import Effect
from ctxinspect.pipeline.hit_index import Direction, Stop
from ctxinspect.tui.jobs import Choice
from ctxinspect.view.inspection import StepSummary

__all__ = ["Found", "Indexed", "Sought", "Worked"]


class Indexed(Message):
    """More requests are looked at; `epoch` is the navigator's when the work began."""

    def __init__(self, epoch: int, summaries: tuple[StepSummary, ...]) -> None:
        super().__init__()
        self.epoch = epoch
        self.summaries = summaries


class Sought(Message):
    """The search for the next stop goes on (`done` requests looked at), or is over: with a stop, or none."""

    def __init__(self, epoch: int, direction: Direction, done: int, *, over: bool, found: Stop | None = None) -> None:
        super().__init__()
        self.epoch = epoch
        self.direction = direction
        self.done = done
        self.over = over
        self.found = found


class Found(Message):
    """More sessions were found on this machine; `done` where the search is over."""

    def __init__(self, choices: tuple[Choice, ...], *, done: bool = False) -> None:
        super().__init__()
        self.choices = choices
        self.done = done


class Worked(Message):
    """More of a fork's effects are known; `run` is the count of forks when the work began."""

    def __init__(self, run: int, effects: tuple[Effect, ...]) -> None:
        super().__init__()
        self.run = run
        self.effects = effects
