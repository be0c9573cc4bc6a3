"""Anthropic Messages: system beside the messages, results inside user messages, usage whose input leaves out the cache.

Server tools are run by the provider: their results stand in the same assistant message.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ctxinspect.model.session import RecordedMessage, ToolSchema, Usage
from ctxinspect.readers.wire.anthropic_events import assemble, is_chunk
from ctxinspect.readers.wire.dialect import Body, Wire, schema_of, tokens, usage_total
from ctxinspect.readers.wire.openai_chat import chat_message, is_chat_list
from ctxinspect.readers.wire.parts import Where, content_parts, text_or_none

__all__ = ["BLOCKS", "WIRE", "anthropic_usage", "block_kinds", "looks_openai", "message_of"]

BLOCKS = frozenset(
    {"tool_use", "tool_result", "thinking", "redacted_thinking", "server_tool_use", "document", "container_upload"}
)


def message_of(value: Any, index: int, where: Where) -> RecordedMessage:
    """One message; blocks are shared with the other dialects, so that mixed histories are read as they stand."""
    made = chat_message(value, index, where)
    content = value.get("content") if isinstance(value, Mapping) else None
    return _with_breakpoint(made, content)


def _with_breakpoint(message: RecordedMessage, content: Any) -> RecordedMessage:
    """The message, marked where one of its blocks ends a stretch that the provider caches."""
    blocks = content if isinstance(content, list) else []
    if any(isinstance(block, dict) and block.get("cache_control") for block in blocks):
        return message.model_copy(update={"marks": (*message.marks, "cache_breakpoint")})
    return message


def _notes(body: Body) -> tuple[str, ...]:
    """What the provider cleared from the context before it answered."""
    management = body.get("context_management")
    applied = management.get("applied_edits") if isinstance(management, dict) else None
    found: list[str] = []
    for edit in applied if isinstance(applied, list) else []:
        if isinstance(edit, dict):
            facts = (f"{key.replace('_', ' ')} {edit[key]}" for key in sorted(edit) if isinstance(edit[key], int))
            found.append(f"the provider edited the context of this call ({edit.get('type')}): {', '.join(facts)}")
    return tuple(found)


def anthropic_usage(usage: Any) -> Usage | None:
    """Usage with `input` as everything the call read: fresh, written to the cache and read from it."""
    if not isinstance(usage, Mapping):
        return None
    fresh, written, read = (
        usage.get(key) for key in ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")
    )
    made = Usage(
        input=usage_total(fresh, written, read), cached=tokens(read), output=tokens(usage.get("output_tokens"))
    )
    return made if made != Usage() else None


def block_kinds(messages: Any) -> set[str]:
    """The kinds of blocks in the first sixty messages."""
    kinds: set[str] = set()
    for message in messages[:60] if isinstance(messages, list) else []:
        content = message.get("content") if isinstance(message, dict) else None
        for block in content if isinstance(content, list) else []:
            if isinstance(block, dict) and isinstance(block.get("type"), str):
                kinds.add(block["type"])
    return kinds


def looks_openai(body: Body) -> bool:
    """Whether a body has what only Chat Completions has: tool roles, system roles, `tool_calls`, nested functions."""
    listed = body.get("messages")
    for message in listed[:60] if isinstance(listed, list) else []:
        if isinstance(message, dict) and (
            message.get("role") not in ("user", "assistant") or "tool_calls" in message or "function_call" in message
        ):
            return True
    tools = body.get("tools")
    nested = isinstance(tools, list) and any(isinstance(tool, dict) and "function" in tool for tool in tools)
    return nested or "functions" in body or "max_completion_tokens" in body or "choices" in body


def _messages(body: Body, where: Where) -> list[RecordedMessage]:
    made: list[RecordedMessage] = []
    system = body.get("system")
    if system not in (None, "", []):
        place = where.at("system")
        shape, parts = content_parts(system, place)
        message = RecordedMessage(
            role="system", shape=shape, parts=tuple(parts), marks=("top_level",), line=place.line, path=place.path
        )
        made.append(_with_breakpoint(message, system))
    listed = body.get("messages")
    items: Sequence[Any] = listed if isinstance(listed, list) else []
    place = where.at("messages")
    return [*made, *(message_of(item, index, place.at(index)) for index, item in enumerate(items))]


def _answer(body: Body, where: Where, index: int) -> list[RecordedMessage]:
    return [message_of({"role": "assistant", **body}, index, where)] if body.get("content") is not None else []


def _tools(body: Body) -> tuple[ToolSchema, ...] | None:
    tools = body.get("tools")
    if not isinstance(tools, list):
        return None
    return tuple(schema for schema in map(schema_of, tools) if schema is not None)


def _is_request(body: Body) -> bool:
    """A message list with something of Anthropic's: blocks, top-level system, tools without `function`, its keys."""
    listed = body.get("messages")
    if not is_chat_list(listed):
        return False
    if block_kinds(listed) & BLOCKS and not looks_openai(body):
        return True
    if isinstance(body.get("system"), (str, list)) or "anthropic_version" in body:
        return True
    tools = body.get("tools")
    if isinstance(tools, list) and tools:
        return any(isinstance(tool, dict) and ("input_schema" in tool or "function" not in tool) for tool in tools)
    thinking = body.get("thinking")
    model = text_or_none(body.get("model")) or ""
    ours = isinstance(thinking, dict) or "claude" in model.lower() or "stop_sequences" in body
    return ours and not looks_openai(body)


def _is_response(body: Body) -> bool:
    return (
        body.get("type") == "message"
        and body.get("role") == "assistant"
        and isinstance(body.get("content"), list)
        and not is_chunk(body)
    )


def _thinking(body: Body) -> bool:
    thinking = body.get("thinking")
    return isinstance(thinking, dict) and thinking.get("type") in ("enabled", "adaptive")


WIRE = Wire(
    dialect="anthropic",
    is_request=_is_request,
    is_response=_is_response,
    is_chunk=is_chunk,
    messages=_messages,
    answer=_answer,
    assemble=assemble,
    tools=_tools,
    usage=lambda body: anthropic_usage(body.get("usage")),
    thinking=_thinking,
    notes=_notes,
    alike=2,
)
