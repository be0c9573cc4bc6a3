"""Copilot chat replays: the requests in the prompts' logs, with full messages, tools and usage; roles are numbers."""

from __future__ import annotations

from typing import Any

from ctxinspect.errors import InputError
from ctxinspect.readers.captures import Exchange, conversations_of
from ctxinspect.readers.container import Recording, Sample
from ctxinspect.readers.reading import Reading
from ctxinspect.readers.registry import Format
from ctxinspect.readers.wire.openai_chat import WIRE
from ctxinspect.readers.wire.parts import Where, as_text

__all__ = ["FORMAT"]

_ROLES = {0: "system", 1: "user", 2: "assistant", 3: "tool"}
_TEXT, _IMAGE = 1, 0


def _sniff(sample: Sample) -> float:
    return 0.95 * sample.share(lambda value: "exportedAt" in value and isinstance(value.get("prompts"), list))


def _read(recording: Recording) -> Reading:
    found: list[Exchange] = []
    counts: dict[str, int] = {}
    for record in recording.records():
        prompts = record.value.get("prompts") if isinstance(record.value, dict) else None
        for n, prompt in enumerate(prompts or []):
            logs = prompt.get("logs") if isinstance(prompt, dict) else None
            for m, log in enumerate(logs or []):
                where = Where(record.line, record.path).at("prompts").at(n).at("logs").at(m)
                if isinstance(log, dict) and log.get("kind") == "request":
                    found.append(_exchange(log, where))
                elif isinstance(log, dict):
                    counts[str(log.get("kind"))] = counts.get(str(log.get("kind")), 0) + 1
    if not found:
        raise InputError("no request in its logs", remedy="expected prompts with logs of kind request")
    return Reading(conversations_of(found, WIRE), "openai", "capture", unknown_kinds=counts, records_read=len(found))


def _exchange(log: dict[str, Any], where: Where) -> Exchange:
    metadata = log.get("metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    asked = log.get("requestMessages", log.get("messages"))
    asked = asked.get("messages") if isinstance(asked, dict) else asked
    messages = [_chat(item) for item in asked or [] if isinstance(item, dict)]
    request = {"model": metadata.get("model"), "messages": messages, "tools": metadata.get("tools")}
    said = log.get("response")
    said = said.get("message") if isinstance(said, dict) else said
    text = "\n".join(map(as_text, said)) if isinstance(said, list) else said
    response: dict[str, Any] = {"choices": [], "usage": metadata.get("usage")}
    if isinstance(text, str) and text:
        response["choices"] = [{"message": {"role": "assistant", "content": text}}]
    return Exchange(request, response, where, where, str(log.get("id") or ""))


def _chat(item: dict[str, Any]) -> dict[str, Any]:
    role = item.get("role")
    made: dict[str, Any] = {"role": _ROLES.get(role, as_text(role)) if isinstance(role, int) else role}
    content = item.get("content")
    made["content"] = [_part(part) for part in content] if isinstance(content, list) else content
    made["tool_calls"] = item.get("toolCalls", item.get("tool_calls"))
    made["tool_call_id"] = item.get("toolCallId", item.get("tool_call_id"))
    return made


def _part(part: Any) -> Any:
    """A part by its number: 1 is text, 0 an image, others (cache marks, opaque state) stay what they are."""
    kind = part.get("type") if isinstance(part, dict) else None
    if kind == _TEXT:
        return {"type": "text", "text": part.get("text")}
    if kind == _IMAGE:
        return {"type": "image_url", "image_url": part.get("imageUrl")}
    return {**part, "type": f"copilot-{kind}"} if isinstance(kind, int) else part


FORMAT = Format(
    name="copilot_chatreplay",
    title="a Copilot chat replay",
    sniff=_sniff,
    read=_read,
    dialect="openai",
    family="capture",
)
