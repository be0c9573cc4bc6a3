"""Summaries of all requests, made beside the user interface: on a replay of its own, so that nothing is shared but counts."""

from __future__ import annotations

from collections.abc import Iterator

from ctxinspect.pipeline.replay import Replay
from ctxinspect.tui.state import Navigator
from ctxinspect.view.inspection import StepSummary, summarize

__all__ = ["in_step_order"]


def in_step_order(navigator: Navigator) -> Iterator[StepSummary]:
    """The summary of every request under the view shown, oldest first."""
    view = "recorded" if navigator.shown == "recorded" else "replay"
    replay = Replay(navigator.active.session)
    for step in replay.steps:
        yield summarize(replay.trace(step.turn, step.request, view="recorded" if view == "recorded" else "replay", ledger=False))
