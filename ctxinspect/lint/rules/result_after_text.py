"""Text before a tool result in the same user message."""

from __future__ import annotations

from collections.abc import Iterator

from ctxinspect.lint.rule import Context, Fault, MessageRule, shown
from ctxinspect.model.session import MediaBlock, RecordedMessage, ResultPart, TextBlock

__all__ = ["RULE"]


def check(message: RecordedMessage, context: Context) -> Iterator[Fault]:  # noqa: ARG001 - the signature of rules
    """At most one fault, at the first result that something precedes."""
    if message.role != "user":
        return
    spoken = False
    for number, part in enumerate(message.parts):
        if isinstance(part, TextBlock | MediaBlock):
            spoken = True
        elif isinstance(part, ResultPart) and spoken:
            text = f"the result of {shown(part.call_id)} stands after other content; results come first"
            yield Fault(text, part=number, call_id=part.call_id)
            return


RULE = MessageRule("result-after-text", check)
