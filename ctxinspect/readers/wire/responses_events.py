"""Streamed events of the Responses API put together: whole responses, and what had come of those that were cut short.

An item is known by its place in the output: some servers give it another id with every event.
"""

from __future__ import annotations

from typing import Any

from ctxinspect.readers.wire.dialect import Body

__all__ = ["assemble", "is_chunk"]

_ENDS = ("response.completed", "response.incomplete", "response.failed")
_FIELDS = {
    "response.function_call_arguments.delta": "arguments",
    "response.mcp_call_arguments.delta": "arguments",
    "response.custom_tool_call_input.delta": "input",
    "response.code_interpreter_call_code.delta": "code",
}
_BLOCKS = {
    "response.output_text.delta": ("content", "content_index", "output_text", "text"),
    "response.refusal.delta": ("content", "content_index", "refusal", "refusal"),
    "response.reasoning_text.delta": ("content", "content_index", "reasoning_text", "text"),
    "response.reasoning_summary_text.delta": ("summary", "summary_index", "summary_text", "text"),
}
"""Event → where its text goes: the item's list, the index in it, the type of the block, the block's key."""


def is_chunk(body: Body) -> bool:
    """Whether this is one event of a streamed response."""
    kind = body.get("type")
    return isinstance(kind, str) and kind.startswith("response.")


def assemble(events: list[Body]) -> list[Body]:
    """Whole responses, in order of their start."""
    done: list[Body] = []
    pending: _Stream | None = None
    for event in events:
        kind, inner = event.get("type"), event.get("response")
        if kind == "response.created" and isinstance(inner, dict):
            if pending is not None:
                done.append(pending.body())
            pending = _Stream(inner)
        elif kind in _ENDS and isinstance(inner, dict):
            so_far = pending.body() if pending is not None else {}
            done.append({**so_far, **inner, "output": inner.get("output") or so_far.get("output", [])})
            pending = None
        elif isinstance(kind, str):
            stream = pending if pending is not None else _Stream({"object": "response"})
            pending = stream if stream.add(kind, event) else pending
    return [*done, pending.body()] if pending is not None else done


class _Stream:
    """One response in the making."""

    def __init__(self, head: dict[str, Any]) -> None:
        self.head = head
        self.items: dict[Any, dict[str, Any]] = {}

    def add(self, kind: str, event: Body) -> bool:
        """Takes one event; False where it tells nothing of an item."""
        place, item = event.get("output_index"), event.get("item")
        place = place if isinstance(place, int) else None
        if kind in ("response.output_item.added", "response.output_item.done"):
            if not isinstance(item, dict):
                return False
            self.items[len(self.items) if place is None else place] = dict(item)
            return True
        known, delta = self.items.get(place), event.get("delta")
        if known is None or not isinstance(delta, str):
            return False
        if kind in _FIELDS:
            key = _FIELDS[kind]
            known[key] = f"{known.get(key) or ''}{delta}"
        elif kind in _BLOCKS:
            _extend(known, kind, event, delta)
        return True

    def body(self) -> dict[str, Any]:
        """The response as far as it came."""
        return {**self.head, "output": list(self.items.values())}


def _extend(item: dict[str, Any], kind: str, event: Body, delta: str) -> None:
    key, numbered, block, field = _BLOCKS[kind]
    listed = item[key] = list(item[key]) if isinstance(item.get(key), list) else []
    number = event.get(numbered)
    if not isinstance(number, int) or number >= len(listed):
        listed.append({"type": block, field: ""})
    last = listed[min(number, len(listed) - 1)] if isinstance(number, int) else listed[-1]
    if isinstance(last, dict):
        last[field] = f"{last.get(field) or ''}{delta}"
