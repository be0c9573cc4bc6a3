"""Rendered messages: what is sent, each with its own cost and where it came from.

`tokens` is always the cost of exactly this message under the session's settings, so sums over messages are the truth.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from ctxinspect.model.content import Content, content_text

__all__ = ["Message", "MessageState", "RenderedCall", "Synthetic"]

Synthetic: TypeAlias = Literal["label", "chat_tool", "stub"]
MessageState: TypeAlias = Literal["kept", "pruned", "handle", "stub"]


@dataclass(frozen=True, slots=True)
class RenderedCall:
    """A call on an assistant message; `id` is its page id, `arguments` an object or the raw string as recorded."""

    id: str
    name: str
    arguments: dict[str, Any] | str


@dataclass(frozen=True, slots=True)
class Message:
    """One native message. `content` may hold non-text parts; `text` is what a reader sees of it."""

    role: Literal["system", "user", "assistant", "tool"]
    content: Content
    tokens: int
    turn_id: int | None = None
    round: int | None = None
    calls: tuple[RenderedCall, ...] = ()
    call_id: str | None = None
    name: str | None = None
    synthetic: Synthetic | None = None
    state: MessageState = "kept"
    is_error: bool = False
    path: str | None = None
    """JSON path of what it was rendered from, in a native session."""

    @property
    def text(self) -> str:
        """The content as text, with placeholders."""
        return content_text(self.content)
