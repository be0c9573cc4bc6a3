"""Messages whose tool parts hold call and result together (UI messages), as chat messages in order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ctxinspect.readers.wire.parts import Where, as_text

__all__ = ["ChatItem", "ui_answer", "ui_part", "ui_steps"]

ChatItem = tuple[Mapping[str, Any], Where]
"""A message in the shape of Chat Completions, and where it came from."""


def ui_steps(message: dict[str, Any], where: Where) -> list[ChatItem]:
    """A UI message; the assistant's is parted where a step starts, and after the calls of each step their results."""
    if message.get("role") != "assistant":
        return [({"role": message.get("role"), "content": [ui_part(part) for part in message["parts"]]}, where)]
    items: list[ChatItem] = []
    said: list[Any] = []
    calls: list[Any] = []
    results: list[ChatItem] = []

    def close() -> None:
        if said or calls:
            items.append(({"role": "assistant", "content": said[:] or None, "tool_calls": calls[:] or None}, where))
        items.extend(results)
        said.clear()
        calls.clear()
        results.clear()

    for number, part in enumerate(message["parts"]):
        kind = str(part.get("type")) if isinstance(part, dict) else ""
        if kind == "step-start" or (results and not kind.startswith(("tool-", "dynamic-tool"))):
            close()
        if kind.startswith("tool-") or kind == "dynamic-tool":
            call_id, name = part.get("toolCallId"), part.get("toolName") or kind.removeprefix("tool-")
            calls.append({"id": call_id, "function": {"name": name, "arguments": part.get("input")}})
            if part.get("state") in ("output-available", "output-error"):
                results.append((ui_answer(call_id, name, part), where.at("parts").at(number)))
        elif kind not in ("step-start", ""):
            said.append(ui_part(part))
    close()
    return items


def ui_answer(call_id: Any, name: str, part: dict[str, Any]) -> dict[str, Any]:
    """The result in a tool part as a message of its own."""
    failed = part.get("state") == "output-error"
    output = part.get("errorText") if failed else part.get("output", part.get("result"))
    return {"role": "tool", "tool_call_id": call_id, "name": name, "content": _plain(output), "is_error": failed}


def _plain(output: Any) -> Any:
    """A result: typed outputs (`{type: text | json, value}`) give their value."""
    if isinstance(output, dict) and {"type", "value"} <= output.keys():
        output = output["value"]
    return output if output is None or isinstance(output, str) else as_text(output)


def ui_part(part: Any) -> Any:
    """A part in the words of Chat Completions; a file by its URL or data."""
    kind = part.get("type") if isinstance(part, dict) else None
    if kind == "file":
        return {
            "type": "file",
            "file": {"file_data": part.get("url", part.get("data")), "mime_type": part.get("mediaType")},
        }
    return part
