"""What background work tells the screens; each carries all a screen needs."""

from __future__ import annotations

from textual.message import Message

from ctxinspect.tui.jobs import Choice
from ctxinspect.view.inspection import StepSummary

__all__ = ["Found", "Indexed"]


class Indexed(Message):
    """More requests are summarised; `epoch` is the navigator's when the work began."""

    def __init__(self, epoch: int, summaries: tuple[StepSummary, ...]) -> None:
        super().__init__()
        self.epoch = epoch
        self.summaries = summaries


class Found(Message):
    """More sessions were found on this machine; `done` where the search is over."""

    def __init__(self, choices: tuple[Choice, ...], *, done: bool = False) -> None:
        super().__init__()
        self.choices = choices
        self.done = done
