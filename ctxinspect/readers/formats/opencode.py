"""opencode sessions, as exports, in its database, or one file a part: a tool part holds call and result.

Outputs that were compacted away read as cleared. A compaction is a user message of its own, with the summary as its
answer: earlier messages are out from there on. What was reverted is out too, and stays as a thread of its own.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from ctxinspect.errors import InputError
from ctxinspect.model.session import Problem, Usage
from ctxinspect.readers.chats import ChatItem, chat_of
from ctxinspect.readers.container import Recording, Sample
from ctxinspect.readers.formats._opencode_store import is_stored_session, session_in, sessions_in, stored_session
from ctxinspect.readers.reading import Conversation, Reading, Tale, ThreadKind
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
    if sample.kind == "sqlite":
        return 0.95 if {"session", "message", "part"} <= set(sample.members) else 0.0
    return 0.95 * max(sample.share(_is_session), sample.share(is_stored_session))


def _read(recording: Recording) -> Reading:
    counts: dict[str, int] = {}
    if recording.kind == "sqlite":
        return _database(recording, counts)
    found: list[Conversation] = []
    problems: list[Problem] = []
    for record in recording.records():
        value = record.value
        if isinstance(value, dict) and is_stored_session(value):
            value = stored_session(recording, value, problems)
        if isinstance(value, dict) and _is_session(value):
            found += _conversations(value, Where(record.line, record.path), counts)
    if not any(known.messages for known in found):
        raise InputError("no message in it", remedy="expected messages with info and parts")
    return _reading(found, counts, problems=tuple(problems), title=found[0].title or None)


def _reading(found: list[Conversation], counts: dict[str, int], **more: Any) -> Reading:
    missing = ("the system prompt", "the tool schemas")
    return Reading(tuple(found), "anthropic", "transcript", missing=missing, unknown_kinds=counts, **more)


def _database(recording: Recording, counts: dict[str, int]) -> Reading:
    """Every session of the database is a thread; the one that changed last is opened by default."""
    listed = list(sessions_in(recording))
    if not listed:
        raise InputError("no session in it", remedy="opencode keeps its sessions in opencode.db")

    def told(name: str, which: int) -> Tale:
        whole = _conversations(session_in(recording, name), Where(None, f"session/{name}:$"), counts)
        return whole[min(which, len(whole) - 1)].tell()

    found: list[Conversation] = []
    for row in listed:
        name, title = row["id"], recording.cleared(" ".join(str(row["title"] or "").split()))
        size = {"title": title, "messages": row["messages"], "turns": row["turns"]}
        kind: ThreadKind = "subagent" if row["parent"] else "main"
        found.append(Conversation(name, partial(told, name, 0), kind, parent=row["parent"], **size))
        if row["reverted"]:
            found.append(Conversation(f"{name}-reverted", partial(told, name, 1), "rewind", parent=name, **size))
    read = sum(row["messages"] for row in listed)
    return _reading(found, counts, default=listed[0]["id"], records_read=read)


def _conversations(value: dict[str, Any], where: Where, counts: dict[str, int]) -> list[Conversation]:
    """The session as it stands, and, where something was reverted, as it was before."""
    info = value["info"]
    kept = _unreverted(info, value["messages"])
    made = [_conversation({**value, "messages": kept}, where, counts)]
    if kept is not value["messages"]:
        made.append(_conversation(value, where, {}, reverted=True))
    return made


def _unreverted(info: dict[str, Any], messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The messages before the point that the session was taken back to; the list itself where it was not."""
    revert = info.get("revert")
    if not isinstance(revert, dict):
        return messages
    for number, message in enumerate(messages):
        if isinstance(message["info"], dict) and message["info"].get("id") == revert.get("messageID"):
            parts = message["parts"] if isinstance(message["parts"], list) else []
            ids = [part.get("id") if isinstance(part, dict) else None for part in parts]
            if revert.get("partID") in ids and revert.get("partID"):
                return [*messages[:number], {**message, "parts": parts[: ids.index(revert["partID"])]}]
            return messages[:number]
    return messages


def _conversation(
    value: dict[str, Any], where: Where, counts: dict[str, int], *, reverted: bool = False
) -> Conversation:
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
    name = str(info.get("id") or "main")
    if reverted:
        return chat_of(
            f"{name}-reverted", items, usage=usage, marks=marks, model=model, title=title, kind="rewind", parent=name
        )
    return chat_of(name, items, usage=usage, marks=marks, model=model, title=title)


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
