"""A call without a result although the conversation goes on after it."""

from __future__ import annotations

from collections.abc import Iterator

from ctxinspect.lint.rule import Context, Conversation, Fault, SequenceRule, shown

__all__ = ["RULE"]


def check(conversation: Conversation, context: Context) -> Iterator[Fault]:
    """One fault per call left open; calls in flight are another rule's."""
    for slot in conversation.pairing.open_calls:
        call = conversation.call(slot)
        in_flight = conversation.in_flight(slot)
        if in_flight and (context.ends_open or call.server):
            continue
        text = f"the call {shown(call.id)} of {shown(call.name)} has no result, and the conversation goes on after it"
        yield Fault(text, slot.message, slot.part, call.id)


RULE = SequenceRule("missing-result", check)
