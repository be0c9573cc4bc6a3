"""Anthropic Messages bodies, logs of them (claude-trace among them), stream events, and bare lists of messages."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ctxinspect.errors import InputError
from ctxinspect.readers.captures import bodies_of, conversations_of, exchanges, listed, records_of, told
from ctxinspect.readers.container import Recording, Sample
from ctxinspect.readers.reading import Reading
from ctxinspect.readers.registry import Format
from ctxinspect.readers.wire.anthropic import BLOCKS, WIRE, block_kinds, looks_openai, message_of
from ctxinspect.readers.wire.openai_chat import is_chat_list
from ctxinspect.readers.wire.parts import Where

__all__ = ["FORMAT"]


_CALLS = replace(WIRE, is_request=lambda body: is_chat_list(body.get("messages")))
"""Once the format is known, a request needs nothing that other dialects have not: text alone will do."""


def _sniff(sample: Sample) -> float:
    document = sample.document
    if isinstance(document, list) and not is_chat_list(document):
        return 0.8 * Sample("jsonl", tuple(document[:60])).share(_known)
    if not isinstance(document, dict):
        messages = document if isinstance(document, list) else list(sample.values)
        if is_chat_list(messages) and not all(map(WIRE.is_response, messages)):
            return 0.8 if _is_bare(messages) else 0.0
    return 0.8 * sample.share(_known)


def _is_bare(messages: list[Any]) -> bool:
    return bool(block_kinds(messages) & BLOCKS) and not looks_openai({"messages": messages})


def _known(value: dict[str, Any]) -> bool:
    return any(
        WIRE.is_request(body) or WIRE.is_response(body) or WIRE.is_chunk(body) for body, _ in bodies_of(value, Where())
    )


def _read(recording: Recording) -> Reading:
    records = list(records_of(recording, is_chat_list))
    items = listed(records)
    values = [item for item, _ in items]
    if is_chat_list(values) and not all(map(WIRE.is_response, values)):
        messages = tuple(message_of(item, number, where) for number, (item, where) in enumerate(items))
        return Reading((told("chat", messages),), "anthropic", "transcript", records_read=len(items))
    found = conversations_of(exchanges(records, _CALLS, recording), _CALLS)
    if not found:
        raise InputError("no message in it", remedy="expected messages, a response or stream events")
    return Reading(conversations=found, dialect="anthropic", family="capture")


FORMAT = Format(
    name="anthropic_messages",
    title="Anthropic Messages",
    sniff=_sniff,
    read=_read,
    dialect="anthropic",
    family="capture",
)
