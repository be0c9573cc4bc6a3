"""What the events of a Codex rollout say was spoken: copies for the screen, wanted only where the items are missing.

Older rollouts have `user_message` and `agent_message` beside the items; newer ones (`history_mode: paginated`) may keep
a person's words in `item_completed` alone. A role that has items of its own is never filled from events.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ctxinspect.model.session import RecordedMessage, TextBlock, Usage
from ctxinspect.readers.wire.parts import Where

__all__ = ["SpokenEvents"]

_SPOKEN = {"user_message": "user", "agent_message": "assistant"}
_ITEMS = {"UserMessage": "user", "AgentMessage": "assistant"}


class _Event(NamedTuple):
    """A message, and how many messages of items stood before it."""

    position: int
    message: RecordedMessage


class SpokenEvents:
    """Takes events one by one; `filled` puts those into the messages that no item tells of."""

    def __init__(self) -> None:
        self._plain: list[_Event] = []
        self._items: list[_Event] = []

    def add(self, payload: Mapping[str, Any], where: Where, stamp: str | None, position: int) -> None:
        """One event; those that speak no words are passed by. `position`: how many messages stand before it."""
        kind = payload.get("type")
        if kind in _SPOKEN and isinstance(payload.get("message"), str):
            message = _message(_SPOKEN[str(kind)], payload["message"], where.at("message"), stamp)
            self._plain.append(_Event(position, message))
        item = payload.get("item")
        if kind == "item_completed" and isinstance(item, Mapping) and item.get("type") in _ITEMS:
            text = _text(item)
            if text:
                message = _message(_ITEMS[str(item["type"])], text, where.at("item"), stamp)
                self._items.append(_Event(position, message))

    def filled(
        self, messages: Sequence[RecordedMessage], usage: Mapping[int, Usage]
    ) -> tuple[list[RecordedMessage], dict[int, Usage]]:
        """The messages with what is spoken in events alone, and the usage by the new positions."""
        missing = {role for role in ("user", "assistant") if not any(_speaks(message, role) for message in messages)}
        extra: list[_Event] = []
        for role in sorted(missing):
            plain = [event for event in self._plain if event.message.role == role]
            extra += plain or [event for event in self._items if event.message.role == role]
        extra.sort(key=lambda event: (event.position, event.message.line or 0))
        made: list[RecordedMessage] = []
        moved: dict[int, Usage] = {}
        for number, message in enumerate([*messages, None]):
            while extra and (extra[0].position <= number or message is None):
                made.append(extra.pop(0).message)
            if message is not None:
                if number in usage:
                    moved[len(made)] = usage[number]
                made.append(message)
        return made, moved


def _speaks(message: RecordedMessage, role: str) -> bool:
    """Whether an item holds words of this role: a person's own, not what the client put in."""
    if message.role != role or (role == "user" and message.marks):
        return False
    return bool(message.text)


def _message(role: str, text: str, place: Where, stamp: str | None) -> RecordedMessage:
    block = TextBlock(text=text, line=place.line, path=place.path)
    return RecordedMessage(role=role, parts=(block,), timestamp=stamp, line=place.line, path=place.path)


def _text(item: Mapping[str, Any]) -> str:
    content = item.get("content", item.get("text"))
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = [part.get("text") for part in parts if isinstance(part, dict)]
    return "\n".join(text for text in texts if isinstance(text, str))
