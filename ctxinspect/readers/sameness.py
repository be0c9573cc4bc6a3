"""When two recorded messages are the same one: role, name and content, wherever they stand and whatever marks they bear."""

from __future__ import annotations

import json

from ctxinspect.model.content import MediaPart, TextPart, ThinkingPart
from ctxinspect.model.session import CallPart, OtherPart, RecordedMessage, RecordedPart, ResultPart

__all__ = ["common_beginning", "message_key"]


def common_beginning(left: tuple[object, ...], right: tuple[object, ...]) -> int:
    """How many of the first entries are the same."""
    shared = 0
    for one, other in zip(left, right, strict=False):
        if one != other:
            break
        shared += 1
    return shared


def message_key(message: RecordedMessage) -> tuple[object, ...]:
    """What makes two messages the same one, wherever they stand in the file."""
    return (message.role, message.name, *map(_part_key, message.parts))


def _part_key(part: RecordedPart) -> tuple[object, ...]:
    if isinstance(part, TextPart):
        return ("text", part.text)
    if isinstance(part, MediaPart):
        return (part.type, part.media_type, part.sha256)
    if isinstance(part, ThinkingPart):
        return ("thinking", part.text)
    if isinstance(part, CallPart):
        return ("call", part.id, part.name, json.dumps(part.arguments, sort_keys=True))
    if isinstance(part, ResultPart):
        content = part.content if isinstance(part.content, str) else repr(part.content)
        return ("result", part.call_id, content)
    assert isinstance(part, OtherPart)
    return ("other", part.kind, part.text)
