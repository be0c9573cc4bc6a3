"""What a valid sequence would be: the steps to it, how it would read, and what it would cost. Nothing is changed.

A sequence is written `system user assistant[c1 c2] tool(c1) tool(c2) user`; `+` stands before what a repair adds, `~`
before what it moves, and what it drops is in the steps alone. Texts are raw.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ctxinspect.lint.repair import Repair, RepairStep, plan_repair
from ctxinspect.model.session import RecordedCall, RecordedMessage
from ctxinspect.pipeline.judged import profile_of
from ctxinspect.pipeline.replay import Replay
from ctxinspect.text.sanitize import sanitize
from ctxinspect.tokens.cost import message_cost
from ctxinspect.view.jsonable import dump

__all__ = ["FixPlan", "fix_plans", "plan_json", "plan_lines"]

_KINDS = ("drop", "stub", "move", "rename")
_WHOLE = 40
"""Messages of a sequence that is written whole; of a longer one only what is around the steps."""
_AROUND = 2


@dataclass(frozen=True, slots=True)
class FixPlan:
    """The repair of one recorded call: messages and tokens before and after, the steps, and the sequence after them."""

    file: str
    turn: int
    request: int
    messages_before: int
    messages_after: int
    tokens_before: int
    tokens_after: int
    steps: tuple[RepairStep, ...]
    sequence: tuple[str, ...]


def fix_plans(file: str, replay: Replay, provider: str | None) -> Iterator[FixPlan]:
    """A plan for every recorded call of a session, under a provider's rules (default: its own dialect)."""
    session = replay.session
    for call in session.recorded:
        repair = plan_repair(call.messages, profile=provider or profile_of(session))
        yield _plan(file, replay, call, repair)


def _plan(file: str, replay: Replay, call: RecordedCall, repair: Repair) -> FixPlan:
    return FixPlan(
        file,
        call.turn,
        call.request,
        len(call.messages),
        len(repair.messages),
        _tokens(replay, call.messages),
        _tokens(replay, repair.messages),
        repair.steps,
        tuple(word for message in repair.messages for word in _words(message, repair.steps)),
    )


def _tokens(replay: Replay, messages: Sequence[RecordedMessage]) -> int:
    """What the messages cost, results inside user messages like messages of their own."""
    settings, total = replay.settings, 0
    for message in messages:
        contents = [result.content for result in message.results]
        if message.text or message.calls or not contents:
            contents.append(message.content)
        for at, content in enumerate(contents):
            total += message_cost(
                content,
                message.calls if at == len(contents) - 1 else (),
                replay.counter,
                overhead=settings.message_overhead,
                image_tokens=settings.image_tokens,
            )
    return total


def _words(message: RecordedMessage, steps: Sequence[RepairStep]) -> Iterator[str]:
    """One word for a message, one more for each result in it."""
    marks = {step.call_id: "+" if step.kind == "stub" else "~" for step in steps if step.kind in ("stub", "move")}
    for result in message.results:
        yield f"{marks.get(result.call_id, '')}tool({result.call_id})"
    if message.calls:
        yield f"{message.role}[{' '.join(str(call.id) for call in message.calls)}]"
    elif not message.results or message.text:
        yield message.role


def plan_lines(plan: FixPlan) -> Iterator[str]:
    """One line a step, one for the sequence where it changes, and one with the cost."""
    address = f"{plan.file}: t{plan.turn}r{plan.request}"
    for step in plan.steps:
        subject = f" {step.call_id}" if step.call_id else ""
        yield sanitize(f"{address} {step.kind} messages[{step.message}]{subject}: {step.reason}")
    if plan.steps:
        yield sanitize(f"{address} sequence: {' '.join(_around(plan.sequence))}")
    counts: Counter[str] = Counter(step.kind for step in plan.steps)
    total = ", ".join(f"{counts[kind]} {kind}" for kind in _KINDS if counts[kind]) or "nothing to repair"
    sizes = f"{plan.messages_before} messages become {plan.messages_after}"
    yield sanitize(f"{address} {total}; {sizes}, {plan.tokens_before} tokens become {plan.tokens_after}")


def _around(words: tuple[str, ...]) -> list[str]:
    """The words, or of many those near what was added or moved, with `…` for what is left out."""
    if len(words) <= _WHOLE:
        return list(words)
    near = {
        at + d for at, word in enumerate(words) if word.startswith(("+", "~")) for d in range(-_AROUND, _AROUND + 1)
    }
    shown: list[str] = []
    for at, word in enumerate(words):
        if at in near:
            shown.append(word)
        elif not shown or shown[-1] != "…":
            shown.append("…")
    return shown


def plan_json(plans: Sequence[FixPlan]) -> str:
    """`{"plans": [...]}`, a plan for each recorded call."""
    return dump({"plans": list(plans)}, indent=2)
