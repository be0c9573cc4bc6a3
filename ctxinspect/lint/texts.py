"""The texts of a message that a model reads, each with the part it is in: what the rules about characters look at."""

from __future__ import annotations

from collections.abc import Iterator

from ctxinspect.model.content import content_text
from ctxinspect.model.session import (
    CallPart,
    OtherPart,
    RecordedMessage,
    ResultPart,
    TextBlock,
    ThinkingBlock,
    arguments_text,
)

__all__ = ["texts_of"]


def texts_of(message: RecordedMessage, *, thinking: bool) -> Iterator[tuple[int, str | None, str]]:
    """(part, call id, text) of every text: names and arguments of calls, results, and thinking where asked for."""
    for number, part in enumerate(message.parts):
        if isinstance(part, TextBlock):
            yield number, None, part.text
        elif isinstance(part, CallPart):
            yield number, part.id, f"{part.name}\n{arguments_text(part.arguments)}"
        elif isinstance(part, ResultPart):
            yield number, part.call_id, content_text(part.content)
        elif isinstance(part, OtherPart) or (thinking and isinstance(part, ThinkingBlock)):
            yield number, None, part.text
