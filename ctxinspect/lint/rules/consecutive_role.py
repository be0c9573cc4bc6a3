"""Two messages of the user or two of the assistant in a row."""

from __future__ import annotations

from collections.abc import Iterator

from ctxinspect.lint.rule import Context, Conversation, Fault, SequenceRule, only_results

__all__ = ["RULE"]


def check(conversation: Conversation, context: Context) -> Iterator[Fault]:  # noqa: ARG001 - the signature of rules
    """One fault per further message. Messages that hold only results are neither's; a run of items is one turn."""
    before: str | None = None
    for index, message in enumerate(conversation.messages):
        role = None if only_results(message) else message.role
        if role == before and (role == "user" or (role == "assistant" and not conversation.items)):
            yield Fault(f"two {role} messages in a row", index)
        before = role


RULE = SequenceRule("consecutive-role", check)
