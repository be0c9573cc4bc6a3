"""A call whose result is still to come: the list ends before it."""

from __future__ import annotations

from collections.abc import Iterator

from ctxinspect.lint.rule import Context, Conversation, Fault, SequenceRule, shown

__all__ = ["RULE"]


def check(conversation: Conversation, context: Context) -> Iterator[Fault]:
    """One fault per open call of the last batch where nothing follows it. Calls run by the provider may be resumed.

    A response recorded alone is no request: its calls wait for the next one.
    """
    response_alone = context.partial and all(message.role == "assistant" for message in conversation.messages)
    if response_alone or not context.ends_open:
        return
    for slot in conversation.pairing.open_calls:
        call = conversation.call(slot)
        if call.server or not conversation.in_flight(slot):
            continue
        text = (
            f"the call {shown(call.id)} of {shown(call.name)} is in flight: nothing follows it; "
            "the list cannot be sent as it stands"
        )
        yield Fault(text, slot.message, slot.part, call.id, case=0 if context.recording else 1)


RULE = SequenceRule("call-in-flight", check)
