"""OpenAI items (Responses API, Codex) as messages: what one response put out is one assistant message.

Every call is an item of its own there; calls are paired by `call_id`, never by the item's id. Tools that the provider
runs itself have call and result in one item.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ctxinspect.model.content import Content, MediaPart
from ctxinspect.model.session import (
    CallPart,
    OtherPart,
    RecordedMessage,
    RecordedPart,
    ResultPart,
    ThinkingBlock,
)
from ctxinspect.readers.media import media_facts
from ctxinspect.readers.wire.openai_chat import ROLES
from ctxinspect.readers.wire.parts import (
    Shape,
    Where,
    arguments_of,
    as_text,
    content_parts,
    identifier,
    result_content,
    text_or_none,
)

__all__ = ["ITEM_KINDS", "ItemReader", "is_item"]

_CALLS = {
    "function_call": "arguments",
    "custom_tool_call": "input",
    "local_shell_call": "action",
    "shell_call": "action",
    "apply_patch_call": "operation",
    "computer_call": "action",
    "tool_search_call": "arguments",
    "mcp_approval_request": "arguments",
}
_SERVER_CALLS = {
    "web_search_call": ("action", "results"),
    "file_search_call": ("queries", "results"),
    "code_interpreter_call": ("code", "outputs"),
    "image_generation_call": ("revised_prompt", "result"),
    "mcp_call": ("arguments", "output"),
}
ITEM_KINDS = frozenset(
    {*_CALLS, *_SERVER_CALLS, "reasoning", "mcp_list_tools", "compaction", "item_reference", "ghost_snapshot"}
)


def is_item(value: Any) -> bool:
    """Whether a value is an item: a call, an output, reasoning, or a message."""
    if not isinstance(value, dict):
        return False
    kind = value.get("type")
    if kind in (None, "message"):
        role = value.get("role")
        return isinstance(role, str) and role in ROLES and "tool_calls" not in value
    return isinstance(kind, str) and (kind in ITEM_KINDS or kind.endswith("_call_output"))


class ItemReader:
    """Takes items one by one; `messages` are those made so far."""

    def __init__(self) -> None:
        self.messages: list[RecordedMessage] = []
        self._open: list[RecordedPart] | None = None
        self._spoken = False

    def close(self) -> None:
        """The next item starts a message of its own."""
        self._open = None

    def add(
        self, item: Any, index: int, where: Where, *, timestamp: str | None = None, marks: tuple[str, ...] = ()
    ) -> None:
        """Reads one item. `index` is its place in the file's own list."""
        kind = item.get("type") or "message" if isinstance(item, Mapping) else "item"
        if kind == "message" and item.get("role") != "assistant":
            shape, parts = content_parts(item.get("content"), where.at("content"))
            role = as_text(item.get("role") or "unknown")
            self._put(role, parts, index, where, shape=shape, timestamp=timestamp, marks=marks)
        elif isinstance(kind, str) and (kind.endswith("_output") or kind == "tool_search_output"):
            parts = [_output(item, where)]
            self._put("tool", parts, index, where, shape="string", timestamp=timestamp, marks=marks)
        else:
            self._speak(item, str(kind), index, where, timestamp, marks)

    def _put(
        self,
        role: str,
        parts: list[RecordedPart],
        index: int,
        where: Where,
        *,
        shape: Shape,
        timestamp: str | None,
        marks: tuple[str, ...],
        name: str | None = None,
    ) -> None:
        self._open = None
        self.messages.append(
            RecordedMessage(
                role=role,
                index=index,
                shape=shape,
                parts=tuple(parts),
                id=name,
                timestamp=timestamp,
                marks=marks,
                line=where.line,
                path=where.path,
            )
        )

    def _speak(
        self, item: Any, kind: str, index: int, where: Where, timestamp: str | None, marks: tuple[str, ...]
    ) -> None:
        """An item that the model put out: it joins the assistant message being made, unless that has spoken already."""
        shape: Shape = "parts"
        if kind == "message":
            shape, parts = content_parts(item.get("content"), where.at("content"))
        else:
            parts = _spoken_parts(item, kind, where)
        says = kind == "message"
        if self._open is not None and not (says and self._spoken):
            self._open += parts
            self._spoken = self._spoken or says
            self.messages[-1] = self.messages[-1].model_copy(update={"parts": tuple(self._open), "shape": "parts"})
            return
        name = text_or_none(item.get("id")) if says else None
        self._put("assistant", parts, index, where, shape=shape, timestamp=timestamp, marks=marks, name=name)
        self._open, self._spoken = parts, says


def _spoken_parts(item: Any, kind: str, where: Where) -> list[RecordedPart]:
    if not isinstance(item, Mapping):
        fault = "an item is no object"
        return [OtherPart(kind=kind, text=as_text(item), fault=fault, line=where.line, path=where.path)]
    if kind == "reasoning":
        return [_reasoning(item, where)]
    if kind in _CALLS:
        return [_call(item, kind, where)]
    if kind in _SERVER_CALLS:
        return _server_call(item, kind, where)
    text = "" if kind in ("compaction", "item_reference") else as_text(dict(item))
    return [OtherPart(kind=kind, text=text, line=where.line, path=where.path)]


def _reasoning(item: Mapping[str, Any], where: Where) -> ThinkingBlock:
    texts: list[str] = []
    for key in ("summary", "content"):
        listed = item.get(key)
        for part in listed if isinstance(listed, list) else []:
            text = part.get("text") if isinstance(part, dict) else None
            if isinstance(text, str):
                texts.append(text)
    return ThinkingBlock(
        text="\n".join(texts),
        signature=text_or_none(item.get("encrypted_content")),
        redacted=not texts,
        item_id=identifier(item.get("id")),
        line=where.line,
        path=where.path,
    )


def _call(item: Mapping[str, Any], kind: str, where: Where) -> CallPart:
    return CallPart(
        id=identifier(item.get("call_id", item.get("id"))),
        name=as_text(item.get("name") or kind.removesuffix("_call")),
        arguments=arguments_of(item.get(_CALLS[kind])),
        freeform=kind == "custom_tool_call",
        item_id=identifier(item.get("id")),
        line=where.line,
        path=where.path,
    )


def _output(item: Mapping[str, Any], where: Where) -> ResultPart:
    output = item.get("output")
    if isinstance(output, dict) and isinstance(output.get("content"), str) and "success" in output:
        output = output["content"]
    if isinstance(output, dict) and output.get("type") == "computer_screenshot":
        output = [output | {"type": "input_image"}]
    return ResultPart(
        call_id=identifier(item.get("call_id")),
        name=text_or_none(item.get("name")),
        content=result_content(output, where.at("output")),
        is_error=item.get("status") == "failed",
        line=where.line,
        path=where.path,
    )


def _server_call(item: Mapping[str, Any], kind: str, where: Where) -> list[RecordedPart]:
    asked, answered = _SERVER_CALLS[kind]
    name = as_text(item.get("name") or kind.removesuffix("_call"))
    call_id = identifier(item.get("id"))
    result = item.get(answered)
    content: Content | None
    if kind == "image_generation_call" and isinstance(result, str):
        media_type, size, digest = media_facts(result, f"image/{as_text(item.get('output_format') or 'png')}")
        content = (MediaPart(type="image", media_type=media_type, bytes=size, sha256=digest),)
    else:
        content = result_content(result, where.at(answered)) if result is not None else ""
    question = item.get(asked)
    arguments = arguments_of(question if isinstance(question, (dict, str)) else {asked: question} if question else "")
    return [
        CallPart(id=call_id, name=name, arguments=arguments, server=True, line=where.line, path=where.path),
        ResultPart(
            call_id=call_id,
            name=name,
            content=content,
            is_error=item.get("status") == "failed" or bool(item.get("error")),
            server=True,
            line=where.line,
            path=where.path,
        ),
    ]
