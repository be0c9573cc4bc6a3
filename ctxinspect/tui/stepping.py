"""The moves of the debugger: functions on a navigator. Each gives null, or one line that says why it stayed.

A move back is exact, never a re-execution that might differ: the replay is a pure function. A move that has nowhere to
go stays. Moving to another request keeps the stage and leaves the decision.
"""

from __future__ import annotations

from ctxinspect.pipeline.plan import Step
from ctxinspect.trace.types import STAGES, Stage
from ctxinspect.tui.state import Navigator
from ctxinspect.view.decisions import decisions, stages_run

__all__ = [
    "go_back_to_mark",
    "move_end",
    "move_event",
    "move_request",
    "move_step",
    "move_turn",
    "set_mark",
    "step_in",
    "step_out",
]


def _to_index(navigator: Navigator, at: int) -> str | None:
    if not 0 <= at < len(navigator.replay.steps):
        return f"STAY   already at the {'first' if at < 0 else 'last'} request"
    navigator.stand(navigator.replay.steps[at], navigator.stage)
    return None


def move_request(navigator: Navigator, by: int) -> str | None:
    """One request on or back, crossing turns."""
    return _to_index(navigator, navigator.index + by)


def move_turn(navigator: Navigator, by: int) -> str | None:
    """So many turns on or back: to that turn's last request."""
    turn = navigator.position.turn + by
    if not 0 <= turn < len(navigator.replay.session.turns):
        left = navigator.position.turn if by < 0 else len(navigator.replay.session.turns) - 1 - navigator.position.turn
        if left:
            return f"STAY   only {left} turn{'' if left == 1 else 's'} {'before' if by < 0 else 'after'} this one"
        return f"STAY   already at the {'first' if by < 0 else 'last'} turn"
    navigator.stand(navigator.replay.step(turn), navigator.stage)
    return None


def move_end(navigator: Navigator, *, last: bool) -> str | None:
    """To the first request of the first turn, or the last of the last."""
    return _to_index(navigator, len(navigator.replay.steps) - 1 if last else 0)


def move_event(navigator: Navigator, by: int) -> str | None:
    """To the nearest request with an event after or before this one; stays where none is known."""
    steps = navigator.replay.steps
    at = navigator.index + by
    while 0 <= at < len(steps):
        summary = navigator.summaries.get(steps[at])
        if summary is not None and summary.letters:
            return _to_index(navigator, at)
        at += by
    known = len(navigator.summaries)
    pending = f", {known} of {len(steps)} requests indexed" if known < len(steps) else ""
    return f"STAY   no event {'after' if by > 0 else 'before'} {navigator.address}{pending}"


def move_step(navigator: Navigator, by: int) -> str | None:
    """One step of the level we are at: a stage, or a decision once we are inside one; crossing requests.

    Before the first stage of a request stands the request as a whole, as in the order of stops.
    """
    if navigator.decision is not None:
        return _move_decision(navigator, by)
    return _move_stage(navigator, by)


def _places(navigator: Navigator, step: Step) -> tuple[Stage | None, ...]:
    """The request as a whole (null), then the stages that ran: where a walk through a request stops."""
    return (None, *stages_run(navigator.trace(navigator.label, step)))


def _rank(stage: Stage | None) -> int:
    return -1 if stage is None else STAGES.index(stage)


def _move_stage(navigator: Navigator, by: int) -> str | None:
    here = _rank(navigator.stage)
    ahead = [place for place in _places(navigator, navigator.position) if (_rank(place) - here) * by > 0]
    if ahead:
        navigator.stand(navigator.position, ahead[0] if by > 0 else ahead[-1])
        return None
    at = navigator.index + by
    if not 0 <= at < len(navigator.replay.steps):
        return f"STAY   already at the {'first' if by < 0 else 'last'} stage of the session"
    step = navigator.replay.steps[at]
    navigator.stand(step, _places(navigator, step)[0 if by > 0 else -1])
    return None


def _move_decision(navigator: Navigator, by: int) -> str | None:
    assert navigator.stage is not None
    assert navigator.decision is not None
    count = len(decisions(navigator.trace(navigator.label), navigator.stage))
    if 0 <= navigator.decision + by < count:
        navigator.stand(navigator.position, navigator.stage, navigator.decision + by)
        return None
    before = (navigator.position, navigator.stage, navigator.decision, navigator.last)
    while (stayed := _move_stage(navigator, by)) is None:
        stage = navigator.stage
        found = len(decisions(navigator.trace(navigator.label), stage)) if stage else 0
        if found:
            navigator.stand(navigator.position, navigator.stage, 0 if by > 0 else found - 1)
            return None
    navigator.position, navigator.stage, navigator.decision, navigator.last = before
    return stayed.replace("stage", "decision")


def step_in(navigator: Navigator) -> str | None:
    """From the request into its first stage, from a stage into its first decision."""
    if navigator.stage is None:
        navigator.stand(navigator.position, _places(navigator, navigator.position)[1])
        return None
    if navigator.decision is not None:
        return "STAY   a decision is the innermost level; enter reads it"
    if not decisions(navigator.trace(navigator.label), navigator.stage):
        return f"STAY   {navigator.stage} decided nothing in this request"
    navigator.stand(navigator.position, navigator.stage, 0)
    return None


def step_out(navigator: Navigator) -> str | None:
    """From a decision to its stage, from a stage to the request."""
    if navigator.decision is not None:
        navigator.stand(navigator.position, navigator.stage)
    elif navigator.stage is not None:
        navigator.stand(navigator.position, None)
    else:
        return "STAY   already at the request"
    return None


def set_mark(navigator: Navigator) -> str:
    """Mark this request; rows can be marked against it, and the diff taken."""
    navigator.mark = navigator.position
    return f"MARK   {navigator.address}; ' comes back here, D is the diff against it, :since mark marks rows against it"


def go_back_to_mark(navigator: Navigator) -> str | None:
    """To the mark; the place we leave becomes the mark, so that two requests can be compared in turns."""
    if navigator.mark is None:
        return "STAY   no mark is set; m sets one"
    here = navigator.position
    navigator.stand(navigator.mark, navigator.stage)
    navigator.mark = here
    return None
