"""Values that differ between wire dialects: texts of a piece, arguments as an object or as text, finite numbers."""

from __future__ import annotations

import json
import math
from typing import Any

from ctxinspect.dialects.draft import Draft, Notes, note_media
from ctxinspect.dialects.pieces import Piece, Placed, verbatim
from ctxinspect.model.arguments import arguments_fault
from ctxinspect.model.session import CallPart, MediaBlock, OtherPart, TextBlock, ToolSchema, arguments_text

__all__ = [
    "arguments_object",
    "arguments_string",
    "as_it_stood",
    "finite",
    "has_order_loss",
    "object_schema",
    "part_text",
]

RAW_ARGUMENTS = "arguments"
"""Key under which arguments that are no object stand in one."""


def part_text(entry: Placed, piece: Piece, notes: Notes) -> str | None:
    """The text of a text, media or unknown part; None for thinking, calls and results."""
    part = entry.part
    if isinstance(part, TextBlock):
        return part.text
    if isinstance(part, MediaBlock):
        return note_media(part, part, piece.index, notes)
    if isinstance(part, OtherPart):
        if not part.text:
            notes.add(part, piece.index, part.kind, "a block that is known by its kind only: left out")
            return None
        notes.add(part, piece.index, part.kind, "a block that the target does not know: its JSON as text")
        return part.text
    return None


def as_it_stood(entry: Placed, draft: Draft, target: str) -> dict[str, Any] | None:
    """An unknown block of the target's own dialect."""
    return verbatim(entry.part, draft, target) if isinstance(entry.part, OtherPart) else None


def has_order_loss(piece: Piece) -> bool:
    """Whether something that is no call, and not empty, comes after a call."""
    kinds = [isinstance(entry.part, CallPart) for entry in piece.parts if getattr(entry.part, "text", None) != ""]
    return True in kinds and not all(kinds[kinds.index(True) :])


def arguments_object(call: CallPart, index: int, notes: Notes) -> dict[str, Any]:
    """The arguments as an object; what is none stands under one key, and says so. Empty arguments are `{}`."""
    given = call.arguments
    if isinstance(given, dict):
        return given
    if not given.strip():
        return {}
    fault = None if call.freeform else arguments_fault(given)
    if call.freeform or fault is not None:
        why = "they are free text" if call.freeform else f"they {fault}"
        notes.add(call, index, "arguments", f'{why}, and must be an object: written under the key "{RAW_ARGUMENTS}"')
        return {RAW_ARGUMENTS: given}
    twice: list[str] = []

    def paired(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) < len(pairs):
            twice.extend(key for key in made if sum(key == known for known, _ in pairs) > 1)
        return made

    try:
        value = json.loads(given, object_pairs_hook=paired)
    except (ValueError, RecursionError):  # numbers too long to convert
        notes.add(call, index, "arguments", f'they hold a number too long to read: under the key "{RAW_ARGUMENTS}"')
        return {RAW_ARGUMENTS: given}
    if twice:
        notes.add(call, index, "arguments", "a key stands twice in one object: the last value is kept", twice[0])
    assert isinstance(value, dict)
    return value


def arguments_string(call: CallPart) -> str:
    """The arguments as text: as received, or the object as JSON."""
    return arguments_text(call.arguments)


def object_schema(tool: ToolSchema) -> dict[str, Any]:
    """The parameters of a tool as the schema of an object, also where there are none."""
    return tool.parameters or {"type": "object", "properties": {}}


def finite(value: Any, notes: Notes, path: str = "$") -> Any:
    """The value with numbers that JSON cannot hold as their names, each noted."""
    if isinstance(value, dict):
        return {key: finite(item, notes, f"{path}.{key}") for key, item in value.items()}
    if isinstance(value, list):
        return [finite(item, notes, f"{path}[{number}]") for number, item in enumerate(value)]
    if isinstance(value, float) and not math.isfinite(value):
        notes.general("number", f"{value} at {path} is no JSON number: written as text")
        return str(value)
    return value
