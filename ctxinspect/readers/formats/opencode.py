"""opencode session exports: a tool part holds call and result; outputs that were compacted away read as cleared.

A compaction is a user message of its own, with the summary as its answer: earlier messages are out from there on.
"""

from __future__ import annotations

from typing import Any

from ctxinspect.errors import InputError
from ctxinspect.model.session import Usage
from ctxinspect.readers.chats import ChatItem, chat_of
from ctxinspect.readers.container import Recording, Sample
from ctxinspect.readers.reading import Conversation, Reading
from ctxinspect.readers.registry import Format
from ctxinspect.readers.wire.dialect import tokens, usage_total
from ctxinspect.readers.wire.parts import Where, text_or_none
from ctxinspect.readers.wire.ui_parts import ui_steps

__all__ = ["FORMAT"]

CLEARED = "[Old tool result content cleared]"
"""What the model sees in place of an output that opencode has compacted away."""

_STATES = {"completed": "output-available", "error": "output-error"}
_SILENT = frozenset({"step-finish", "snapshot", "patch", "agent", "retry", "compaction", "subtask"})


def _is_session(value: dict[str, Any]) -> bool:
    listed = value.get("messages")
    return (
        isinstance(value.get("info"), dict)
        and isinstance(listed, list)
        and all(isinstance(item, dict) and {"info", "parts"} <= item.keys() for item in listed[:60])
    )


def _sniff(sample: Sample) -> float:
    return 0.95 * sample.share(_is_session)


def _read(recording: Recording) -> Reading:
    counts: dict[str, int] = {}
    found = [
        _conversation(record.value, Where(record.line, record.path), counts)
        for record in recording.records()
        if isinstance(record.value, dict) and _is_session(record.value)
    ]
    if not any(known.messages for known in found):
        raise InputError("no message in it", remedy="expected messages with info and parts")
    return Reading(
        tuple(found),
        "anthropic",
        "transcript",
        title=found[0].title or None,
        missing=("the system prompt", "the tool schemas"),
        unknown_kinds=counts,
    )


def _conversation(value: dict[str, Any], where: Where, counts: dict[str, int]) -> Conversation:
    info = value["info"]
    items: list[ChatItem] = []
    marks: dict[int, tuple[str, ...]] = {}
    usage: dict[int, Usage | None] = {}
    model: str | None = None
    for number, message in enumerate(value["messages"]):
        place = where.at("messages").at(number)
        said = message["info"] if isinstance(message["info"], dict) else {}
        parts = [part for part in message["parts"] if isinstance(part, dict)] if message["parts"] else []
        for part in parts:
            kind = str(part.get("type"))
            if kind in _SILENT:
                counts[kind] = counts.get(kind, 0) + 1
        if any(part.get("type") == "compaction" for part in parts):
            marks[len(items)] = ("history_reset",)
        visible = [_part(part) for part in parts if str(part.get("type")) not in _SILENT]
        made = ui_steps({"role": said.get("role"), "parts": visible}, place)
        answers = [n for n, (item, _) in enumerate(made, len(items)) if item.get("role") == "assistant"]
        if answers:
            usage[answers[-1]] = _usage(said.get("tokens"))
            model = text_or_none(said.get("modelID")) or model
        items += made
    title = text_or_none(info.get("title")) or ""
    return chat_of(str(info.get("id") or "main"), items, usage=usage, marks=marks, model=model, title=title)


def _part(part: dict[str, Any]) -> dict[str, Any]:
    """A part in the words of UI messages."""
    kind = part.get("type")
    if kind == "tool":
        state = part.get("state")
        state = state if isinstance(state, dict) else {}
        time = state.get("time")
        cleared = isinstance(time, dict) and bool(time.get("compacted"))
        return {
            "type": "dynamic-tool",
            "toolCallId": part.get("callID"),
            "toolName": part.get("tool"),
            "input": state.get("input"),
            "output": CLEARED if cleared else state.get("output"),
            "errorText": state.get("error"),
            "state": _STATES.get(str(state.get("status")), "input-available"),
        }
    if kind == "reasoning":
        return {"type": "thinking", "thinking": part.get("text")}
    if kind == "file":
        return {"type": "file", "url": part.get("url"), "mediaType": part.get("mime")}
    return part


def _usage(value: Any) -> Usage | None:
    if not isinstance(value, dict):
        return None
    cache = value.get("cache")
    cache = cache if isinstance(cache, dict) else {}
    made = Usage(
        input=usage_total(value.get("input"), cache.get("read"), cache.get("write")),
        cached=tokens(cache.get("read")),
        output=usage_total(value.get("output"), value.get("reasoning")),
    )
    return made if made.input or made.output else None


FORMAT = Format(
    name="opencode", title="an opencode session", sniff=_sniff, read=_read, dialect="anthropic", family="transcript"
)
