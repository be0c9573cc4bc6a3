"""OpenAI Chat Completions: messages, tools, usage, streamed chunks; legacy functions included.

Null and odd contents keep their shape; a call that stands both in `content` and in `tool_calls` is one call, and
`tool_calls` is the authoritative copy.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ctxinspect.model.session import (
    CallPart,
    OtherPart,
    RecordedMessage,
    RecordedPart,
    ResultPart,
    TextBlock,
    ThinkingBlock,
    ToolSchema,
    Usage,
)
from ctxinspect.readers.wire.dialect import Body, Wire, schema_of, tokens
from ctxinspect.readers.wire.openai_chunks import assemble, is_chunk
from ctxinspect.readers.wire.parts import (
    Where,
    arguments_of,
    as_text,
    content_parts,
    identifier,
    part_of,
    result_content,
    text_or_none,
)

__all__ = ["ROLES", "WIRE", "chat_message", "is_chat_list", "is_chat_message"]

ROLES = frozenset({"system", "developer", "user", "assistant", "tool", "function"})


def is_chat_message(value: Any) -> bool:
    """Whether a value is a message of a chat: a known role, and content or calls."""
    if not isinstance(value, dict) or not isinstance(value.get("role"), str) or value["role"] not in ROLES:
        return False
    return not isinstance(value.get("parts"), list) and value.get("type") in (None, "message", value["role"])


def is_chat_list(value: Any) -> bool:
    """Whether a value is a list of messages (of its first sixty, nine in ten)."""
    if not isinstance(value, list) or not value:
        return False
    head = value[:60]
    return sum(map(is_chat_message, head)) * 10 >= len(head) * 9


def chat_message(value: Any, index: int, where: Where) -> RecordedMessage:
    """One message as it stood."""
    if not isinstance(value, dict):
        part = OtherPart(
            kind="message", text=as_text(value), fault="a message is no object", line=where.line, path=where.path
        )
        return RecordedMessage(
            role="unknown", index=index, shape="bad", parts=(part,), line=where.line, path=where.path
        )
    role = as_text(value.get("role", "unknown"))
    shape, parts = content_parts(value.get("content"), where.at("content"))
    if "content" not in value:
        shape = "absent"
    marks: list[str] = []
    if role in ("tool", "function"):
        parts = [_tool_result(value, where)]
        if role == "function":
            marks.append("legacy_function")
    else:
        parts = [*_reasoning(value, where), *parts, *_refusal(value, where), *_voice(value, where)]
        parts = _with_calls(value, parts, where, marks)
    return RecordedMessage(
        role=role,
        index=index,
        shape=shape,
        parts=tuple(parts),
        name=text_or_none(value.get("name")),
        id=text_or_none(value.get("id")),
        timestamp=text_or_none(value.get("timestamp")),
        marks=tuple(marks),
        line=where.line,
        path=where.path,
    )


def _tool_result(value: Mapping[str, Any], where: Where) -> ResultPart:
    return ResultPart(
        call_id=identifier(value.get("tool_call_id")),
        name=text_or_none(value.get("name")),
        content=result_content(value.get("content"), where.at("content")),
        is_error=value.get("is_error") is True or value.get("status") == "error",
        line=where.line,
        path=where.path,
    )


def _reasoning(value: Mapping[str, Any], where: Where) -> list[RecordedPart]:
    """Vendors' reasoning beside the content: `reasoning_content`, `reasoning`, or else `reasoning_details`."""
    for key in ("reasoning_content", "reasoning"):
        text = value.get(key)
        if isinstance(text, str) and text:
            return [ThinkingBlock(text=text, line=where.line, path=where.at(key).path)]
    details = value.get("reasoning_details")
    found: list[RecordedPart] = []
    for number, detail in enumerate(details if isinstance(details, list) else []):
        if isinstance(detail, dict):
            text = detail.get("text") or detail.get("summary") or ""
            place = where.at("reasoning_details").at(number)
            signature = text_or_none(detail.get("signature") or detail.get("data"))
            found.append(
                ThinkingBlock(
                    text=as_text(text), signature=signature, redacted=not text, line=place.line, path=place.path
                )
            )
    return found


def _refusal(value: Mapping[str, Any], where: Where) -> list[RecordedPart]:
    refusal = value.get("refusal")
    if isinstance(refusal, str) and refusal:
        return [TextBlock(text=refusal, line=where.line, path=where.at("refusal").path)]
    return []


def _voice(value: Mapping[str, Any], where: Where) -> list[RecordedPart]:
    """A spoken answer that stands beside the content: the sound as its facts, and what was said."""
    audio = value.get("audio")
    if not isinstance(audio, dict):
        return []
    place = where.at("audio")
    found = part_of({"type": "audio", "audio": audio}, place)
    if isinstance(audio.get("transcript"), str) and audio["transcript"]:
        said = place.at("transcript")
        found.append(TextBlock(text=audio["transcript"], line=said.line, path=said.path))
    return found


def _with_calls(
    value: Mapping[str, Any], parts: list[RecordedPart], where: Where, marks: list[str]
) -> list[RecordedPart]:
    calls = _listed_calls(value, where)
    legacy = value.get("function_call")
    if isinstance(legacy, dict) and (legacy.get("name") or legacy.get("arguments")):
        place = where.at("function_call")
        calls.append(
            CallPart(
                name=as_text(legacy.get("name") or ""),
                arguments=arguments_of(legacy.get("arguments")),
                line=place.line,
                path=place.path,
            )
        )
        marks.append("legacy_function")
    listed = {call.id: call for call in calls if isinstance(call, CallPart) and call.id}
    kept: list[RecordedPart] = []
    for part in parts:
        twin = listed.get(part.id or "") if isinstance(part, CallPart) else None
        if twin is None:
            kept.append(part)
        elif isinstance(part, CallPart) and isinstance(twin, CallPart) and not _same_call(part, twin):
            marks.append("call_copies_differ")
    return [*kept, *calls]


def _same_call(left: CallPart, right: CallPart) -> bool:
    """Whether two copies say the same, one perhaps as an object and the other as its JSON."""

    def parsed(call: CallPart) -> Any:
        try:
            return json.loads(call.arguments) if isinstance(call.arguments, str) else call.arguments
        except (ValueError, RecursionError):
            return call.arguments

    return left.name == right.name and parsed(left) == parsed(right)


def _listed_calls(value: Mapping[str, Any], where: Where) -> list[RecordedPart]:
    listed = value.get("tool_calls")
    if listed is None:
        return []
    place = where.at("tool_calls")
    if not isinstance(listed, list):
        fault = "tool_calls is no list"
        return [OtherPart(kind="tool_calls", text=as_text(listed), fault=fault, line=place.line, path=place.path)]
    return [_call(call, place.at(number)) for number, call in enumerate(listed)]


def _call(call: Any, where: Where) -> RecordedPart:
    if not isinstance(call, dict):
        fault = "a tool call is no object"
        return OtherPart(kind="tool_call", text=as_text(call), fault=fault, line=where.line, path=where.path)
    function, custom = call.get("function"), call.get("custom")
    inner: Mapping[str, Any] = function if isinstance(function, dict) else call
    arguments = inner.get("arguments", inner.get("args"))
    freeform = isinstance(custom, dict) and bool(custom.get("name")) and not inner.get("name")
    if freeform and isinstance(custom, dict):
        inner, arguments = custom, custom.get("input")
    return CallPart(
        id=identifier(call.get("id")),
        name=as_text(inner.get("name") or (function if isinstance(function, str) else "")),
        arguments=arguments_of(arguments),
        freeform=freeform,
        line=where.line,
        path=where.path,
    )


def _messages(body: Body, where: Where) -> list[RecordedMessage]:
    listed = body.get("messages")
    place = where.at("messages")
    items: Sequence[Any] = listed if isinstance(listed, list) else []
    return [chat_message(item, index, place.at(index)) for index, item in enumerate(items)]


def _answer(body: Body, where: Where, index: int) -> list[RecordedMessage]:
    choices = body.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    message = first.get("message") if isinstance(first, dict) else None
    if not isinstance(message, dict):
        return []
    made = chat_message({"role": "assistant", **message}, index, where.at("choices").at(0).at("message"))
    return [made.model_copy(update={"id": made.id or text_or_none(body.get("id"))})]


def _notes(body: Body) -> tuple[str, ...]:
    """Answers beside the first: none of them went on into the conversation, as far as this call tells."""
    choices = body.get("choices")
    more = len(choices) - 1 if isinstance(choices, list) else 0
    return (f"the response has {more + 1} choices; the first one is shown",) if more > 0 else ()


def _unquoted(value: Any) -> Any:
    """A list of tools; data sets keep it as JSON text."""
    try:
        return json.loads(value) if isinstance(value, str) and value.lstrip().startswith("[") else value
    except (ValueError, RecursionError):
        return None


def _tools(body: Body) -> tuple[ToolSchema, ...] | None:
    tools, functions = _unquoted(body.get("tools")), _unquoted(body.get("functions"))
    listed = tools if isinstance(tools, list) else functions if isinstance(functions, list) else None
    if listed is None:
        return None
    return tuple(schema for schema in map(schema_of, listed) if schema is not None)


def _usage(body: Body) -> Usage | None:
    usage = body.get("usage")
    if not isinstance(usage, dict):
        return None
    details = usage.get("prompt_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, dict) else None
    made = Usage(
        input=tokens(usage.get("prompt_tokens")),
        cached=tokens(cached),
        output=tokens(usage.get("completion_tokens")),
    )
    return made if made != Usage() else None


def _is_request(body: Body) -> bool:
    return is_chat_list(body.get("messages"))


def _is_response(body: Body) -> bool:
    if is_chunk(body):
        return False
    return body.get("object") == "chat.completion" or (
        isinstance(body.get("choices"), list) and "candidates" not in body
    )


WIRE = Wire(
    dialect="openai",
    is_request=_is_request,
    is_response=_is_response,
    is_chunk=is_chunk,
    messages=_messages,
    answer=_answer,
    assemble=assemble,
    tools=_tools,
    usage=_usage,
    notes=_notes,
)
