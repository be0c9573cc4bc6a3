"""A call and its result with another message between them."""

from __future__ import annotations

from collections.abc import Iterator

from ctxinspect.lint.rule import Context, Conversation, Fault, SequenceRule, carries_results, shown
from ctxinspect.model.flat_pairing import Slot

__all__ = ["RULE"]


def check(conversation: Conversation, context: Context) -> Iterator[Fault]:  # noqa: ARG001 - the signature of rules
    """One fault per separated pair, at the call; the sentence says what stands between and where the result is."""
    for slot, call in conversation.calls():
        pair = conversation.pair_of_call.get(slot)
        if pair is None:
            continue
        between = _between(conversation, slot, pair.result)
        if between is None:
            continue
        text = (
            f"the result of {shown(call.id)} is message {pair.result.message}; message {between} "
            f"({conversation.messages[between].role}) stands between it and its call"
        )
        yield Fault(text, slot.message, slot.part, call.id)


def _between(conversation: Conversation, call: Slot, result: Slot) -> int | None:
    """The first message that parts the two, or None. Other results never do, nor do items of the same model call."""
    answered = False
    for index in range(call.message + 1, result.message):
        message = conversation.messages[index]
        if carries_results(message):
            answered = True
            continue
        same_model_call = conversation.items and message.role == "assistant"
        if not same_model_call or (answered and any(part.type == "text" for part in message.parts)):
            return index
    return None


RULE = SequenceRule("result-not-adjacent", check)
