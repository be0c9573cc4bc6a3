"""A system message that holds a conversation as running text."""

from __future__ import annotations

from collections.abc import Iterator

from ctxinspect.lint.rule import Context, Fault, MessageRule, is_system
from ctxinspect.model.session import RecordedMessage
from ctxinspect.text.flattened import flattened_history

__all__ = ["RULE"]


def check(message: RecordedMessage, context: Context) -> Iterator[Fault]:  # noqa: ARG001 - the signature of rules
    """At most one fault per system message."""
    if is_system(message):
        why = flattened_history(message.text)
        if why is not None:
            yield Fault(f"the {message.role} message holds a flattened conversation: {why}")


RULE = MessageRule("history-in-system", check)
