"""A session, or one request of it, in another format: what the target cannot hold and what a repair changed is listed.

A request is converted exactly as it was sent (recorded view) or as the pipeline builds it (replay view). A whole session
is one conversation with every message of it, answers included, whatever the settings would leave out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ctxinspect.dialects import Draft, Loss, Target, merged_runs, write_body
from ctxinspect.dialects.native import cut_session, native_body, native_losses, repaired_turns
from ctxinspect.dialects.story import answer_message, messages_of_turns, session_losses
from ctxinspect.errors import UsageError
from ctxinspect.lint.repair import plan_repair
from ctxinspect.model.session import RecordedCall, RecordedMessage, Session, Source
from ctxinspect.pipeline.judged import as_recorded, profile_of
from ctxinspect.pipeline.plan import Step
from ctxinspect.pipeline.recorded import recorded_request
from ctxinspect.pipeline.replay import Replay, View
from ctxinspect.readers.turns import turns_from_messages

__all__ = ["Change", "Converted", "convert_native", "convert_request", "convert_session", "request_steps"]

_ITEMS = "openai-responses"


@dataclass(frozen=True, slots=True)
class Change:
    """One change that a repair made: `kind` (drop, stub, move, rename), where, for which call, why."""

    kind: str
    path: str
    call_id: str | None
    reason: str
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Converted:
    """A body in the target's format; `step` is the request it is, or None for a whole session."""

    body: dict[str, Any]
    losses: tuple[Loss, ...]
    changes: tuple[Change, ...]
    step: Step | None = None


def convert_request(
    replay: Replay,
    step: Step,
    target: Target,
    *,
    view: View = "replay",
    repair: bool = False,
    answer: bool = False,
    model: str | None = None,
) -> Converted:
    """One request as a body of the target's API; `answer` adds what the model answered, `model` replaces the model."""
    session = replay.session
    if view == "recorded":
        call, messages = recorded_request(replay, step)
        if answer:
            messages += _recorded_answer(session, call, step)
        draft = _draft_of_call(session, call, messages, model)
        losses = _call_losses(call)
    else:
        messages = tuple(as_recorded(m, i) for i, m in enumerate(replay.request(step).window.messages))
        if answer:
            messages += _answer(session, step)
        draft = Draft(messages, session.tools, model or session.model, origin=_origin(session))
        losses = ()
    return _written(draft, target, losses, step=step, repair=repair)


def convert_session(
    replay: Replay,
    target: Target,
    *,
    view: View = "replay",
    repair: bool = False,
    model: str | None = None,
) -> Converted:
    """The whole session as one conversation. Raises UsageError where it has no turns."""
    session = replay.session
    if not session.turns:
        raise UsageError("the session has no turns: there is no conversation to write")
    if view == "recorded":
        call = max(session.recorded, key=lambda known: len(known.messages))
        messages = call.messages
        if _is_capture(session):
            messages += _captured_answer(session, call)
        draft = _draft_of_call(session, call, messages, model)
        losses = (*_call_losses(call), *_recorded_losses(session))
    else:
        system, cut = _system(replay)
        draft = Draft(
            messages_of_turns(session.turns, system), session.tools, model or session.model, origin=_origin(session)
        )
        losses = (*cut, *session_losses(session), *_thread_losses(session))
    return _written(draft, target, losses, repair=repair)


def request_steps(replay: Replay, view: View) -> tuple[Step, ...]:
    """The requests of a session; in the recorded view of a capture those that the file has."""
    if view == "recorded" and _is_capture(replay.session):
        return tuple(sorted({Step(call.turn, call.request) for call in replay.session.recorded}))
    return replay.steps


def convert_native(replay: Replay, step: Step | None = None, *, repair: bool = False) -> Converted:
    """The session in the native format, whole or up to a request, under the settings of the replay."""
    session = _without_own_place(replay.session)
    if step is not None:
        cut = cut_session(session, step.turn, step.request)
        if session.recorded and not _is_capture(session):
            cut = cut.model_copy(update={"recorded": (_cut_call(session.recorded[-1], step),)})
        session = cut
    changes: tuple[Change, ...] = ()
    if repair:
        session, changes = _repaired(session)
    return Converted(native_body(session), tuple(native_losses(session)), changes, step)


def _without_own_place(session: Session) -> Session:
    """A native session without the name of the file it stands in, which the reader adds, where that says no more."""
    source = session.source
    if isinstance(source, Source) and source.family == "native" and not (source.problems or source.masked):
        named = None if source.format == session.format else source.format
        return session.model_copy(update={"source": named})
    return session


def _cut_call(call: RecordedCall, step: Step) -> RecordedCall:
    """The message list of a transcript up to a request, in the order of the file."""
    steps = turns_from_messages(call.messages).steps
    at = (step.turn, step.request)
    kept = tuple(
        message
        for message, when in zip(call.messages, steps, strict=True)
        if when < at or (when == at and message.role != "assistant")
    )
    return call.model_copy(update={"messages": kept, "turn": step.turn, "request": step.request, "usage": None})


def _repaired(session: Session) -> tuple[Session, tuple[Change, ...]]:
    turns, steps = repaired_turns(session.turns)
    changes = [Change(step.kind, step.path, step.call_id, step.reason) for step in steps]
    recorded = []
    for number, call in enumerate(session.recorded):
        repair = plan_repair(call.messages, profile=profile_of(session))
        recorded.append(call.model_copy(update={"messages": repair.messages}))
        for step in repair.steps:
            place = f"$.recorded[{number}].messages[{step.message}]"
            line = call.messages[step.message].line
            changes.append(Change(step.kind, place, step.call_id, step.reason, line))
    return session.model_copy(update={"turns": turns, "recorded": tuple(recorded)}), tuple(changes)


def _written(
    draft: Draft, target: Target, losses: Sequence[Loss], *, repair: bool, step: Step | None = None
) -> Converted:
    """The body of a draft: runs of items joined where the target has none, repaired where that was asked for."""
    noted = list(losses)
    messages = draft.messages
    if not messages:
        noted.append(Loss("$", "messages", "nothing that this request sent is recorded: no API takes an empty one"))
    if draft.origin == _ITEMS and target != _ITEMS:
        messages = merged_runs(messages)
        if len(messages) < len(draft.messages):
            number = len(draft.messages) - len(messages)
            why = f"{number} messages that went on after calls without a result between join the message before"
            noted.append(Loss("$", "boundary", why))
    changes: list[Change] = []
    if repair:
        plan = plan_repair(messages, profile=target)
        for done in plan.steps:
            subject = messages[done.message]
            place = subject.path or f"messages[{done.message}]"
            changes.append(Change(done.kind, place, done.call_id, done.reason, subject.line))
        messages = plan.messages
    written = write_body(target, Draft(messages, draft.tools, draft.model, draft.thinking, draft.origin))
    return Converted(written.body, (*noted, *written.losses), tuple(changes), step)


def _draft_of_call(
    session: Session, call: RecordedCall, messages: tuple[RecordedMessage, ...], model: str | None
) -> Draft:
    tools = call.tools if call.tools is not None else session.tools
    chosen = model or call.model or session.model
    return Draft(messages, tools, chosen, thinking=call.thinking, origin=_origin(session))


def _origin(session: Session) -> str | None:
    return session.source.dialect if isinstance(session.source, Source) else None


def _is_capture(session: Session) -> bool:
    return isinstance(session.source, Source) and session.source.family == "capture"


def _recorded_answer(session: Session, call: RecordedCall, step: Step) -> tuple[RecordedMessage, ...]:
    """The answer to a recorded request: as it stood in a transcript, from the turns where the call is a capture's."""
    if _is_capture(session):
        return _captured_answer(session, call)
    steps = turns_from_messages(call.messages).steps
    at = (step.turn, step.request)
    return tuple(
        message
        for message, when in zip(call.messages, steps, strict=True)
        if when == at and message.role == "assistant"
    )


def _captured_answer(session: Session, call: RecordedCall) -> tuple[RecordedMessage, ...]:
    """What a captured call was answered, from the turns; nothing where its own list ends with the answer.

    A list that ends with an assistant's words is either a response alone, or a beginning that the model went on with.
    """
    step = Step(call.turn, call.request)
    if call.messages and call.messages[-1].role == "assistant" and not call.messages[-1].calls:
        if step.request >= len(session.turns[step.turn].rounds):
            return ()
        step = Step(step.turn, step.request + 1)
    return _answer(session, step, "answer")


def _answer(session: Session, step: Step, path: str | None = None) -> tuple[RecordedMessage, ...]:
    told = answer_message(session.turns[step.turn], step.request, path or f"$.turns[{step.turn}]")
    return (told,) if told is not None else ()


def _system(replay: Replay) -> tuple[str, tuple[Loss, ...]]:
    """The system prompt of the last turn, and the components that are not whole in it."""
    trace = replay.assembly(len(replay.session.turns) - 1).trace
    cut = tuple(
        Loss(f"$.components.{row.name}", "component", f"{row.state} ({row.rule}) in the system prompt of the last turn")
        for row in trace.components
        if row.state != "kept" and row.content
    )
    if trace.components:
        names = ", ".join(row.name for row in trace.components)
        cut = (*cut, Loss("$.components", "components", f"one system prompt holds {names}: no names, no priorities"))
    return trace.text, cut


def _call_losses(call: RecordedCall) -> tuple[Loss, ...]:
    return (Loss("$", "context", call.partial, call.line),) if call.partial else ()


def _thread_losses(session: Session) -> Iterator[Loss]:
    return (loss for loss in native_losses(session) if loss.what == "thread")


def _recorded_losses(session: Session) -> Iterator[Loss]:
    """What of a recorded session is not in its one conversation."""
    yield from _thread_losses(session)
    others = len(session.recorded) - 1
    if others:
        yield Loss("$", "requests", f"{others} other requests of this thread: each is a body of its own (--turn all)")
    reported = sum(round_.usage is not None for turn in session.turns for round_ in turn.rounds)
    reported += sum(turn.usage is not None for turn in session.turns)
    if reported:
        yield Loss("$", "usage", "what the provider reported is no part of a request", detail=f"{reported} figures")
    if isinstance(session.source, Source):
        for missing in session.source.missing:
            yield Loss("$", "never recorded", missing)
