"""A list in which no user speaks."""

from __future__ import annotations

from collections.abc import Iterator

from ctxinspect.lint.rule import Context, Conversation, Fault, SequenceRule, only_results
from ctxinspect.model.session import RecordedMessage

__all__ = ["RULE"]


def check(conversation: Conversation, context: Context) -> Iterator[Fault]:
    """At most one fault, of the whole list. Results inside user messages are no user's words."""
    if context.partial or not conversation.messages:
        return
    if not any(message.role == "user" and not _only_carries(message) for message in conversation.messages):
        yield Fault("no message of a user among the messages of this request")


def _only_carries(message: RecordedMessage) -> bool:
    return bool(message.parts) and only_results(message)


RULE = SequenceRule("no-user-message", check)
