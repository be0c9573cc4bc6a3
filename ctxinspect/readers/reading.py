"""What a format's reader hands over: conversations with their messages, before turns are made of them.

A capture has calls (each with its own message list), a transcript a story. One reading holds every thread of the file;
the one that is opened becomes the session, the others are listed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from ctxinspect.model.session import (
    Problem,
    RecordedCall,
    RecordedMessage,
    ToolSchema,
    Usage,
)

__all__ = ["Conversation", "Dialect", "Family", "Reading", "Tale", "ThreadKind"]

Dialect = Literal["openai", "openai-responses", "anthropic", "gemini"]
Family = Literal["capture", "transcript"]
ThreadKind = Literal["main", "branch", "rewind", "sidechain", "subagent", "side_call", "fork", "other"]


@dataclass(frozen=True, slots=True)
class Tale:
    """One conversation, whole: its messages in order; `usage` by position of the assistant message.

    `calls` are the recorded calls of a capture: `turn` and `request` are set later, from `call_lengths[i]`, the number
    of leading story messages that call i holds. A transcript leaves both empty and gets one call with its message list.
    """

    messages: tuple[RecordedMessage, ...]
    usage: Mapping[int, Usage] = field(default_factory=dict)
    calls: tuple[RecordedCall, ...] = ()
    call_lengths: tuple[int, ...] = ()
    tools: tuple[ToolSchema, ...] | None = None
    model: str | None = None
    thinking: bool = False
    partial: str | None = None
    problems: tuple[Problem, ...] = ()


@dataclass(frozen=True, slots=True)
class Conversation:
    """A thread of the file: what the list of threads shows, and `tell`, which reads it whole when it is opened."""

    id: str
    tell: Callable[[], Tale]
    kind: ThreadKind = "main"
    title: str = ""
    messages: int = 0
    turns: int = 0
    file: str | None = None
    parent: str | None = None


@dataclass(frozen=True, slots=True)
class Reading:
    """Everything a reader found in a file.

    `default` is the thread to open where none is asked for (None: the longest). `records_read`, where given, replaces
    the container's count (a document that is a list of records).
    """

    conversations: tuple[Conversation, ...]
    dialect: Dialect
    family: Family
    default: str | None = None
    title: str | None = None
    missing: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    unknown_kinds: Mapping[str, int] = field(default_factory=dict)
    records_read: int | None = None
