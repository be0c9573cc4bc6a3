"""A tool name that no API accepts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ctxinspect.lint.rule import Context, Fault, MessageRule, shown
from ctxinspect.model.session import CallPart, RecordedMessage

__all__ = ["RULE"]


_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


def check(message: RecordedMessage, context: Context) -> Iterator[Fault]:  # noqa: ARG001 - the signature of rules
    """One fault per call."""
    for number, part in enumerate(message.parts):
        if isinstance(part, CallPart) and not part.server and not _NAME.fullmatch(part.name):
            text = f"the tool name {shown(part.name)} is not 1 to 64 of A-Z a-z 0-9 _ -"
            yield Fault(text, part=number, call_id=part.id)


RULE = MessageRule("bad-tool-name", check)
