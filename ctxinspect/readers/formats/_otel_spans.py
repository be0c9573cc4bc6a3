"""Spans of OTLP JSON and of trace exports, flat and in order of time, whatever wrapped them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ctxinspect.readers.wire.parts import Where

__all__ = ["Span", "are_named_traces", "in_order", "is_span", "spans_of"]

_KINDS = ("stringValue", "intValue", "doubleValue", "boolValue", "bytesValue")


@dataclass(slots=True)
class Span:
    """One span: ids, start, attributes flattened to dotted keys, events as (name, attributes)."""

    id: str
    parent: str | None
    start: tuple[int, str]
    name: str
    where: Where
    attributes: dict[str, Any] = field(default_factory=dict)
    events: list[tuple[str, dict[str, Any]]] = field(default_factory=list)


def is_span(value: Any) -> bool:
    """Whether a value is a span by itself (not OTLP's wrapping)."""
    if not isinstance(value, dict) or "attributes" not in value:
        return False
    context = value.get("context")
    return "spanId" in value or "span_id" in value or (isinstance(context, dict) and "span_id" in context)


def are_named_traces(value: dict[str, Any]) -> bool:
    """Whether an object holds several traces by name: lists of spans, and perhaps more."""
    lists = [inner for inner in value.values() if isinstance(inner, list)]
    return bool(lists) and all(inner and all(map(is_span, inner[:60])) for inner in lists)


def spans_of(value: Any, where: Where) -> Iterator[Span]:
    """The spans in a record: one export request, a span, or a list of spans."""
    if isinstance(value, list):
        for number, item in enumerate(value):
            yield from spans_of(item, where.at(number))
    elif is_span(value):
        yield _span(value, where)
    elif isinstance(value, dict):
        for outer, inner in (("resourceSpans", "scopeSpans"), ("resource_spans", "scope_spans")):
            for place, resource in _items(value.get(outer), where.at(outer)):
                for scope_at, scope in _items(resource.get(inner), place.at(inner)):
                    for span_at, span in _items(scope.get("spans"), scope_at.at("spans")):
                        yield _span(span, span_at)
        for key in value if are_named_traces(value) else ("data", "spans"):
            if isinstance(value.get(key), list):
                yield from spans_of(value[key], where.at(key))


def in_order(spans: list[Span]) -> list[Span]:
    """Spans by start, those that start together in file order."""
    return sorted(spans, key=lambda span: span.start)


def _items(value: Any, where: Where) -> list[tuple[Where, dict[str, Any]]]:
    listed = value if isinstance(value, list) else []
    return [(where.at(number), item) for number, item in enumerate(listed) if isinstance(item, dict)]


def _span(value: dict[str, Any], where: Where) -> Span:
    context = value.get("context")
    ids = {**(context if isinstance(context, dict) else {}), **value}
    parent = next((ids[key] for key in ("parentSpanId", "parent_span_id", "parent_id") if ids.get(key)), None)
    start = next(
        (ids[key] for key in ("startTimeUnixNano", "start_time_unix_nano", "start_time", "startTime") if key in ids), ""
    )
    digits = str(start)
    return Span(
        id=str(ids.get("spanId", ids.get("span_id", ""))),
        parent=str(parent) if parent else None,
        start=(int(digits), "") if digits.isdecimal() and len(digits) < 30 else (0, digits),
        name=str(value.get("name", "")),
        where=where,
        attributes=_kinded(_attributes(value.get("attributes")), ids.get("span_kind")),
        events=[
            (str(event.get("name", "")), _attributes(event.get("attributes")) | _body(event))
            for _, event in _items(value.get("events"), where)
        ],
    )


def _kinded(attributes: dict[str, Any], kind: Any) -> dict[str, Any]:
    """The attributes with OpenInference's kind, which exports may keep beside them."""
    if isinstance(kind, str) and kind in ("LLM", "CHAIN", "AGENT", "TOOL", "RETRIEVER", "EMBEDDING"):
        attributes.setdefault("openinference.span.kind", kind)
    return attributes


def _body(event: dict[str, Any]) -> dict[str, Any]:
    body = event.get("body", event.get("event.body"))
    plain = _plain(body) if isinstance(body, dict) else None
    return plain if isinstance(plain, dict) else {}


def _attributes(value: Any) -> dict[str, Any]:
    """Attributes as dotted keys; OTLP's list of key and AnyValue, or an object that may be nested."""
    if isinstance(value, list):
        found = ((item.get("key"), _plain(item.get("value"))) for item in value if isinstance(item, dict))
        return {key: plain for key, plain in found if isinstance(key, str)}
    flat: dict[str, Any] = {}
    if isinstance(value, dict):
        _flatten(value, "", flat)
    return flat


def _flatten(value: Any, prefix: str, flat: dict[str, Any]) -> None:
    """Dotted keys of nested objects; `llm.input_messages` and the like may be lists of objects."""
    flat[prefix] = value
    if isinstance(value, dict):
        for key, inner in value.items():
            _flatten(inner, f"{prefix}.{key}" if prefix else str(key), flat)
    elif isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        for number, inner in enumerate(value):
            _flatten(inner, f"{prefix}.{number}", flat)
    if not prefix:
        flat.pop("", None)


def _plain(value: Any) -> Any:
    """An AnyValue as the value it holds."""
    if not isinstance(value, dict):
        return value
    for kind in _KINDS:
        if kind in value:
            held = value[kind]
            return int(held) if kind == "intValue" and isinstance(held, str) and held.lstrip("-").isdecimal() else held
    if isinstance(value.get("arrayValue"), dict):
        return [_plain(item) for item in value["arrayValue"].get("values") or []]
    if isinstance(value.get("kvlistValue"), dict):
        pairs = value["kvlistValue"].get("values") or []
        return {item.get("key"): _plain(item.get("value")) for item in pairs if isinstance(item, dict)}
    return value
