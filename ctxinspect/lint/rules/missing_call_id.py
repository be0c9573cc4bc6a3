"""A call or a result without an id."""

from __future__ import annotations

from collections.abc import Iterator

from ctxinspect.lint.rule import Context, Conversation, Fault, SequenceRule, shown
from ctxinspect.model.flat_pairing import Slot

__all__ = ["RULE"]


def check(conversation: Conversation, context: Context) -> Iterator[Fault]:  # noqa: ARG001 - the signature of rules
    """One fault per half without id. Legacy functions have none by design, the provider's own calls need none."""
    for slot, call in conversation.calls():
        if not call.id and not call.server and not _is_legacy_call(conversation, slot):
            yield Fault(f"the call of {shown(call.name)} has no id", slot.message, slot.part)
    for index, message in enumerate(conversation.messages):
        if message.role == "function":
            continue
        for number, part in enumerate(message.parts):
            if part.type == "tool_result" and not part.call_id and not part.server:
                text = f"the result of {part.name or 'an unnamed tool'} has no call id"
                yield Fault(_with_pair(conversation, Slot(index, number), text), index, number)


def _with_pair(conversation: Conversation, slot: Slot, text: str) -> str:
    pair = conversation.pair_of_result.get(slot)
    if pair is None:
        return text
    how = "by its tool name" if pair.by == "name" else "because it stands beside it"
    return f"{text}; paired with the call in message {pair.call.message} {how}"


def _is_legacy_call(conversation: Conversation, slot: Slot) -> bool:
    if "legacy_function" in conversation.messages[slot.message].marks:
        return True
    pair = conversation.pair_of_call.get(slot)
    return pair is not None and conversation.messages[pair.result.message].role == "function"


RULE = SequenceRule("missing-call-id", check)
