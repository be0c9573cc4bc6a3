"""Gemini Interactions: bodies, logs and stream events; chains by `previous_interaction_id` are joined."""

from __future__ import annotations

from typing import Any

from ctxinspect.errors import InputError
from ctxinspect.readers.captures import bodies_of, conversations_of, exchanges, records_of
from ctxinspect.readers.container import Recording, Sample
from ctxinspect.readers.reading import Reading
from ctxinspect.readers.registry import Format
from ctxinspect.readers.wire.interactions import WIRE
from ctxinspect.readers.wire.parts import Where

__all__ = ["FORMAT"]


def _sniff(sample: Sample) -> float:
    document = sample.document
    if isinstance(document, list):
        return 0.9 * Sample("jsonl", tuple(document[:60])).share(_known)
    return 0.9 * sample.share(_known)


def _known(value: dict[str, Any]) -> bool:
    return any(
        WIRE.is_request(body) or WIRE.is_response(body) or WIRE.is_chunk(body) for body, _ in bodies_of(value, Where())
    )


def _read(recording: Recording) -> Reading:
    found = conversations_of(exchanges(records_of(recording, lambda _: False), WIRE, recording), WIRE)
    if not found:
        raise InputError("no step in it", remedy="expected input, steps or outputs, or stream events")
    return Reading(conversations=found, dialect="gemini", family="capture")


FORMAT = Format(
    name="gemini_interactions",
    title="Gemini Interactions",
    sniff=_sniff,
    read=_read,
    dialect="gemini",
    family="capture",
)
