"""Conversations from chat messages that a format has put into the shape of Chat Completions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ctxinspect.model.session import RecordedMessage, ToolSchema, Usage
from ctxinspect.readers.captures import first_words
from ctxinspect.readers.reading import Conversation, Tale, ThreadKind
from ctxinspect.readers.wire.dialect import schema_of
from ctxinspect.readers.wire.openai_chat import chat_message
from ctxinspect.readers.wire.ui_parts import ChatItem

__all__ = ["ChatItem", "chat_of", "schemas_of"]


def schemas_of(tools: Any) -> tuple[ToolSchema, ...] | None:
    """Tool schemas of a list of tools of any shape; None where there is no list."""
    if not isinstance(tools, list):
        return None
    return tuple(schema for schema in map(schema_of, tools) if schema is not None)


def chat_of(
    name: str,
    items: Sequence[ChatItem],
    *,
    usage: Mapping[int, Usage | None] | None = None,
    marks: Mapping[int, tuple[str, ...]] | None = None,
    tools: tuple[ToolSchema, ...] | None = None,
    model: str | None = None,
    kind: ThreadKind = "main",
    title: str = "",
    parent: str | None = None,
) -> Conversation:
    """A conversation of these messages; `usage` and `marks` go by position."""
    marked = marks or {}
    messages: list[RecordedMessage] = []
    for index, (item, where) in enumerate(items):
        message = chat_message(item, index, where)
        more = marked.get(index)
        messages.append(message.model_copy(update={"marks": (*message.marks, *more)}) if more else message)
    reported = {index: known for index, known in (usage or {}).items() if known is not None}
    tale = Tale(messages=tuple(messages), usage=reported, tools=tools, model=model)
    return Conversation(
        id=name,
        tell=lambda: tale,
        kind=kind,
        title=title or first_words(messages),
        messages=len(messages),
        turns=sum(message.role == "user" and not message.results for message in messages),
        parent=parent,
    )
