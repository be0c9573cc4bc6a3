"""OpenAI Chat Completions on disk: bodies, logs of calls, message lists, `{role, content}` lines, fine-tune rows.

A body with a model or a response is a captured call; a bare list, a row without model, or role lines are transcripts.
"""

from __future__ import annotations

from typing import Any

from ctxinspect.errors import InputError
from ctxinspect.model.session import RecordedMessage
from ctxinspect.readers.captures import bodies_of, conversations_of, exchanges, first_words, records_of, told
from ctxinspect.readers.container import Record, Recording, Sample
from ctxinspect.readers.reading import Conversation, Reading, Tale
from ctxinspect.readers.registry import Format
from ctxinspect.readers.wire.openai_chat import WIRE, chat_message, is_chat_list, is_chat_message
from ctxinspect.readers.wire.openai_chunks import is_chunk
from ctxinspect.readers.wire.parts import Where

__all__ = ["FORMAT"]

LIST_KEYS = ("messages", "traj", "trajectory", "conversation", "chat", "dialog", "history", "prompt")
"""Keys under which writers keep a message list."""

_CALL_KEYS = frozenset({"model", "max_tokens", "temperature", "stream", "tool_choice", "choices"})


def _sniff(sample: Sample) -> float:
    if sample.kind not in ("json", "json-seq", "jsonl", "sse"):
        return 0.0
    if is_chat_list(sample.document):
        return 0.5
    if isinstance(sample.document, list):
        return 0.5 * Sample("jsonl", tuple(sample.document[:60])).share(_known)
    return 0.55 * sample.share(lambda value: is_chunk(value) or value.get("object") == "chat.completion") or (
        0.5 * sample.share(_known)
    )


def _known(value: dict[str, Any]) -> bool:
    return (
        is_chat_message(value)
        or _list_in(value) is not None
        or any(
            WIRE.is_request(body) or WIRE.is_response(body) or is_chunk(body) for body, _ in bodies_of(value, Where())
        )
    )


def _list_in(value: dict[str, Any]) -> str | None:
    """The key under which a row keeps its messages."""
    return next((key for key in LIST_KEYS if is_chat_list(value.get(key))), None)


def _read(recording: Recording) -> Reading:
    records = list(records_of(recording, is_chat_list))
    if recording.kind != "json" and sum(is_chat_message(record.value) for record in records) * 2 >= len(records):
        return _transcripts([_role_lines(records, recording)], None)
    if len(records) == 1 and is_chat_list(records[0].value):
        items = records[0].value
        return _transcripts([_listed(items, Where(records[0].line, "$"), "chat", {})], len(items))
    rows = [record for record in records if _is_row(record.value)]
    if rows and len(rows) * 2 >= len(records):
        read = len(records) if recording.kind == "json" else None
        return _transcripts([_row(record, n) for n, record in enumerate(rows, 1)], read)
    found = conversations_of(exchanges(records, WIRE, recording), WIRE)
    if not found:
        raise InputError("no chat message in it", remedy="expected messages, choices or stream chunks")
    return Reading(conversations=found, dialect="openai", family="capture")


def _is_row(value: Any) -> bool:
    """Whether this is a conversation of a data set: a message list, and nothing of a call."""
    return isinstance(value, dict) and _list_in(value) is not None and not value.keys() & _CALL_KEYS


def _transcripts(conversations: list[Conversation], records_read: int | None) -> Reading:
    return Reading(conversations=tuple(conversations), dialect="openai", family="transcript", records_read=records_read)


def _role_lines(records: list[Record], recording: Recording) -> Conversation:
    """One message a line: one chat. Lines that are no message are problems, by number."""
    messages: list[RecordedMessage] = []
    for record in records:
        if is_chat_message(record.value):
            messages.append(chat_message(record.value, len(messages), Where(record.line, record.path)))
        else:
            recording.note("a record that is no message (no known role)", line=record.line)
    return told("chat", tuple(messages))


def _row(record: Record, number: int) -> Conversation:
    value = record.value
    key = _list_in(value) or "messages"
    where = Where(record.line, record.path)
    name = next(
        (str(value[known]) for known in ("id", "custom_id", "task_id", "instance_id") if value.get(known) is not None),
        f"row-{number}",
    )
    return _listed(value[key], where.at(key), name, value)


def _listed(items: list[Any], where: Where, name: str, row: dict[str, Any]) -> Conversation:
    def tell() -> Tale:
        messages = tuple(chat_message(item, index, where.at(index)) for index, item in enumerate(items))
        return Tale(messages=messages, tools=WIRE.tools(row), thinking=WIRE.thinking(row))

    head = tuple(chat_message(item, index, where.at(index)) for index, item in enumerate(items[:6]))
    users = sum(isinstance(item, dict) and item.get("role") == "user" for item in items)
    return Conversation(name, tell, title=first_words(head), messages=len(items), turns=users)


FORMAT = Format(
    name="openai_chat", title="OpenAI Chat Completions", sniff=_sniff, read=_read, dialect="openai", family="capture"
)
