"""Streamed chunks of Chat Completions put together: one whole response body per streamed response.

A fragment belongs to the call of its `index`, never to the last one; a new id under a used index is a new call.
"""

from __future__ import annotations

from typing import Any

from ctxinspect.readers.wire.dialect import Body

__all__ = ["assemble", "is_chunk"]

_TEXTS = ("content", "reasoning_content", "reasoning", "refusal")


def is_chunk(body: Body) -> bool:
    """Whether this is one chunk of a streamed chat completion."""
    if body.get("object") == "chat.completion.chunk":
        return True
    choices = body.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    return isinstance(first, dict) and isinstance(first.get("delta"), dict)


def assemble(chunks: list[Body]) -> list[Body]:
    """Whole responses from chunks, in order of their start; chunks without id go on with the response before."""
    streams: dict[str, _Stream] = {}
    last = ""
    for chunk in chunks:
        last = chunk["id"] if isinstance(chunk.get("id"), str) and chunk["id"] else last
        streams.setdefault(last, _Stream()).add(chunk)
    return [stream.body(name) for name, stream in streams.items()]


class _Stream:
    """One response in the making."""

    def __init__(self) -> None:
        self.message: dict[str, Any] = {"role": "assistant", "content": None}
        self.calls: list[dict[str, Any]] = []
        self.at: dict[Any, dict[str, Any]] = {}
        self.head: dict[str, Any] = {}
        self.finish: Any = None
        self.others: dict[int, None] = {}

    def add(self, chunk: Body) -> None:
        """Takes one chunk; of several choices only the first is followed, and the others are known to be there."""
        for key in ("model", "created", "usage"):
            if chunk.get(key) is not None:
                self.head[key] = chunk[key]
        choices = chunk.get("choices")
        for choice in choices if isinstance(choices, list) else []:
            if not isinstance(choice, dict):
                continue
            if choice.get("index", 0) != 0:
                self.others[choice["index"] if isinstance(choice["index"], int) else 1] = None
                continue
            self.finish = choice.get("finish_reason") or self.finish
            delta = choice.get("delta")
            if isinstance(delta, dict):
                self._delta(delta)

    def _delta(self, delta: dict[str, Any]) -> None:
        for key in _TEXTS:
            if isinstance(delta.get(key), str):
                self.message[key] = (self.message.get(key) or "") + delta[key]
        fragments = delta.get("tool_calls")
        for fragment in fragments if isinstance(fragments, list) else []:
            if isinstance(fragment, dict):
                self._fragment(fragment)
        legacy = delta.get("function_call")
        if isinstance(legacy, dict):
            known = self.message.setdefault("function_call", {"name": "", "arguments": ""})
            for key in known:
                known[key] += legacy[key] if isinstance(legacy.get(key), str) else ""

    def _fragment(self, fragment: dict[str, Any]) -> None:
        index = fragment.get("index", 0)
        call = self.at.get(index)
        given = fragment.get("id")
        if call is None or (given and call["id"] and given != call["id"]):
            call = {"id": None, "type": "function", "function": {"name": "", "arguments": ""}}
            self.at[index] = call
            self.calls.append(call)
        call["id"] = call["id"] or given
        function = fragment.get("function")
        if isinstance(function, dict):
            name, arguments = function.get("name"), function.get("arguments")
            inner = call["function"]
            if isinstance(name, str) and name != inner["name"]:
                inner["name"] += name
            if isinstance(arguments, str):
                inner["arguments"] += arguments
            elif isinstance(arguments, dict):
                inner["arguments"] = arguments

    def body(self, name: str) -> dict[str, Any]:
        """The response as if it had not been streamed."""
        message = dict(self.message)
        if self.calls:
            message["tool_calls"] = self.calls
        choice = {"index": 0, "message": message, "finish_reason": self.finish}
        choices = [choice, *({"index": index} for index in self.others)]
        return {"object": "chat.completion", "id": name or None, "choices": choices, **self.head}
