"""A call of a tool that is not among the session's."""

from __future__ import annotations

from collections.abc import Iterator

from ctxinspect.lint.rule import Context, Fault, MessageRule, shown
from ctxinspect.model.session import CallPart, RecordedMessage

__all__ = ["RULE"]


def check(message: RecordedMessage, context: Context) -> Iterator[Fault]:
    """One fault per call, where tools are known. Tools that the provider runs are its own."""
    if context.tools is None:
        return
    for number, part in enumerate(message.parts):
        if isinstance(part, CallPart) and not part.server and part.name not in context.tools:
            text = f"{shown(part.name)} is not among the {len(context.tools)} tools of this session"
            yield Fault(text, part=number, call_id=part.id)


RULE = MessageRule("unknown-tool", check)
