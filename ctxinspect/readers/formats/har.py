"""HTTP archives: the calls to model providers in them, by content; headers are never read.

Bodies may be base64, streamed text, or left out by the browser; entries that are no model calls are counted.
"""

from __future__ import annotations

import base64
import binascii
import json
from typing import Any

from ctxinspect.errors import InputError
from ctxinspect.readers.captures import Exchange, conversations_of, exchanges
from ctxinspect.readers.container import Record, Recording, Sample
from ctxinspect.readers.reading import Reading
from ctxinspect.readers.registry import Format
from ctxinspect.readers.wire import anthropic, gemini, openai_chat, responses
from ctxinspect.readers.wire.dialect import Wire
from ctxinspect.readers.wire.parts import Where

__all__ = ["FORMAT"]

WIRES: tuple[Wire, ...] = (gemini.WIRE, anthropic.WIRE, responses.WIRE, openai_chat.WIRE)
"""Most specific first: what several dialects would take goes to the first."""


def _sniff(sample: Sample) -> float:
    document = sample.document
    log = document.get("log") if isinstance(document, dict) else None
    return 0.95 if isinstance(log, dict) and isinstance(log.get("entries"), list) else 0.0


def _read(recording: Recording) -> Reading:
    found: list[Exchange] = []
    total = 0
    for record in recording.records():
        for number, entry in enumerate(record.value["log"]["entries"]):
            total += 1
            exchange = _exchange(entry, Where(record.line, f"$.log.entries[{number}]"), recording)
            if exchange is not None:
                found.append(exchange)
    if not found:
        message = f"{total} entries, and none with the body of a model call"
        raise InputError(message, remedy="save the archive with content, of the provider's host")
    main = max(WIRES, key=lambda wire: sum(exchange.wire is wire for exchange in found))
    return Reading(
        conversations=conversations_of(found, main),
        dialect=main.dialect,
        family="capture",
        unknown_kinds={"entry of no model call": total - len(found)} if total > len(found) else {},
        records_read=total,
    )


def _exchange(entry: Any, where: Where, recording: Recording) -> Exchange | None:
    if not isinstance(entry, dict):
        return None
    posted = (entry.get("request") or {}).get("postData") or {}
    content = (entry.get("response") or {}).get("content") or {}
    text = posted.get("text") if isinstance(posted, dict) else None
    request = _parsed(text)
    if not isinstance(request, dict):
        return None
    record = Record({"request": request, "response": _answer(content, recording)}, where.line, where.path)
    for wire in WIRES:
        if wire.is_request(request):
            made = next(iter(exchanges([record], wire, recording)), None)
            return Exchange(**{**_fields(made), "wire": wire}) if made is not None else None
    return None


def _fields(exchange: Exchange) -> dict[str, Any]:
    return {name: getattr(exchange, name) for name in Exchange.__slots__}


def _answer(content: Any, recording: Recording) -> Any:
    text = content.get("text") if isinstance(content, dict) else None
    if not isinstance(text, str):
        return None
    if content.get("encoding") == "base64":
        try:
            text = recording.cleared(base64.b64decode(text).decode("utf-8", errors="replace"))
        except (binascii.Error, ValueError):
            return None
    parsed = _parsed(text)
    return parsed if parsed is not None else text


def _parsed(text: Any) -> Any:
    try:
        return json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        return None


FORMAT = Format(name="har", title="an HTTP archive", sniff=_sniff, read=_read, family="capture")
