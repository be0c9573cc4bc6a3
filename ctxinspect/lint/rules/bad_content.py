"""A content that is neither text nor a list of known parts."""

from __future__ import annotations

from collections.abc import Iterator

from ctxinspect.lint.rule import Context, Fault, MessageRule
from ctxinspect.model.session import OtherPart, RecordedMessage

__all__ = ["RULE"]


def check(message: RecordedMessage, context: Context) -> Iterator[Fault]:  # noqa: ARG001 - the signature of rules
    """One fault for a content of the wrong kind, or one per part that is none."""
    faulty = [(number, part) for number, part in enumerate(message.parts) if isinstance(part, OtherPart) and part.fault]
    if message.shape == "bad":
        text = faulty[0][1].fault if faulty else None
        yield Fault(text or f"the content of this {message.role} message is neither text nor a list of parts")
        return
    if message.shape == "absent" and not message.parts:
        yield Fault(f"this {message.role} message has no content")
    for number, part in faulty:
        yield Fault(f"part {number} of the content: {part.fault}", part=number)


RULE = MessageRule("bad-content", check)
