"""Frozen dataclasses as plain JSON values: keys are field names, nothing is cut, rounded or left out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any

from ctxinspect.tokens.counter import clean
from ctxinspect.trace.types import Trace

__all__ = ["dump", "jsonable", "trace_json"]

_LATE = ("format",)


@cache
def _names(kind: type[Any]) -> tuple[str, ...]:
    names = [field.name for field in fields(kind)]
    return (*[name for name in names if name in _LATE], *[name for name in names if name not in _LATE])


def jsonable(value: Any) -> Any:
    """The value as dicts, lists and scalars; dataclass fields become keys in declaration order, `format` first."""
    if isinstance(value, (str, int, float, bool)) or value is None:
        return value
    if is_dataclass(value) and not isinstance(value, type):
        return {name: jsonable(getattr(value, name)) for name in _names(type(value))}
    if isinstance(value, dict):
        return {str(key): jsonable(item) for key, item in value.items()}
    if isinstance(value, Sequence):
        return [jsonable(item) for item in value]
    msg = f"{type(value).__name__} is no JSON value"
    raise TypeError(msg)


def dump(value: Any, *, indent: int | None = None) -> str:
    """JSON text, UTF-8 as it is; lone surrogates keep their escape, so that nothing is lost."""
    text = json.dumps(jsonable(value), ensure_ascii=False, indent=indent)
    return text if clean(text) is text else json.dumps(jsonable(value), ensure_ascii=True, indent=indent)


def trace_json(trace: Trace) -> str:
    """One trace as one line of JSON (specification page 6)."""
    return dump(trace)
