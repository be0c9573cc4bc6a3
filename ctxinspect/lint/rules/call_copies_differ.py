"""The same call recorded twice in one message, with different arguments."""

from __future__ import annotations

from collections.abc import Iterator

from ctxinspect.lint.rule import Context, Fault, MessageRule, shown
from ctxinspect.model.session import RecordedMessage

__all__ = ["RULE"]


def check(message: RecordedMessage, context: Context) -> Iterator[Fault]:  # noqa: ARG001 - the signature of rules
    """At most one fault: the reader has kept the authoritative copy and marked the message."""
    if "call_copies_differ" in message.marks and message.calls:
        call = message.calls[0]
        which = f"{shown(call.id)} of {shown(call.name)}" if len(message.calls) == 1 else "one of its calls"
        text = f"{which} stands twice in this message with different arguments; the parsed copy is the one that counts"
        yield Fault(text, part=message.parts.index(call), call_id=call.id if len(message.calls) == 1 else None)


RULE = MessageRule("call-copies-differ", check)
