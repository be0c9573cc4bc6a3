"""Streamed events of Anthropic Messages put together: one whole response per `message_start`.

Input fragments that never close stay as the raw text received; usage is that of the last event which has one.
"""

from __future__ import annotations

import json
from typing import Any

from ctxinspect.readers.wire.dialect import Body

__all__ = ["assemble", "is_chunk"]

_KINDS = frozenset(
    {
        "message_start",
        "content_block_start",
        "content_block_delta",
        "content_block_stop",
        "message_delta",
        "message_stop",
        "ping",
    }
)
_TEXTS = {"text_delta": "text", "thinking_delta": "thinking", "signature_delta": "signature"}


def is_chunk(body: Body) -> bool:
    """Whether this is one event of a streamed message."""
    kind = body.get("type")
    return isinstance(kind, str) and kind in _KINDS


def assemble(events: list[Body]) -> list[Body]:
    """Whole responses, in order of their start."""
    done: list[_Stream] = []
    for event in events:
        if event.get("type") == "message_start" and isinstance(event.get("message"), dict):
            done.append(_Stream(event["message"]))
        elif done:
            done[-1].add(event)
    return [stream.body() for stream in done]


class _Stream:
    """One response in the making."""

    def __init__(self, message: dict[str, Any]) -> None:
        self.message: dict[str, Any] = {**message, "content": []}
        self.blocks: dict[Any, dict[str, Any]] = {}
        self.inputs: dict[Any, list[str]] = {}

    def add(self, event: Body) -> None:
        """Takes one event; those that change nothing are passed by."""
        kind, index = event.get("type"), event.get("index")
        if kind == "content_block_start" and isinstance(event.get("content_block"), dict):
            self.blocks[index] = dict(event["content_block"])
            self.message["content"].append(self.blocks[index])
        elif kind == "content_block_delta" and index in self.blocks and isinstance(event.get("delta"), dict):
            self._delta(index, event["delta"])
        elif kind == "message_delta":
            self._last(event)

    def _delta(self, index: Any, delta: dict[str, Any]) -> None:
        block, kind = self.blocks[index], delta.get("type")
        if isinstance(kind, str) and kind in _TEXTS:
            key = _TEXTS[kind]
            fragment = delta.get(key)
            block[key] = (block.get(key) or "") + (fragment if isinstance(fragment, str) else "")
        elif kind == "input_json_delta" and isinstance(delta.get("partial_json"), str):
            self.inputs.setdefault(index, []).append(delta["partial_json"])
        elif kind == "compaction_delta" and isinstance(delta.get("content"), str):
            block["content"] = (block.get("content") or "") + delta["content"]

    def _last(self, event: Body) -> None:
        """Usage counts up: a figure that is left out, null or nought at the end stays what it was."""
        usage = event.get("usage")
        known = self.message.get("usage")
        if isinstance(usage, dict):
            given = {key: value for key, value in usage.items() if value}
            self.message["usage"] = {**usage, **(known if isinstance(known, dict) else {}), **given}
        if isinstance(event.get("context_management"), dict):
            self.message["context_management"] = event["context_management"]

    def body(self) -> Body:
        """The response as if it had not been streamed."""
        for index, fragments in self.inputs.items():
            text = "".join(fragments)
            try:
                self.blocks[index]["input"] = json.loads(text) if text.strip() else self.blocks[index].get("input", {})
            except (ValueError, RecursionError):
                self.blocks[index]["input"] = text
        return self.message
