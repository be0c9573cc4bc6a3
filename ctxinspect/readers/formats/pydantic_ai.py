"""pydantic-ai message histories: requests and responses with typed parts; `instructions` is the system prompt."""

from __future__ import annotations

from typing import Any

from ctxinspect.errors import InputError
from ctxinspect.model.session import Usage
from ctxinspect.readers.captures import listed, records_of
from ctxinspect.readers.chats import ChatItem, chat_of
from ctxinspect.readers.container import Recording, Sample
from ctxinspect.readers.reading import Conversation, Reading
from ctxinspect.readers.registry import Format
from ctxinspect.readers.wire.dialect import tokens
from ctxinspect.readers.wire.parts import Where, as_text, text_or_none

__all__ = ["FORMAT"]


def _is_message(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and value.get("kind") in ("request", "response")
        and isinstance(value.get("parts"), list)
    )


def _is_list(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_is_message, value[:60]))


def _sniff(sample: Sample) -> float:
    if _is_list(sample.document) or _is_list(list(sample.values)):
        return 0.9
    return 0.9 * sample.share(lambda value: any(_is_list(value.get(key)) for key in ("messages", "all_messages")))


def _read(recording: Recording) -> Reading:
    records = list(records_of(recording, _is_list))
    items = listed(records)
    if _is_list([value for value, _ in items]):
        return Reading((_conversation("chat", items),), "openai", "transcript", records_read=len(items))
    found: list[Conversation] = []
    for number, (value, where) in enumerate(items, 1):
        for key in ("messages", "all_messages"):
            if isinstance(value, dict) and _is_list(value.get(key)):
                inner = [(item, where.at(key).at(n)) for n, item in enumerate(value[key])]
                found.append(_conversation(f"row-{number}", inner))
                break
    if not found:
        raise InputError("no message in it", remedy="expected requests and responses with parts")
    return Reading(tuple(found), "openai", "transcript")


def _conversation(name: str, values: list[tuple[Any, Where]]) -> Conversation:
    items: list[ChatItem] = []
    usage: dict[int, Usage | None] = {}
    model: str | None = None
    instructions = ""
    for value, where in values:
        if value["kind"] == "request":
            given = value.get("instructions")
            if isinstance(given, str) and given and given != instructions and not items:
                instructions = given
                items.append(({"role": "system", "content": given}, where.at("instructions")))
            items += _asked(value["parts"], where.at("parts"))
        else:
            usage[len(items)] = _usage(value.get("usage"))
            model = text_or_none(value.get("model_name")) or model
            items.append((_said(value["parts"]), where))
    return chat_of(name, items, usage=usage, model=model)


def _asked(parts: list[Any], where: Where) -> list[ChatItem]:
    items: list[ChatItem] = []
    for number, part in enumerate(parts):
        if not isinstance(part, dict):
            continue
        kind, content = part.get("part_kind"), part.get("content")
        message: dict[str, Any] = {"role": "user", "content": _content(content)}
        if kind == "system-prompt":
            message["role"] = "system"
        elif kind == "tool-return" or (kind == "retry-prompt" and part.get("tool_name")):
            message |= {"role": "tool", "tool_call_id": part.get("tool_call_id"), "name": part.get("tool_name")}
            message["is_error"] = kind == "retry-prompt"
        items.append((message, where.at(number)))
    return items


def _content(content: Any) -> Any:
    """User content: text, or a list of texts and media; what a tool returned may be any JSON."""
    if not isinstance(content, list):
        return content if content is None or isinstance(content, str) else as_text(content)
    if not all(isinstance(item, str) or (isinstance(item, dict) and "kind" in item) for item in content):
        return as_text(content)
    return [_media(item) for item in content]


def _media(item: Any) -> Any:
    if not isinstance(item, dict):
        return item
    if item.get("kind") == "binary":
        source = {"type": "base64", "media_type": item.get("media_type"), "data": item.get("data")}
        kind = "image" if str(item.get("media_type")).startswith("image/") else "document"
        return {"type": kind, "source": source}
    return {"type": "image_url", "image_url": item.get("url")} if "url" in item else {**item, "type": item["kind"]}


def _said(parts: list[Any]) -> dict[str, Any]:
    content: list[Any] = []
    calls: list[Any] = []
    for part in parts:
        kind = part.get("part_kind") if isinstance(part, dict) else None
        if kind == "tool-call":
            function = {"name": part.get("tool_name"), "arguments": part.get("args")}
            calls.append({"id": part.get("tool_call_id"), "function": function})
        elif kind == "thinking":
            content.append({"type": "thinking", "thinking": part.get("content"), "signature": part.get("signature")})
        elif kind == "text":
            content.append({"type": "text", "text": part.get("content")})
        elif isinstance(part, dict):
            content.append({**part, "type": str(kind)})
    return {"role": "assistant", "content": content or None, "tool_calls": calls or None}


def _usage(value: Any) -> Usage | None:
    if not isinstance(value, dict):
        return None
    asked, said = value.get("input_tokens", value.get("request_tokens")), value.get("output_tokens")
    made = Usage(
        input=tokens(asked),
        cached=tokens(value.get("cache_read_tokens")),
        output=tokens(said if said is not None else value.get("response_tokens")),
    )
    return made if made.input or made.output else None


FORMAT = Format(
    name="pydantic_ai", title="pydantic-ai messages", sniff=_sniff, read=_read, dialect="openai", family="transcript"
)
