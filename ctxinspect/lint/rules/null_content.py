"""A content of null where text is required."""

from __future__ import annotations

from collections.abc import Iterator

from ctxinspect.lint.rule import Context, Fault, MessageRule
from ctxinspect.model.session import RecordedMessage, ResultPart

__all__ = ["RULE"]


def check(message: RecordedMessage, context: Context) -> Iterator[Fault]:  # noqa: ARG001 - the signature of rules
    """At most one fault. An assistant message with calls may have null, as may one that holds other parts."""
    spoken = any(not isinstance(part, ResultPart) and part.type != "thinking" for part in message.parts)
    if message.shape == "null" and not spoken:
        result = next(iter(message.results), None)
        text = f"the content of this {message.role} message is null; text is required"
        yield Fault(text, call_id=result.call_id if result else None)
    elif message.role in {"tool", "function"}:
        for number, part in enumerate(message.parts):
            if isinstance(part, ResultPart) and part.content is None:
                yield Fault("the content of this result is null; text is required", part=number, call_id=part.call_id)


RULE = MessageRule("null-content", check)
