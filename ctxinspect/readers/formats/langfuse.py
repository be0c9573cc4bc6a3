"""Langfuse trace exports: every GENERATION is a call; input and output are JSON in strings, often twice."""

from __future__ import annotations

import json
from typing import Any

from ctxinspect.errors import InputError
from ctxinspect.readers.captures import Exchange, conversations_of
from ctxinspect.readers.container import Recording, Sample
from ctxinspect.readers.reading import Reading
from ctxinspect.readers.registry import Format
from ctxinspect.readers.wire import gemini, openai_chat
from ctxinspect.readers.wire.dialect import Wire
from ctxinspect.readers.wire.genai import genai_chat
from ctxinspect.readers.wire.langchain import is_langchain_list
from ctxinspect.readers.wire.parts import Where

__all__ = ["FORMAT"]

_LAYERS = 3


def _sniff(sample: Sample) -> float:
    return 0.95 * sample.share(lambda value: "trace" in value and isinstance(value.get("observations"), list))


def _read(recording: Recording) -> Reading:
    found: list[Exchange] = []
    total = 0
    for record in recording.records():
        observations = record.value.get("observations") if isinstance(record.value, dict) else None
        listed = [(n, entry) for n, entry in enumerate(observations or []) if isinstance(entry, dict)]
        total += len(listed)
        calls = [(n, entry) for n, entry in listed if entry.get("type") == "GENERATION"]
        wraps = {entry.get("parentObservationId") for _, entry in calls}
        calls = [(n, entry) for n, entry in calls if entry.get("id") not in wraps or entry.get("id") is None]
        for number, entry in sorted(calls, key=lambda known: (str(known[1].get("startTime")), known[0])):
            found.append(_exchange(entry, Where(record.line, f"{record.path}.observations[{number}]")))
    if not found:
        message = f"{total} observations, and none of them a GENERATION"
        raise InputError(message, remedy="export a trace with model calls")
    mute = sum(exchange.request is None or not _spoken(exchange) for exchange in found)
    main = gemini.WIRE if sum(exchange.wire is gemini.WIRE for exchange in found) * 2 > len(found) else openai_chat.WIRE
    return Reading(
        conversations=conversations_of(found, main),
        dialect=main.dialect,
        family="capture",
        missing=(f"the input of {mute} of {len(found)} calls",) if mute else (),
        unknown_kinds={"observation of no model call": total - len(found)} if total > len(found) else {},
        records_read=total,
    )


def _spoken(exchange: Exchange) -> bool:
    body = exchange.request or {}
    return bool(body.get("messages") or body.get("contents"))


def _decoded(value: Any) -> Any:
    for _ in range(_LAYERS):
        if not isinstance(value, str):
            break
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            break
    return value


def _exchange(entry: dict[str, Any], where: Where) -> Exchange:
    asked, said = _decoded(entry.get("input")), _decoded(entry.get("output"))
    wire: Wire = openai_chat.WIRE
    request: dict[str, Any]
    response: dict[str, Any]
    if isinstance(asked, dict) and gemini.WIRE.is_request(asked):
        wire = gemini.WIRE
        config = asked.get("config")
        request = {**(config if isinstance(config, dict) else {}), **asked}
        response = {"candidates": [said] if isinstance(said, dict) and "content" in said else []}
        response |= {"usageMetadata": _gemini_usage(entry)}
    else:
        tools = asked.get("tools") if isinstance(asked, dict) else None
        messages, logged = _without_schemas(_messages(asked))
        request = {"messages": messages, "tools": tools or logged or None}
        answers = _messages(said, role="assistant")
        response = {"choices": [{"message": answers[0]}] if answers else [], "usage": _usage(entry)}
    request["model"] = entry.get("model")
    return Exchange(request, response, where, where, str(entry.get("id") or ""), wire)


def _messages(value: Any, role: str = "user") -> list[Any]:
    """Chat messages of what was logged: a list, an object with one, a single message, a prompt, or plain text."""
    if value is None:
        return []
    if isinstance(value, dict):
        for key in ("messages", "input"):
            if isinstance(value.get(key), list):
                return _messages(value[key], role)
        if isinstance(value.get("prompt"), str):
            return [{"role": role, "content": value["prompt"]}]
        return _messages([value], role) if "role" in value else [{"role": role, "content": json.dumps(value)}]
    if not isinstance(value, list):
        return [{"role": role, "content": value if isinstance(value, str) else json.dumps(value)}]
    if len(value) == 1 and isinstance(value[0], list):
        return _messages(value[0], role)
    if any(isinstance(item, dict) and isinstance(item.get("parts"), list) for item in value):
        return genai_chat(value)
    if value and all(isinstance(item, dict) and "toolName" in item for item in value):
        calls = [
            {"id": c.get("toolCallId"), "function": {"name": c["toolName"], "arguments": c.get("input", c.get("args"))}}
            for c in value
        ]
        return [{"role": "assistant", "content": None, "tool_calls": calls}]
    return [_message(item, role) for item in value]


def _without_schemas(messages: list[Any]) -> tuple[list[Any], list[Any]]:
    """(messages, tool schemas): LangGraph logs the tools of a call as messages of role tool, which were never sent."""
    spoken: list[Any] = []
    schemas: list[Any] = []
    for message in messages:
        content = _decoded(message.get("content")) if isinstance(message, dict) else None
        answers = isinstance(message, dict) and message.get("tool_call_id")
        function = content.get("function") if isinstance(content, dict) else None
        if isinstance(function, dict) and message.get("role") == "tool" and not answers and "name" in function:
            schemas.append(content)
        else:
            spoken.append(message)
    return spoken, schemas


def _message(item: Any, role: str) -> Any:
    """A message; calls that only the raw copy holds are brought up."""
    if not isinstance(item, dict):
        return {"role": role, "content": item}
    if is_langchain_list([item]):
        roles = {"human": "user", "ai": "assistant"}
        item = {**item, "role": roles.get(item["type"], item["type"])}
        item.pop("type")
    extra = item.get("additional_kwargs")
    raw = extra.get("tool_calls") if isinstance(extra, dict) else None
    made = {"role": role, **item}
    if raw and not made.get("tool_calls"):
        made["tool_calls"] = raw
    return made


def _details(entry: dict[str, Any]) -> dict[str, Any]:
    found = entry.get("usageDetails") or entry.get("usage")
    found = _decoded(found)
    return found if isinstance(found, dict) else {}


def _usage(entry: dict[str, Any]) -> dict[str, Any]:
    details = _details(entry)
    cached = details.get("input_cache_read", details.get("input_cached_tokens"))
    return {
        "prompt_tokens": details.get("input"),
        "completion_tokens": details.get("output"),
        "prompt_tokens_details": {"cached_tokens": cached},
    }


def _gemini_usage(entry: dict[str, Any]) -> dict[str, Any]:
    details = _details(entry)
    return {"promptTokenCount": details.get("input"), "candidatesTokenCount": details.get("output")}


FORMAT = Format(name="langfuse", title="a Langfuse trace", sniff=_sniff, read=_read, dialect="openai", family="capture")
