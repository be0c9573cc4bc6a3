"""An empty or blank text block, or a message with nothing in it."""

from __future__ import annotations

from collections.abc import Iterator

from ctxinspect.lint.rule import Context, Fault, MessageRule
from ctxinspect.model.content import TextPart
from ctxinspect.model.session import RecordedMessage, ResultPart, TextBlock

__all__ = ["RULE"]


def check(message: RecordedMessage, context: Context) -> Iterator[Fault]:  # noqa: ARG001 - the signature of rules
    """One fault per empty block, or one for the message. Null and wrong contents are other rules'."""
    if message.shape in {"null", "absent", "bad"}:
        return
    if not message.parts:
        yield Fault(f"this {message.role} message holds nothing")
        return
    alone = len(message.parts) == 1
    for number, part in enumerate(message.parts):
        if isinstance(part, TextBlock) and not part.text.strip() and (message.shape == "parts" or part.text or alone):
            kind = "an empty" if not part.text else "a blank"
            what = "text block" if message.shape == "parts" else "text"
            yield Fault(f"{kind} {what} in this {message.role} message", part=number)
        elif isinstance(part, ResultPart) and _has_empty_block(part):
            yield Fault("an empty text block in this result", part=number, call_id=part.call_id)


def _has_empty_block(result: ResultPart) -> bool:
    if result.content is None or isinstance(result.content, str):
        return False
    return any(isinstance(part, TextPart) and not part.text.strip() for part in result.content)


RULE = MessageRule("empty-message", check)
