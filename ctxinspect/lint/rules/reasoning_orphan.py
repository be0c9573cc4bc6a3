"""A reasoning item that is not followed by the item it led to."""

from __future__ import annotations

from collections.abc import Iterator

from ctxinspect.lint.rule import Context, Conversation, Fault, SequenceRule, shown
from ctxinspect.model.session import ThinkingBlock

__all__ = ["RULE"]


def check(conversation: Conversation, context: Context) -> Iterator[Fault]:  # noqa: ARG001 - the signature of rules
    """One fault per reasoning item that no other item of the same model call follows."""
    followed = False
    orphans: list[Fault] = []
    for index in range(len(conversation.messages) - 1, -1, -1):
        message = conversation.messages[index]
        if message.role != "assistant":
            followed = False
            continue
        for number in range(len(message.parts) - 1, -1, -1):
            part = message.parts[number]
            if not isinstance(part, ThinkingBlock):
                followed = True
            elif not followed and (conversation.items or part.item_id):
                name = f" {shown(part.item_id)}" if part.item_id else ""
                text = f"the reasoning item{name} is not followed by the item it belongs to"
                orphans.append(Fault(text, index, number))
    yield from reversed(orphans)


RULE = SequenceRule("reasoning-orphan", check)
