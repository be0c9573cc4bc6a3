"""A session read again: another navigator that stands where the old one stood. Nothing of the old one is changed.

What was known of requests that cannot have changed is kept: those of the turns before the first one that differs, where
nothing that holds for the whole session differs.
"""

from __future__ import annotations

from ctxinspect.model.session import Session
from ctxinspect.pipeline.plan import Step
from ctxinspect.pipeline.replay import Replay
from ctxinspect.settings import parse_override
from ctxinspect.tui.state import Navigator

__all__ = ["first_changed_turn", "renewed", "settle"]

_TURNWISE = frozenset({"turns", "recorded", "source"})
"""Fields of a session that differ only from some turn on when a file grows."""


def first_changed_turn(old: Session, new: Session) -> int:
    """The first turn that is not as it was; 0 where anything that holds for the whole session differs."""
    for name in type(old).model_fields:
        if name not in _TURNWISE and getattr(old, name) != getattr(new, name):
            return 0
    for at, (before, after) in enumerate(zip(old.turns, new.turns, strict=False)):
        if before != after:
            return at
    return min(len(old.turns), len(new.turns))


def renewed(old: Navigator, session: Session) -> Navigator:
    """The session at the same position (else the last one there is), view, fork, reference, filter and breakpoints.

    Someone at the last request goes along to the new last one.
    """
    replay = Replay(session)
    if old.opened.overrides:
        replay = replay.fork(dict(parse_override(flag) for flag in old.opened.overrides))
    new = Navigator(replay)
    new.opened, new.breaks, new.breaks_file = old.opened, old.breaks, old.breaks_file
    if old.forked is not None:
        new.set_forks(old.fork_flags)
    new.show(old.label)
    new.epoch = old.epoch + 1
    settle(old, new)
    _keep(old, new, first_changed_turn(old.replay.session, session))
    return new


def settle(old: Navigator, new: Navigator) -> None:
    """Stand where the old one stands by now, with its reference, filter and breakpoints."""
    new.since, new.only, new.breaks = old.since, old.only, old.breaks
    new.scout.watch(item.expression for item in new.breaks)
    there = set(new.replay.steps)
    new.mark = old.mark if old.mark in there else None
    at_end = not old.replay.steps or old.position == old.replay.steps[-1]
    new.position, new.stage, new.decision = new.replay.steps[-1], old.stage, None
    if not at_end and old.position in there:
        new.position, new.decision = old.position, old.decision
    new.last = old.last if old.last in there else None


def _keep(old: Navigator, new: Navigator, first: int) -> None:
    """Take over what is known of the turns before the first that changed."""
    known = [summary for summary in old.summaries.values() if summary.step.turn < first]
    new.take(known)
    new.scout.skip(Step(*summary.step) for summary in known)
