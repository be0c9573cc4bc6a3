"""Where a fault of a replay stands in a native session, as a JSON path: a call, a result, a text, a component.

A path leads to a value of the session or is null. What is about a whole request (budgets, the prefix) has no place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ctxinspect.model.messages import Message
from ctxinspect.model.session import Component, Session, Turn
from ctxinspect.text.flattened import flattened_history
from ctxinspect.trace.types import Finding

__all__ = ["component_place", "message_place"]

_PLAIN = re.compile(r"[^.\[\]]+")


def component_place(session: Session, finding: Finding) -> str | None:
    """The path of the component that a finding names, the turn's own one first; of a variable likewise.

    A conversation in the system message is looked for in each component alone.
    """
    name, turn_id = finding.component, finding.turn_id
    turn = session.turns[turn_id] if turn_id is not None and 0 <= turn_id < len(session.turns) else None
    owners: list[tuple[str, Session | Turn]] = [(f"$.turns[{turn_id}]", turn)] if turn is not None else []
    owners.append(("$", session))
    for base, owner in owners:
        if finding.id == "history-in-system":
            at = _first(owner.components, lambda component: flattened_history(component.content) is not None)
        elif finding.id == "variable-not-rendered":
            if name is not None and name in owner.variables and _PLAIN.fullmatch(name):
                return f"{base}.variables.{name}"
            continue
        else:
            at = _first(owner.components, lambda component: component.name == name)
        if at is not None:
            return f"{base}.components[{at}]"
    return None


def message_place(session: Session, message: Message, call_id: str | None) -> str | None:
    """The path of what a message was rendered from; with `call_id` that of the call, or of its result in a tool message.

    The system message comes from many components and has none.
    """
    if message.turn_id is None or not 0 <= message.turn_id < len(session.turns):
        return None
    base, turn = f"$.turns[{message.turn_id}]", session.turns[message.turn_id]
    wanted = message.call_id if message.role == "tool" else call_id
    if wanted is not None and (place := _of_call(turn, message, wanted)) is not None:
        return f"{base}.{place}"
    if message.round is not None:
        return f"{base}.rounds[{message.round}]" + (".assistant" if message.role == "assistant" else "")
    return base if message.role == "tool" else f"{base}.{'assistant' if message.role == 'assistant' else 'user'}"


def _of_call(turn: Turn, message: Message, call_id: str) -> str | None:
    """Where a call stands in its turn, or the result of one for a tool message that was recorded."""
    for number, round_ in enumerate(turn.rounds):
        if message.round is not None and number != message.round:
            continue
        if message.role == "tool":
            for at, result in enumerate(round_.tool_results):
                if result.call_id == call_id:
                    return f"rounds[{number}].tool_results[{at}]"
        for at, call in enumerate(round_.tool_calls):
            if call.id == call_id:
                return f"rounds[{number}].tool_calls[{at}]"
    return None


def _first(components: Sequence[Component], holds: Callable[[Component], bool]) -> int | None:
    return next((at for at, component in enumerate(components) if holds(component)), None)
