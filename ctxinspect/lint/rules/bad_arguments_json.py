"""Arguments that are no JSON object."""

from __future__ import annotations

from collections.abc import Iterator

from ctxinspect.lint.rule import Context, Fault, MessageRule, shown
from ctxinspect.model.arguments import arguments_fault, needs_arguments
from ctxinspect.model.session import CallPart, RecordedMessage

__all__ = ["RULE"]


def check(message: RecordedMessage, context: Context) -> Iterator[Fault]:
    """One fault per call. Empty arguments are another rule's, unless the tool is known to require some."""
    for number, part in enumerate(message.parts):
        if not isinstance(part, CallPart) or part.freeform or part.server:
            continue
        fault = arguments_fault(part.arguments)
        empty = isinstance(part.arguments, str) and not part.arguments.strip()
        if empty and context.tools is not None and needs_arguments(context.tools.get(part.name)):
            fault = "are empty, but the tool requires some"
        elif empty:
            continue
        if fault is not None:
            yield Fault(f"the arguments of {shown(part.name)} {fault}", part=number, call_id=part.id)


RULE = MessageRule("bad-arguments-json", check)
