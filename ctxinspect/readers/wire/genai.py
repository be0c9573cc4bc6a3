"""Messages with parts as the OpenTelemetry GenAI conventions have them, turned into chat messages."""

from __future__ import annotations

from typing import Any

from ctxinspect.readers.wire.parts import as_text

__all__ = ["Message", "genai_chat", "genai_content"]

Message = dict[str, Any]


def genai_chat(listed: Any) -> list[Message]:
    """Messages with parts (GenAI conventions) as chat messages; each tool response is a message of its own."""
    made: list[Message] = []
    for message in listed if isinstance(listed, list) else []:
        if not isinstance(message, dict):
            continue
        parts = message.get("parts", message.get("content"))
        listed_parts = parts if isinstance(parts, list) else [parts]
        answers = [part for part in listed_parts if isinstance(part, dict) and part.get("type") == "tool_call_response"]
        for part in answers:
            content = part.get("response", part.get("result"))
            made.append({"role": "tool", "tool_call_id": part.get("id"), "content": _plain(content)})
        calls = [part for part in listed_parts if isinstance(part, dict) and part.get("type") == "tool_call"]
        rest = [part for part in listed_parts if part not in answers and part not in calls]
        if rest or calls or not answers:
            chat: Message = {"role": message.get("role", "user"), "content": genai_content(rest)}
            if calls:
                chat["tool_calls"] = [{"id": part.get("id"), "function": part} for part in calls]
            made.append(chat)
    return made


def _plain(value: Any) -> Any:
    return value if value is None or isinstance(value, (str, list)) else as_text(value)


def genai_content(parts: Any) -> Any:
    """Parts as chat content: a lone text as a string, null where there is none."""
    if not isinstance(parts, list):
        return _plain(parts)
    made: list[Any] = []
    for part in parts:
        kind = part.get("type") if isinstance(part, dict) else None
        if kind in ("text", "reasoning"):
            made.append({"type": kind, "text": part.get("content", part.get("text"))})
        elif kind == "blob":
            data = {"data": part.get("content", part.get("data")), "media_type": part.get("mime_type")}
            made.append({"type": part.get("modality") or "file", "source": {"type": "base64", **data}})
        elif kind in ("uri", "file"):
            made.append({"type": "image_url", "image_url": part.get("uri", part.get("file_id"))})
        elif part is not None:
            made.append(part)
    if len(made) == 1 and isinstance(made[0], dict) and made[0].get("type") == "text":
        return made[0]["text"]
    return made or None
