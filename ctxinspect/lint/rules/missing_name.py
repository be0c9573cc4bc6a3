"""A function message that does not say which function it answers."""

from __future__ import annotations

from collections.abc import Iterator

from ctxinspect.lint.rule import Context, Fault, MessageRule
from ctxinspect.model.session import RecordedMessage

__all__ = ["RULE"]


def check(message: RecordedMessage, context: Context) -> Iterator[Fault]:  # noqa: ARG001 - the signature of rules
    """At most one fault."""
    if message.role == "function" and not message.name and not any(result.name for result in message.results):
        yield Fault("a function message without the name of its function")


RULE = MessageRule("missing-name", check)
