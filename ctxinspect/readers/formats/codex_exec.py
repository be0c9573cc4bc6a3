"""The event stream of `codex exec --json`: what the program printed, without the system prompt and most outputs.

Only finished items count; an item that was begun and never finished is counted as unfinished.
"""

from __future__ import annotations

from typing import Any

from ctxinspect.errors import InputError
from ctxinspect.model.session import Usage
from ctxinspect.readers.chats import ChatItem, chat_of
from ctxinspect.readers.container import Recording, Sample
from ctxinspect.readers.reading import Reading
from ctxinspect.readers.registry import Format
from ctxinspect.readers.wire.parts import Where, as_text
from ctxinspect.readers.wire.responses import responses_usage

__all__ = ["FORMAT"]

_MISSING = ("the prompt", "the system prompt", "the tool schemas", "the outputs of most tools")
_EVENTS = frozenset(
    {"thread.started", "turn.started", "turn.completed", "turn.failed", "item.started", "item.updated"}
    | {"item.completed", "error"}
)


def _sniff(sample: Sample) -> float:
    own = sample.share(lambda value: str(value.get("type")) in _EVENTS)
    return 0.9 * own if sample.share(lambda value: "thread_id" in value or "item" in value) else 0.0


def _read(recording: Recording) -> Reading:
    items: list[ChatItem] = []
    usage: dict[int, Usage | None] = {}
    open_items: dict[str, None] = {}
    name = "main"
    for record in recording.records():
        value, where = record.value, Where(record.line, record.path)
        kind = value.get("type") if isinstance(value, dict) else None
        if kind == "thread.started":
            name = str(value.get("thread_id") or name)
        elif kind == "turn.started":
            items.append(({"role": "user", "content": ""}, where))
        elif kind == "turn.completed":
            last = next((n for n in range(len(items) - 1, -1, -1) if items[n][0]["role"] == "assistant"), None)
            if last is not None:
                usage[last] = responses_usage(value.get("usage"))
        elif kind in ("item.started", "item.completed") and isinstance(value.get("item"), dict):
            item = value["item"]
            if kind == "item.started":
                open_items[str(item.get("id"))] = None
                continue
            open_items.pop(str(item.get("id")), None)
            items += _messages(item, where.at("item"))
    if not any(item["role"] == "assistant" for item, _ in items):
        raise InputError("no finished item in it", remedy="expected item.completed events")
    counts = {"item never finished": len(open_items)} if open_items else {}
    chat = chat_of(name, items, usage=usage)
    return Reading((chat,), "openai-responses", "transcript", missing=_MISSING, unknown_kinds=counts)


def _messages(item: dict[str, Any], where: Where) -> list[ChatItem]:
    kind = str(item.get("type") or item.get("item_type"))
    if kind in ("agent_message", "assistant_message"):
        return [({"role": "assistant", "content": item.get("text")}, where)]
    if kind == "reasoning":
        return [({"role": "assistant", "content": [{"type": "thinking", "thinking": item.get("text")}]}, where)]
    call_id = item.get("id")
    shown = {
        key: value for key, value in item.items() if key not in ("id", "type", "status", "aggregated_output", "result")
    }
    call = {"id": call_id, "function": {"name": kind, "arguments": shown}}
    made: list[ChatItem] = [({"role": "assistant", "content": None, "tool_calls": [call]}, where)]
    output = item.get("aggregated_output", item.get("result"))
    answer = {"role": "tool", "tool_call_id": call_id, "content": as_text("" if output is None else output)}
    made.append(({**answer, "is_error": item.get("status") == "failed"}, where))
    return made


FORMAT = Format(
    name="codex_exec",
    title="a Codex exec stream",
    sniff=_sniff,
    read=_read,
    dialect="openai-responses",
    family="transcript",
)
