"""Turns in an order that an API refuses: not the user first, or a call out of place."""

from __future__ import annotations

from collections.abc import Iterator

from ctxinspect.lint.rule import Context, Conversation, Fault, SequenceRule, carries_results
from ctxinspect.model.session import OtherPart

__all__ = ["RULE"]


def check(conversation: Conversation, context: Context) -> Iterator[Fault]:
    """One fault per message: the first turn is not the user's, or a call turn follows neither user nor result.

    An orphaned result at the front is its own rule's. A run of items is one turn; a compaction's item is none.
    """
    before: str | None = None
    for index in conversation.body:
        message = conversation.messages[index]
        if message.parts and all(isinstance(part, OtherPart) for part in message.parts):
            continue
        speaker = "result" if carries_results(message) else message.role
        if before is None and speaker not in {"user", "result"}:
            if not context.partial:
                yield Fault(f"the first turn is the {message.role}'s, not the user's", index)
        elif before == "assistant" and message.calls and not conversation.items:
            call = message.calls[0]
            text = "a turn with tool calls follows neither the user nor a result"
            yield Fault(text, index, message.parts.index(call), call.id, case=1)
        before = speaker


RULE = SequenceRule("role-order", check)
