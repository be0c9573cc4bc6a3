"""Gemini API bodies, logs of them, streamed responses, and bare lists of contents."""

from __future__ import annotations

from typing import Any

from ctxinspect.errors import InputError
from ctxinspect.readers.captures import Exchange, bodies_of, conversations_of, exchanges, listed, records_of, told
from ctxinspect.readers.container import Record, Recording, Sample
from ctxinspect.readers.reading import Reading
from ctxinspect.readers.registry import Format
from ctxinspect.readers.wire.dialect import Body
from ctxinspect.readers.wire.gemini import WIRE, is_contents, joined
from ctxinspect.readers.wire.parts import Where

__all__ = ["FORMAT"]


def _sniff(sample: Sample) -> float:
    document = sample.document
    if isinstance(document, list):
        inside = Sample("jsonl", tuple(document[:60]))
        return 0.85 if is_contents(document) else 0.85 * inside.share(_known)
    if len(sample.values) > 1 and is_contents(list(sample.values)):
        return 0.7
    return 0.85 * sample.share(_known)


def _known(value: dict[str, Any]) -> bool:
    if _replayed(value):
        return True
    return any(WIRE.is_request(body) or WIRE.is_response(body) for body, _ in bodies_of(value, Where()))


def _replayed(value: Any) -> list[Body]:
    """The responses that a test of the command line replays: `{method, response: [chunks]}`."""
    chunks = value.get("response") if isinstance(value, dict) and isinstance(value.get("method"), str) else None
    return [chunk for chunk in chunks if isinstance(chunk, dict)] if isinstance(chunks, list) else []


def _read(recording: Recording) -> Reading:
    records = list(records_of(recording, is_contents))
    items = listed(records)
    if is_contents([item for item, _ in items]):
        messages = tuple(WIRE.messages({"contents": [item for item, _ in items]}, Where()))
        placed = (m.model_copy(update=where._asdict()) for m, (_, where) in zip(messages, items, strict=True))
        return Reading((told("chat", tuple(placed)),), "gemini", "transcript", records_read=len(items))
    found = conversations_of(_exchanges(records, recording), WIRE)
    if not found:
        raise InputError("no content in it", remedy="expected contents or candidates")
    return Reading(conversations=found, dialect="gemini", family="capture")


def _exchanges(records: list[Record], recording: Recording) -> list[Exchange]:
    """The calls; where the file holds responses only, the chunks of a stream are put together first."""
    bodies: list[Body] = [record.value for record in records if isinstance(record.value, dict)]
    if len(bodies) > 1 and all(map(WIRE.is_response, bodies)) and not any(map(WIRE.is_request, bodies)):
        where = Where(records[0].line, records[0].path)
        return [Exchange(None, body, where, where) for body in recording.joined(joined(bodies))]
    if any(_replayed(record.value) for record in records):
        return [exchange for record in records for exchange in _replay(record, recording)]
    return list(exchanges(records, WIRE, recording))


def _replay(record: Record, recording: Recording) -> list[Exchange]:
    where = Where(record.line, record.path).at("response")
    chunks = _replayed(record.value)
    if not chunks:
        return list(exchanges([record], WIRE, recording))
    return [Exchange(None, body, where, where) for body in recording.joined(joined(chunks))]


FORMAT = Format(name="gemini_api", title="Gemini API", sniff=_sniff, read=_read, dialect="gemini", family="capture")
