"""Builders of recorded messages: a conversation in as few words as a lint test needs."""

from __future__ import annotations

from typing import Any

from ctxinspect.lint import judge
from ctxinspect.model.session import (
    CallPart,
    RecordedMessage,
    RecordedPart,
    ResultPart,
    TextBlock,
    ThinkingBlock,
    ToolSchema,
)
from ctxinspect.trace.types import Finding

__all__ = [
    "asked",
    "assistant",
    "call",
    "codes",
    "found",
    "message",
    "quiet",
    "result",
    "results",
    "system",
    "thinking",
    "tool",
    "tool_schema",
    "user",
]


def message(role: str, *parts: str | RecordedPart, shape: Any = None, **more: Any) -> RecordedMessage:
    """A message; a str becomes a text block. A lone text stood as a string, unless `shape` says otherwise."""
    blocks = tuple(TextBlock(text=part) if isinstance(part, str) else part for part in parts)
    if shape is None:
        shape = "string" if len(parts) == 1 and isinstance(parts[0], str) else "parts"
    return RecordedMessage(role=role, parts=blocks, shape=shape, **more)


def user(*parts: str | RecordedPart, **more: Any) -> RecordedMessage:
    return message("user", *parts, **more)


def system(*parts: str | RecordedPart, **more: Any) -> RecordedMessage:
    return message("system", *parts, **more)


def assistant(*parts: str | RecordedPart, **more: Any) -> RecordedMessage:
    return message("assistant", *parts, **more)


def call(id: str | None = "c1", name: str = "look", arguments: Any = "{}", **more: Any) -> CallPart:  # noqa: A002
    return CallPart(id=id, name=name, arguments=arguments, **more)


def asked(*ids: str | None, name: str = "look") -> RecordedMessage:
    """An assistant message with one call for each id."""
    return assistant(*(call(id_, name) for id_ in ids))


def result(id: str | None = "c1", content: Any = "ok", name: str | None = None, **more: Any) -> ResultPart:  # noqa: A002
    return ResultPart(call_id=id, content=content, name=name, **more)


def tool(
    id: str | None = "c1",  # noqa: A002
    content: Any = "ok",
    name: str | None = None,
    *,
    role: str = "tool",
    **more: Any,
) -> RecordedMessage:
    """A result in a message of its own, as Chat Completions has it."""
    return message(role, result(id, content, name), shape="string", name=name, **more)


def results(*ids: str | None, text: str | None = None) -> RecordedMessage:
    """Results inside a user message, as Anthropic has them; the text, where given, after them."""
    return user(*(result(id_) for id_ in ids), *([text] if text is not None else []))


def thinking(text: str = "hm", signature: str | None = "sig", **more: Any) -> ThinkingBlock:
    return ThinkingBlock(text=text, signature=signature, **more)


def tool_schema(name: str = "look", **parameters: Any) -> ToolSchema:
    return ToolSchema(name=name, parameters=parameters)


def found(code: str, *messages: RecordedMessage, profile: str = "openai", **more: Any) -> tuple[Finding, ...]:
    """The findings of one rule."""
    return tuple(finding for finding in judge(messages, profile=profile, **more) if finding.id == code)


def codes(*messages: RecordedMessage, profile: str = "openai", **more: Any) -> list[tuple[str, str, int | None]]:
    """(rule, severity, message) of every finding, in order."""
    return [(finding.id, finding.severity, finding.message) for finding in judge(messages, profile=profile, **more)]


def quiet(*messages: RecordedMessage, profile: str = "openai", **more: Any) -> bool:
    """Whether there is no error and no warning."""
    return not any(finding.severity != "info" for finding in judge(messages, profile=profile, **more))
