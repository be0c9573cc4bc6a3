"""The one cost: what a message is charged, used by statistics, recall, trimming and the final count alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from ctxinspect.model.content import Content, content_media, counted_text
from ctxinspect.model.session import Arguments, arguments_text

__all__ = ["PRIMING", "CallLike", "Count", "message_cost"]

PRIMING = 3
"""Tokens of the reply's priming, charged once per request (page 1)."""

Count = Callable[[str], int]
"""A counter: text to tokens."""


class CallLike(Protocol):
    """Anything with a tool name and arguments."""

    @property
    def name(self) -> str:
        """The tool's name."""
        ...

    @property
    def arguments(self) -> Arguments:
        """The arguments as received."""
        ...


def message_cost(
    content: Content | None, calls: Iterable[CallLike], count: Count, *, overhead: int, image_tokens: int
) -> int:
    """Tokens of one message.

    `overhead + count(text parts joined by newlines) + image_tokens * (parts that are no text and no thinking)
    + sum over calls of count(name) + count(arguments text)` (specification page 1).
    """
    total = overhead + count(counted_text(content)) + image_tokens * content_media(content)
    for call in calls:
        total += count(call.name) + count(arguments_text(call.arguments))
    return total
