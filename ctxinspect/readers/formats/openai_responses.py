"""OpenAI Responses bodies, logs of them, stream events, and bare lists of items."""

from __future__ import annotations

from typing import Any

from ctxinspect.errors import InputError
from ctxinspect.readers.captures import bodies_of, conversations_of, exchanges, listed, records_of, told
from ctxinspect.readers.container import Recording, Sample
from ctxinspect.readers.reading import Reading
from ctxinspect.readers.registry import Format
from ctxinspect.readers.wire.items import ItemReader
from ctxinspect.readers.wire.parts import Where
from ctxinspect.readers.wire.responses import WIRE, is_item_list

__all__ = ["FORMAT"]


def _sniff(sample: Sample) -> float:
    document = sample.document
    if isinstance(document, list):
        inside = Sample("jsonl", tuple(document[:60]))
        return 0.85 if is_item_list(document) else 0.85 * inside.share(_known)
    if sample.kind == "jsonl" and is_item_list(list(sample.values)):
        return 0.8
    return 0.85 * sample.share(_known)


def _known(value: dict[str, Any]) -> bool:
    return any(
        WIRE.is_request(body) or WIRE.is_response(body) or WIRE.is_chunk(body) for body, _ in bodies_of(value, Where())
    )


def _read(recording: Recording) -> Reading:
    records = list(records_of(recording, is_item_list))
    items = listed(records)
    if is_item_list([item for item, _ in items]):
        reader = ItemReader()
        for number, (item, where) in enumerate(items):
            reader.add(item, number, where)
        chat = told("items", tuple(reader.messages))
        return Reading((chat,), "openai-responses", "transcript", records_read=len(items))
    found = conversations_of(exchanges(records, WIRE, recording), WIRE)
    if not found:
        raise InputError("no item in it", remedy="expected input or output items, or stream events")
    return Reading(conversations=found, dialect="openai-responses", family="capture")


FORMAT = Format(
    name="openai_responses",
    title="OpenAI Responses",
    sniff=_sniff,
    read=_read,
    dialect="openai-responses",
    family="capture",
)
