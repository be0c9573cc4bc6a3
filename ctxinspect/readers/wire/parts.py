"""Content parts of every dialect as recorded parts: nothing is dropped, what is no known part is kept as JSON.

Providers share their shapes and writers mix them, so one function knows all of them. Payloads become facts at once.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

from ctxinspect.model.content import Content, MediaPart, TextPart
from ctxinspect.model.session import (
    Arguments,
    CallPart,
    MediaBlock,
    OtherPart,
    RecordedPart,
    ResultPart,
    TextBlock,
    ThinkingBlock,
)
from ctxinspect.readers.media import MediaFacts, data_url_facts, kind_of, media_facts

__all__ = [
    "Shape",
    "Where",
    "arguments_of",
    "as_text",
    "content_parts",
    "identifier",
    "linked_facts",
    "part_of",
    "result_content",
    "text_or_none",
]

Shape = Literal["string", "parts", "null", "absent", "bad"]


class Where(NamedTuple):
    """A place in the file: physical line and JSON path."""

    line: int | None = None
    path: str = "$"

    def at(self, key: str | int) -> Where:
        """The place under a key or an index."""
        return Where(self.line, f"{self.path}[{key}]" if isinstance(key, int) else f"{self.path}.{key}")


def text_or_none(value: Any) -> str | None:
    """The value where it is a string."""
    return value if isinstance(value, str) else None


def identifier(value: Any) -> str | None:
    """An id as text: null stays null, a number becomes its digits."""
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False)


def as_text(value: Any) -> str:
    """A value as the text it was or as its JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def arguments_of(value: Any) -> Arguments:
    """Arguments as received: an object, or the raw string; null is the empty string, anything else its JSON."""
    if isinstance(value, (dict, str)):
        return value
    return "" if value is None else as_text(value)


def content_parts(value: Any, where: Where) -> tuple[Shape, list[RecordedPart]]:
    """The parts of a `content` value, and how it stood: null and odd ones are kept as what they are."""
    if value is None:
        return "null", []
    if isinstance(value, str):
        return "string", [TextBlock(text=value, line=where.line, path=where.path)]
    if isinstance(value, list):
        parts: list[RecordedPart] = []
        for number, item in enumerate(value):
            parts += part_of(item, where.at(number))
        return "parts", parts
    fault = f"content is {_kind(value)}, neither text nor a list of parts"
    return "bad", [OtherPart(kind=_kind(value), text=as_text(value), fault=fault, line=where.line, path=where.path)]


def part_of(item: Any, where: Where) -> list[RecordedPart]:
    """One part (or none, for empty wrappers)."""
    if isinstance(item, str):
        return [TextBlock(text=item, line=where.line, path=where.path)]
    if not isinstance(item, dict):
        fault = f"a part is {_kind(item)}, not an object"
        return [OtherPart(kind=_kind(item), text=as_text(item), fault=fault, line=where.line, path=where.path)]
    given = item.get("type")
    kind = given if isinstance(given, str) else "text" if isinstance(item.get("text"), str) else "untyped"
    read = _READERS.get(kind)
    if read is None and kind.endswith("_tool_result"):
        read = _server_result
    if read is None:
        untyped = "a part has no type" if kind == "untyped" else None
        return [OtherPart(kind=kind, text=as_text(item), fault=untyped, line=where.line, path=where.path)]
    return [read(item, where)]


def result_content(value: Any, where: Where) -> Content | None:
    """The content of a tool result: a string, parts, null where it is null; anything else as its JSON."""
    if value is None or isinstance(value, str):
        return value
    if not isinstance(value, list):
        return as_text(value)
    kept: list[TextPart | MediaPart] = []
    for number, item in enumerate(value):
        for part in part_of(item, where.at(number)):
            if isinstance(part, MediaPart):
                kept.append(MediaPart(type=part.type, media_type=part.media_type, bytes=part.bytes, sha256=part.sha256))
            elif isinstance(part, TextPart):
                kept.append(TextPart(text=part.text))
            else:
                kept.append(TextPart(text=as_text(item)))
    if len(kept) == 1 and isinstance(kept[0], TextPart):
        return kept[0].text
    return tuple(kept)


def _kind(value: Any) -> str:
    if isinstance(value, bool):
        return "a boolean"
    names = {dict: "an object", list: "a list", int: "a number", float: "a number", type(None): "null"}
    return names.get(type(value), "a string")


def _text(item: dict[str, Any], where: Where) -> RecordedPart:
    text = item.get("text")
    if isinstance(text, dict):  # OpenAI assistants: {"text": {"value": …}}
        text = text.get("value")
    if text is None and isinstance(item.get("value"), str):
        text = item["value"]
    if isinstance(text, str):
        return TextBlock(text=text, line=where.line, path=where.path)
    fault = f"the text of a text part is {_kind(text)}"
    shown = "" if text is None else as_text(text)
    return OtherPart(kind="text", text=shown, fault=fault, line=where.line, path=where.path)


def _refusal(item: dict[str, Any], where: Where) -> RecordedPart:
    return TextBlock(text=as_text(item.get("refusal", "")), line=where.line, path=where.path)


def _media(kind: str | None, facts: MediaFacts, where: Where) -> MediaBlock:
    media_type, size, digest = facts
    chosen: Literal["image", "file", "audio"] = kind_of(media_type)
    if kind in ("image", "audio", "file"):
        chosen = kind  # type: ignore[assignment]
    return MediaBlock(type=chosen, media_type=media_type, bytes=size, sha256=digest, line=where.line, path=where.path)


def linked_facts(address: Any, media_type: str = "") -> MediaFacts:
    """Facts of a payload kept elsewhere: no bytes, and the digest of its address, so that two are told apart."""
    return media_type, 0, hashlib.sha256(as_text(address).encode("utf-8", "surrogatepass")).hexdigest()


def _url_facts(url: Any, media_type: str = "") -> MediaFacts:
    return (data_url_facts(url) if isinstance(url, str) else None) or linked_facts(url, media_type)


def _image_url(item: dict[str, Any], where: Where) -> RecordedPart:
    url = item.get("image_url", item.get("url"))
    if isinstance(url, dict):
        url = url.get("url")
    if url is None:
        url = item.get("file_id")
    return _media("image", _url_facts(url), where)


def _source(item: dict[str, Any], where: Where) -> RecordedPart:
    """Anthropic `image` and `document`: `source` is base64, a URL, a file id, or plain text."""
    kind = "image" if item.get("type") == "image" else "file"
    source = item.get("source")
    if not isinstance(source, dict):  # pi, opencode and others: {"type": "image", "data", "mimeType"}
        media_type = as_text(item.get("mimeType") or item.get("media_type") or "")
        data = item.get("data")
        if isinstance(data, str):
            return _media(kind, data_url_facts(data) or media_facts(data, media_type), where)
        return _media(kind, _url_facts(item.get("image", item.get("url", source)), media_type), where)
    media_type = as_text(source.get("media_type") or "")
    data = source.get("data")
    if source.get("type") == "text" and isinstance(data, str):
        return TextBlock(text=data, line=where.line, path=where.path)
    if isinstance(data, str):
        return _media(kind, media_facts(data, media_type), where)
    return _media(kind, _url_facts(source.get("url", source.get("file_id")), media_type), where)


def _audio(item: dict[str, Any], where: Where) -> RecordedPart:
    inner = item.get("input_audio", item.get("audio", item))
    inner = inner if isinstance(inner, dict) else {}
    media_type = f"audio/{as_text(inner.get('format') or 'unknown')}"
    data = inner.get("data")
    return _media("audio", media_facts(data, media_type) if data else linked_facts(inner.get("id"), media_type), where)


def _file(item: dict[str, Any], where: Where) -> RecordedPart:
    inner = item.get("file")
    inner = inner if isinstance(inner, dict) else item
    data = inner.get("file_data", inner.get("data"))
    if isinstance(data, str):
        facts = data_url_facts(data) or media_facts(data, as_text(inner.get("mime_type") or ""))
        return _media("file", facts, where)
    return _media("file", _url_facts(inner.get("file_url", inner.get("file_id"))), where)


def _thinking(item: dict[str, Any], where: Where) -> RecordedPart:
    text = item.get("thinking", item.get("text", item.get("reasoning")))
    signature = text_or_none(item.get("signature"))
    return ThinkingBlock(text=as_text(text or ""), signature=signature, line=where.line, path=where.path)


def _compaction(item: dict[str, Any], where: Where) -> RecordedPart:
    """A summary that the provider wrote in place of what stands before it (or an opaque one)."""
    content = item.get("content")
    text = content if isinstance(content, str) else ""
    return OtherPart(kind="compaction", text=text, line=where.line, path=where.path)


def _redacted(item: dict[str, Any], where: Where) -> RecordedPart:
    return ThinkingBlock(redacted=True, signature=text_or_none(item.get("data")), line=where.line, path=where.path)


def _call(item: dict[str, Any], where: Where) -> RecordedPart:
    server = item.get("type") in ("server_tool_use", "mcp_tool_use")
    return CallPart(
        id=identifier(item.get("id", item.get("toolCallId"))),
        name=as_text(item.get("name") or item.get("toolName") or ""),
        arguments=arguments_of(item.get("input", item.get("args", item.get("arguments")))),
        server=server,
        line=where.line,
        path=where.path,
    )


def _result(item: dict[str, Any], where: Where) -> RecordedPart:
    return ResultPart(
        call_id=identifier(item.get("tool_use_id", item.get("tool_call_id"))),
        name=text_or_none(item.get("name")),
        content=result_content(item.get("content", ""), where.at("content")),
        is_error=item.get("is_error") is True,
        line=where.line,
        path=where.path,
    )


def _server_result(item: dict[str, Any], where: Where) -> RecordedPart:
    """The result of a tool that the provider ran itself; its content is shown as it stood."""
    content = item.get("content")
    error = isinstance(content, dict) and "error" in as_text(content.get("type", ""))
    return ResultPart(
        call_id=identifier(item.get("tool_use_id")),
        content=result_content(content, where.at("content")),
        is_error=error or item.get("is_error") is True,
        server=True,
        line=where.line,
        path=where.path,
    )


_READERS: dict[str, Callable[[dict[str, Any], Where], RecordedPart]] = {
    "text": _text,
    "input_text": _text,
    "output_text": _text,
    "summary_text": _text,
    "refusal": _refusal,
    "image_url": _image_url,
    "input_image": _image_url,
    "image": _source,
    "document": _source,
    "input_audio": _audio,
    "audio": _audio,
    "file": _file,
    "input_file": _file,
    "thinking": _thinking,
    "reasoning": _thinking,
    "redacted_thinking": _redacted,
    "tool_use": _call,
    "server_tool_use": _call,
    "mcp_tool_use": _call,
    "tool_result": _result,
    "mcp_tool_result": _server_result,
    "compaction": _compaction,
}
