"""Inspections of small sessions, as the panels see them."""

from __future__ import annotations

from ctxinspect.model.session import Session
from ctxinspect.pipeline.replay import Replay
from ctxinspect.view.inspection import Inspection, summarize

__all__ = ["inspect"]


def inspect(session: Session, turn: int, request: int | None = None) -> Inspection:
    """The replay of one request with every summary known."""
    replay = Replay(session)
    trace = replay.trace(turn, request, ledger=False)
    summaries = {step: summarize(replay.trace(*step, ledger=False)) for step in replay.steps}
    return Inspection(trace, session, replay.settings, "REPLAY", summaries)
