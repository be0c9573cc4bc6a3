"""Rows of training sets with a prompt and its completion, or a chosen and a rejected one (TRL and its like).

The chosen answer is the conversation; the rejected one is a branch of it. Texts may stand as strings or as messages.
"""

from __future__ import annotations

from typing import Any

from ctxinspect.errors import InputError
from ctxinspect.readers.captures import records_of
from ctxinspect.readers.chats import ChatItem, chat_of, schemas_of
from ctxinspect.readers.container import Record, Recording, Sample
from ctxinspect.readers.reading import Conversation, Reading
from ctxinspect.readers.registry import Format
from ctxinspect.readers.wire.openai_chat import is_chat_list
from ctxinspect.readers.wire.parts import Where

__all__ = ["FORMAT"]

_ANSWERS = ("completion", "chosen", "response")
_CALLS = frozenset({"model", "choices", "max_tokens", "temperature", "object"})


def _is_row(value: Any) -> bool:
    """A row with an answer of a training set, and nothing of an API call."""
    if not isinstance(value, dict) or value.keys() & _CALLS:
        return False
    pair = _is_text(value.get("chosen")) and _is_text(value.get("rejected"))
    return pair or (_is_text(value.get("prompt")) and any(_is_text(value.get(key)) for key in _ANSWERS))


def _is_text(value: Any) -> bool:
    return isinstance(value, str) or is_chat_list(value)


def _sniff(sample: Sample) -> float:
    document = sample.document
    inside = Sample("jsonl", tuple(document[:60])) if isinstance(document, list) else sample
    return 0.7 * inside.share(_is_row)


def _read(recording: Recording) -> Reading:
    found: list[Conversation] = []
    read = 0
    for number, record in enumerate(records_of(recording, lambda _: False), 1):
        if _is_row(record.value):
            read += 1
            found += _row(record, number)
        else:
            recording.note("a row without a prompt and its answer", line=record.line, path=record.path)
    if not found:
        raise InputError("no row with an answer in it", remedy="expected prompt and completion, or chosen and rejected")
    return Reading(tuple(found), "openai", "transcript", records_read=read)


def _row(record: Record, number: int) -> list[Conversation]:
    value = record.value
    where = Where(record.line, record.path)
    prompt = _items(value.get("prompt"), "user", where.at("prompt"))
    name = str(value["id"]) if isinstance(value.get("id"), (str, int)) else f"row-{number}"
    tools = schemas_of(value.get("tools"))
    key = next(key for key in _ANSWERS if _is_text(value.get(key)))
    made = [chat_of(name, [*prompt, *_items(value[key], "assistant", where.at(key))], tools=tools)]
    if key == "chosen" and _is_text(value.get("rejected")):
        refused = [*prompt, *_items(value["rejected"], "assistant", where.at("rejected"))]
        made.append(chat_of(f"{name}-rejected", refused, tools=tools, kind="branch", parent=name))
    return made


def _items(value: Any, role: str, where: Where) -> list[ChatItem]:
    if isinstance(value, str):
        return [({"role": role, "content": value}, where)]
    return [(item, where.at(number)) for number, item in enumerate(value or [])]


FORMAT = Format(
    name="preference",
    title="rows of prompts and answers",
    sniff=_sniff,
    read=_read,
    dialect="openai",
    family="transcript",
)
