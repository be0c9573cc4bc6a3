"""A request whose last assistant text ends in white space."""

from __future__ import annotations

from collections.abc import Iterator

from ctxinspect.lint.rule import Context, Conversation, Fault, SequenceRule, is_story
from ctxinspect.model.session import TextBlock

__all__ = ["RULE"]


def check(conversation: Conversation, context: Context) -> Iterator[Fault]:
    """At most one fault, where the last message is the assistant's and is to be continued."""
    last = conversation.messages[-1] if conversation.messages else None
    if last is None or last.role != "assistant" or is_story(conversation, context):
        return
    part = last.parts[-1] if last.parts else None
    if isinstance(part, TextBlock) and part.text.strip() and part.text != part.text.rstrip():
        count = len(part.text) - len(part.text.rstrip())
        text = f"the last assistant text ends in white space ({count} character{'s' if count > 1 else ''})"
        yield Fault(text, len(conversation.messages) - 1, len(last.parts) - 1)


RULE = SequenceRule("trailing-whitespace", check)
