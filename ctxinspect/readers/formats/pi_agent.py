"""pi sessions: messages a line, calls inside the assistant's content, results of their own role; compaction resets.

Later versions link their entries by id and parent; the live line is that of the last entry.
"""

from __future__ import annotations

from typing import Any

from ctxinspect.errors import InputError
from ctxinspect.model.session import Usage
from ctxinspect.readers.chats import ChatItem, chat_of
from ctxinspect.readers.container import Record, Recording, Sample
from ctxinspect.readers.reading import Conversation, Reading
from ctxinspect.readers.registry import Format
from ctxinspect.readers.wire.dialect import tokens, usage_total
from ctxinspect.readers.wire.parts import Where, as_text

__all__ = ["FORMAT"]

_MISSING = ("the system prompt", "the tool schemas")
_ROLES = frozenset({"user", "assistant", "toolResult", "bashExecution"})


def _sniff(sample: Sample) -> float:
    head = [value for value in sample.values[:3] if isinstance(value, dict)]
    if not any(value.get("type") == "session" and "cwd" in value for value in head):
        return 0.0
    kinds = ("session", "message", "compaction", "model_change", "thinking_level_change")
    return 0.95 * sample.share(lambda value: value.get("type") in kinds or "parentId" in value)


def _read(recording: Recording) -> Reading:
    records: list[Record] = []
    counts: dict[str, int] = {}
    name, model = "main", None
    for record in recording.records():
        value = record.value
        kind = value.get("type") if isinstance(value, dict) else None
        if not isinstance(kind, str):
            recording.note("a record without a type", line=record.line)
            continue
        if kind == "session":
            name = str(value.get("id") or name)
        model = value["modelId"] if isinstance(value.get("modelId"), str) else model
        records.append(record)
        if kind not in ("message", "compaction", "session"):
            counts[kind] = counts.get(kind, 0) + 1
    lines = _lines(records)
    found = [_conversation(name if n == 0 else f"{name}-{n + 1}", line, n, model) for n, line in enumerate(lines)]
    if not any(known.messages for known in found):
        raise InputError("no message in it", remedy="expected records of type message")
    return Reading(tuple(found), "anthropic", "transcript", default=name, missing=_MISSING, unknown_kinds=counts)


def _lines(records: list[Record]) -> list[list[Record]]:
    """The live line first, then every branch that it left; without links the file's own order."""
    by_id = {record.value["id"]: record for record in records if isinstance(record.value.get("id"), str)}
    linked = [record for record in records if "parentId" in record.value and record.value.get("id") in by_id]
    if not linked:
        return [records]
    followed = {record.value.get("parentId") for record in linked}
    leaves = [record for record in linked if record.value["id"] not in followed]
    return [_way(leaf, by_id) for leaf in [leaves[-1], *leaves[:-1]]] if leaves else [records]


def _way(leaf: Record, by_id: dict[str, Record]) -> list[Record]:
    way: dict[str, Record] = {}
    node: Record | None = leaf
    while node is not None and node.value["id"] not in way:
        way[node.value["id"]] = node
        parent = node.value.get("parentId")
        node = by_id.get(parent) if isinstance(parent, str) else None
    return list(way.values())[::-1]


def _conversation(name: str, records: list[Record], number: int, model: str | None) -> Conversation:
    items: list[ChatItem] = []
    marks: dict[int, tuple[str, ...]] = {}
    usage: dict[int, Usage | None] = {}
    kept: list[tuple[str, int]] = []
    for position, record in enumerate(records):
        value, where = record.value, Where(record.line, record.path)
        if value.get("type") == "compaction":
            _compact(value, where, items, marks, usage, kept)
            continue
        message = value.get("message")
        if value.get("type") != "message" or not isinstance(message, dict) or message.get("role") not in _ROLES:
            continue
        kept.append((str(value.get("id")), position))
        usage[len(items)] = _usage(message.get("usage")) if message["role"] == "assistant" else None
        items.append((_chat(message), where.at("message")))
        model = message["model"] if isinstance(message.get("model"), str) else model
    return chat_of(
        name,
        items,
        usage=usage,
        marks=marks,
        model=model,
        kind="main" if number == 0 else "branch",
        parent=None if number == 0 else "main",
    )


def _compact(
    value: dict[str, Any],
    where: Where,
    items: list[ChatItem],
    marks: dict[int, tuple[str, ...]],
    usage: dict[int, Usage | None],
    kept: list[tuple[str, int]],
) -> None:
    """The summary, and behind it the messages that the compaction kept, moved there from before it."""
    first = value.get("firstKeptEntryId", value.get("firstKeptEntryIndex"))
    start = next((n for n, (name, place) in enumerate(kept) if first in (name, place)), len(items))
    tail, tail_usage = items[start:], [usage.get(n) for n in range(start, len(items))]
    del items[start:]
    marks[len(items)] = ("compact_summary",)
    usage[len(items)] = None
    items.append(({"role": "user", "content": as_text(value.get("summary") or "")}, where.at("summary")))
    for item, reported in zip(tail, tail_usage, strict=True):
        usage[len(items)] = reported
        items.append(item)
    kept.insert(start, ("", -1))


def _chat(message: dict[str, Any]) -> dict[str, Any]:
    role = message["role"]
    if role == "toolResult":
        answer = {"role": "tool", "tool_call_id": message.get("toolCallId"), "name": message.get("toolName")}
        return {**answer, "content": message.get("content"), "is_error": message.get("isError") is True}
    if role == "bashExecution":
        text = f"$ {as_text(message.get('command') or '')}\n{as_text(message.get('output') or '')}"
        return {"role": "user", "content": text}
    content = message.get("content")
    if isinstance(content, list):
        content = [_part(part) for part in content]
    return {"role": role, "content": content}


def _part(part: Any) -> Any:
    if not isinstance(part, dict):
        return part
    if part.get("type") == "toolCall":
        return {"type": "tool_use", "id": part.get("id"), "name": part.get("name"), "input": part.get("arguments")}
    if part.get("type") == "thinking":
        return {**part, "signature": part.get("thinkingSignature")}
    return part


def _usage(value: Any) -> Usage | None:
    if not isinstance(value, dict):
        return None
    made = Usage(
        input=usage_total(value.get("input"), value.get("cacheRead"), value.get("cacheWrite")),
        cached=tokens(value.get("cacheRead")),
        output=tokens(value.get("output")),
    )
    return made if made.input or made.output else None


FORMAT = Format(
    name="pi_agent", title="a pi session", sniff=_sniff, read=_read, dialect="anthropic", family="transcript"
)
