"""A request whose last message is the assistant's."""

from __future__ import annotations

from collections.abc import Iterator

from ctxinspect.lint.rule import Context, Conversation, Fault, SequenceRule, is_story, only_thinking

__all__ = ["RULE"]


def check(conversation: Conversation, context: Context) -> Iterator[Fault]:
    """At most one fault. A story may end with its answer, and open calls are another rule's."""
    last = conversation.messages[-1] if conversation.messages else None
    if last is None or last.role != "assistant" or last.calls or only_thinking(last) or is_story(conversation, context):
        return
    yield Fault(
        "the last message is the assistant's: older models take it as the start of their reply, newer ones refuse it",
        len(conversation.messages) - 1,
    )


RULE = SequenceRule("ends-with-assistant", check)
