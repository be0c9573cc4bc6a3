"""A call whose arguments are an empty string instead of an empty object."""

from __future__ import annotations

from collections.abc import Iterator

from ctxinspect.lint.rule import Context, Fault, MessageRule, shown
from ctxinspect.model.arguments import needs_arguments
from ctxinspect.model.session import CallPart, RecordedMessage

__all__ = ["RULE"]


def check(message: RecordedMessage, context: Context) -> Iterator[Fault]:
    """One fault per call; blank is empty."""
    for number, part in enumerate(message.parts):
        if not isinstance(part, CallPart) or part.freeform or part.server:
            continue
        if not isinstance(part.arguments, str) or part.arguments.strip():
            continue
        if context.tools is None or not needs_arguments(context.tools.get(part.name)):
            text = f"the arguments of {shown(part.name)} are an empty string; an empty object is {{}}"
            yield Fault(text, part=number, call_id=part.id)


RULE = MessageRule("empty-arguments", check)
