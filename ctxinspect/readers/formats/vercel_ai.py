"""Vercel AI SDK messages: UI messages whose tool parts hold call and result, and model messages with call parts."""

from __future__ import annotations

from typing import Any

from ctxinspect.errors import InputError
from ctxinspect.readers.captures import listed, records_of
from ctxinspect.readers.chats import ChatItem, chat_of
from ctxinspect.readers.container import Recording, Sample
from ctxinspect.readers.reading import Conversation, Reading
from ctxinspect.readers.registry import Format
from ctxinspect.readers.wire.parts import Where
from ctxinspect.readers.wire.ui_parts import ui_answer, ui_part, ui_steps

__all__ = ["FORMAT"]

_ROLES = ("system", "user", "assistant", "tool")
_MODEL_PARTS = frozenset({"tool-call", "tool-result"})


def _is_ui(value: Any) -> bool:
    if not isinstance(value, dict) or value.get("role") not in _ROLES:
        return False
    parts = value.get("parts")
    typed = isinstance(parts, list) and all(
        isinstance(part, dict) and isinstance(part.get("type"), str) for part in parts
    )
    return (typed and "content" not in value) or isinstance(value.get("toolInvocations"), list)


def _is_model(value: Any) -> bool:
    content = value.get("content") if isinstance(value, dict) else None
    return isinstance(content, list) and any(
        isinstance(part, dict) and str(part.get("type")) in _MODEL_PARTS for part in content
    )


def _is_chat(value: Any) -> bool:
    """A list of messages of the SDK: all with a role, some with something only the SDK writes."""
    if not isinstance(value, list) or not value:
        return False
    head = value[:60]
    talks = all(isinstance(item, dict) and item.get("role") in _ROLES for item in head)
    return talks and (all(map(_is_ui, head)) or any(map(_is_model, head)) or any("toolInvocations" in i for i in head))


def _sniff(sample: Sample) -> float:
    if _is_chat(sample.document) or _is_chat(list(sample.values)):
        return 0.88
    return 0.88 * sample.share(lambda value: _is_chat(value.get("messages")))


def _read(recording: Recording) -> Reading:
    records = list(records_of(recording, _is_chat))
    items = listed(records)
    if _is_chat([value for value, _ in items]):
        return Reading((_conversation("chat", items),), "openai", "transcript", records_read=len(items))
    found: list[Conversation] = []
    for number, (value, where) in enumerate(items, 1):
        if isinstance(value, dict) and _is_chat(value.get("messages")):
            inner = [(item, where.at("messages").at(n)) for n, item in enumerate(value["messages"])]
            found.append(_conversation(str(value.get("id") or f"row-{number}"), inner))
    if not found:
        raise InputError("no message in it", remedy="expected messages with parts")
    return Reading(tuple(found), "openai", "transcript")


def _conversation(name: str, values: list[tuple[Any, Where]]) -> Conversation:
    items: list[ChatItem] = []
    for value, where in values:
        if isinstance(value, dict):
            items += ui_steps(value, where) if isinstance(value.get("parts"), list) else _model(value, where)
    return chat_of(name, items)


def _model(message: dict[str, Any], where: Where) -> list[ChatItem]:
    """A model message: calls inside the content, results of role tool, one message for each result."""
    content = message.get("content")
    invoked = message.get("toolInvocations")
    if isinstance(invoked, list):
        return ui_steps(
            {
                "role": message.get("role"),
                "parts": [
                    *({"type": "text", "text": content} for _ in (1,) if content),
                    *(_invocation(known) for known in invoked if isinstance(known, dict)),
                ],
            },
            where,
        )
    if not isinstance(content, list):
        return [(message, where)]
    kinds = [str(part.get("type")) if isinstance(part, dict) else "" for part in content]
    results = [(n, part) for n, part in enumerate(content) if kinds[n] == "tool-result"]
    calls = [_call(part) for n, part in enumerate(content) if kinds[n] == "tool-call"]
    rest = [ui_part(part) for n, part in enumerate(content) if kinds[n] not in _MODEL_PARTS]
    items: list[ChatItem] = []
    if rest or calls:
        said = {"role": message.get("role"), "content": rest or None, "tool_calls": calls or None}
        items.append((said, where))
    for number, part in results:
        answer = ui_answer(part.get("toolCallId"), str(part.get("toolName")), part)
        items.append((answer, where.at("content").at(number)))
    return items


def _call(part: dict[str, Any]) -> dict[str, Any]:
    function = {"name": part.get("toolName"), "arguments": part.get("input", part.get("args"))}
    return {"id": part.get("toolCallId"), "function": function}


def _invocation(known: dict[str, Any]) -> dict[str, Any]:
    """A tool invocation of version 4 as a part of a UI message."""
    state = "output-available" if known.get("state") == "result" else "input-available"
    return {
        "type": "dynamic-tool",
        "toolCallId": known.get("toolCallId"),
        "toolName": known.get("toolName"),
        "input": known.get("args"),
        "output": known.get("result"),
        "state": state,
    }


FORMAT = Format(
    name="vercel_ai", title="Vercel AI SDK messages", sniff=_sniff, read=_read, dialect="openai", family="transcript"
)
