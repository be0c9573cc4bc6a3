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
    }
)
_TEXTS = {"text_delta": "text", "thinking_delta": "thinking", "signature_delta": "signature"}


def is_chunk(body: Body) -> bool:
    """Whether this is one event of a streamed message."""
    kind = body.get("type")
    return isinstance(kind, str) and kind in _KINDS


def assemble(events: list[Body]) -> list[Body]:
    """Whole responses, in order of their start."""
    done: list[Body] = []
    message: dict[str, Any] | None = None
    inputs: dict[Any, str] = {}
    blocks: dict[Any, dict[str, Any]] = {}
    for event in events:
        kind = event.get("type")
        if kind == "message_start" and isinstance(event.get("message"), dict):
            message = {**event["message"], "content": []}
            inputs, blocks = {}, {}
            done.append(message)
        if message is None:
            continue
        index = event.get("index")
        if kind == "content_block_start" and isinstance(event.get("content_block"), dict):
            blocks[index] = dict(event["content_block"])
            message["content"].append(blocks[index])
        elif kind == "content_block_delta" and index in blocks and isinstance(event.get("delta"), dict):
            _delta(blocks[index], event["delta"], inputs, index)
        elif kind == "message_delta":
            message["usage"] = {**(message.get("usage") or {}), **(event.get("usage") or {})}
    return done


def _delta(block: dict[str, Any], delta: dict[str, Any], inputs: dict[Any, str], index: Any) -> None:
    kind = delta.get("type")
    if isinstance(kind, str) and kind in _TEXTS:
        key = _TEXTS[kind]
        fragment = delta.get(key)
        block[key] = (block.get(key) or "") + (fragment if isinstance(fragment, str) else "")
    elif kind == "input_json_delta":
        fragment = delta.get("partial_json")
        inputs[index] = inputs.get(index, "") + (fragment if isinstance(fragment, str) else "")
        try:
            block["input"] = json.loads(inputs[index]) if inputs[index].strip() else block.get("input", {})
        except (ValueError, RecursionError):
            block["input"] = inputs[index]
    elif kind == "compaction_delta" and isinstance(delta.get("content"), str):
        block["content"] = (block.get("content") or "") + delta["content"]
