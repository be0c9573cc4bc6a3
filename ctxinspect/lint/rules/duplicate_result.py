"""A further result of a call that already has one."""

from __future__ import annotations

from collections.abc import Iterator

from ctxinspect.lint.rule import Context, Conversation, Fault, SequenceRule, shown

__all__ = ["RULE"]


def check(conversation: Conversation, context: Context) -> Iterator[Fault]:  # noqa: ARG001 - the signature of rules
    """One fault per further result; it names the first one, which is the paired one."""
    for unpaired in conversation.pairing.unpaired:
        if unpaired.first is None:
            continue
        slot, result = unpaired.result, conversation.result(unpaired.result)
        between = conversation.messages[unpaired.first.message + 1 : slot.message]
        again = "a second result" if all(message.results for message in between) else "a replay of the result"
        text = (
            f"{again} of {shown(result.call_id)}: the call was answered by message {unpaired.first.message}, "
            "which is the one that is paired"
        )
        yield Fault(text, slot.message, slot.part, result.call_id)


RULE = SequenceRule("duplicate-result", check)
