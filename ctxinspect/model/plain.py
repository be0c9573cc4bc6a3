"""Session data as plain JSON values: what equals its default is left out, so that a written file reads well.

The discriminating `type` of a content part and the `format` of a session are always kept. The result shares no
mutable value with the model: what the caller changes afterwards changes nothing here.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

__all__ = ["NotJsonError", "plain"]

_ALWAYS = frozenset({"type", "format"})


class NotJsonError(ValueError):
    """A value that JSON cannot hold: `path` leads to it (`.rounds[0].arguments.when`), `reason` says what it is."""

    def __init__(self, path: str, reason: str) -> None:
        self.path = path
        self.reason = reason
        super().__init__(f"{path.removeprefix('.')}: {reason}")


def plain(value: Any, path: str = "") -> Any:
    """`value` as dicts, lists, strings, numbers, bools and None; model fields equal to their default are left out.

    Raises NotJsonError for what JSON cannot hold (an object, bytes, NaN, a key that is no string) and for a value that
    is nested too deeply or contains itself.
    """
    try:
        return _plain(value, path)
    except RecursionError:
        raise NotJsonError(path, "is nested too deeply, or contains itself") from None


def _plain(value: Any, path: str) -> Any:
    if isinstance(value, BaseModel):
        return _plain_model(value, path)
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise NotJsonError(path, f"the key {key!r} is {_kind(key)}; keys in JSON are strings")
        return {str(key): _plain(item, f"{path}.{key}") for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item, f"{path}[{index}]") for index, item in enumerate(value)]
    if isinstance(value, float) and not math.isfinite(value):
        raise NotJsonError(path, f"{value} is no number in JSON")
    if value is None or isinstance(value, (str, int, float)):
        return value
    raise NotJsonError(path, f"{_kind(value)} is no JSON value; pass a string, number, bool, list, dict or None")


def _plain_model(model: BaseModel, path: str) -> dict[str, Any]:
    kept: dict[str, Any] = {}
    for name, field in type(model).model_fields.items():
        value = getattr(model, name)
        default = None if field.is_required() else field.get_default(call_default_factory=True, validated_data={})
        if name in _ALWAYS or field.is_required() or value != default:
            kept[name] = _plain(value, f"{path}.{name}")
    return kept


def _kind(value: object) -> str:
    name = type(value).__name__
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"
