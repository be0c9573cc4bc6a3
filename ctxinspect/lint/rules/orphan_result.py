"""A result that belongs to no call before it."""

from __future__ import annotations

from collections.abc import Iterator

from ctxinspect.lint.rule import Context, Conversation, Fault, SequenceRule, shown

__all__ = ["RULE"]


def check(conversation: Conversation, context: Context) -> Iterator[Fault]:
    """One fault per orphan; silent where earlier context is kept on a server, for the call may stand there."""
    if context.partial:
        return
    later = {call.id: slot.message for slot, call in conversation.calls() if call.id}
    for unpaired in conversation.pairing.unpaired:
        if unpaired.kind != "orphan":
            continue
        slot, result = unpaired.result, conversation.result(unpaired.result)
        if result.server:
            continue
        if not result.call_id:
            text = f"the result of {result.name or 'an unnamed tool'} has no call id and finds no open call before it"
        elif later.get(result.call_id, -1) > slot.message:
            text = f"the result of {shown(result.call_id)} stands before its call, message {later[result.call_id]}"
        else:
            text = f"the result of {shown(result.call_id)} belongs to no call in this list"
        yield Fault(text, slot.message, slot.part, result.call_id)


RULE = SequenceRule("orphan-result", check)
