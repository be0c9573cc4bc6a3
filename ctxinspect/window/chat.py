"""Chat messages of others, read by duck typing: dicts as APIs take them, or LangChain message objects.

LangChain is never imported; a message is whatever has a role or type and content. Reading changes nothing.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from ctxinspect.model.session import ToolCall
from ctxinspect.tokens.cost import Count, message_cost

__all__ = ["call_ids", "chat_cost", "chat_role", "content_tokens", "result_id", "system_message", "turn_places"]

_ROLES = {
    "human": "user",
    "humanmessagechunk": "user",
    "ai": "assistant",
    "aimessagechunk": "assistant",
    "model": "assistant",
    "developer": "system",
    "systemmessagechunk": "system",
    "function": "tool",
    "toolmessagechunk": "tool",
    "functionmessagechunk": "tool",
}
_MEDIA = ("image", "file", "audio", "video", "media", "document")
_UNCOUNTED = ("thinking", "redacted_thinking", "reasoning", "reasoning_content")
_CALLS = ("tool_use", "tool_call", "function_call", "server_tool_use")


def chat_role(message: Any) -> str:
    """`system`, `user`, `assistant`, `tool`, or the word the message itself uses.

    A user message that holds nothing but tool results (Anthropic) is a tool message.
    """
    word = str(_get(message, "role") or _get(message, "type") or "").lower()
    role = _ROLES.get(word, word)
    blocks = _get(message, "content")
    if role == "user" and isinstance(blocks, list) and blocks and all(_kind(b) == "tool_result" for b in blocks):
        return "tool"
    return role


def call_ids(message: Any) -> tuple[str, ...]:
    """Ids of the tool calls a message makes."""
    return tuple(call.id for call in _calls(message) if call.id)


def result_id(message: Any) -> str | None:
    """The id of the call that a tool message answers, where it has one."""
    found = _get(message, "tool_call_id")
    if not found and isinstance(blocks := _get(message, "content"), list):
        found = next((block.get("tool_use_id") for block in blocks if _kind(block) == "tool_result"), None)
    return found if isinstance(found, str) and found else None


def chat_cost(message: Any, count: Count, *, overhead: int, image_tokens: int) -> int:
    """Tokens of one message: its text, its media, and its tool calls with their arguments (page 1)."""
    texts, media = _texts(_get(message, "content"))
    cost = message_cost("\n".join(texts), _calls(message), count, overhead=overhead, image_tokens=image_tokens)
    return cost + media * image_tokens


def content_tokens(message: Any, count: Count) -> int:
    """Tokens of a message's text alone."""
    return count("\n".join(_texts(_get(message, "content"))[0]))


def system_message(text: str, messages: Sequence[Any]) -> Any:
    """A system message of the kind these messages are: a LangChain object among LangChain objects, else a dict."""
    for message in messages:
        if not isinstance(message, Mapping):
            for base in type(message).__mro__:
                if base.__module__.startswith("langchain_core.messages"):
                    return sys.modules["langchain_core.messages"].SystemMessage(content=text)
    return {"role": "system", "content": text}


def turn_places(messages: Sequence[Any]) -> tuple[list[tuple[int, int | None]], int]:
    """Turn and round of every message (no system messages among them), and the number of the current turn.

    A user message starts a turn and is outside its rounds; an assistant message starts a round. A result belongs to
    the nearest earlier message that makes its call, however late it came, so that the two stay or go together.
    """
    places: list[tuple[int, int | None]] = []
    turn, number = 0, -1
    owner: dict[str, tuple[int, int | None]] = {}
    for index, message in enumerate(messages):
        role = chat_role(message)
        if role == "user":
            turn, number = turn + (index > 0), -1
            places.append((turn, None))
            continue
        if role == "assistant" or number < 0:
            number += 1
        place: tuple[int, int | None] = (turn, number)
        if role == "tool":
            place = owner.get(result_id(message) or "", place)
        places.append(place)
        owner.update(dict.fromkeys(call_ids(message), place))
    return places, turn


def _get(message: Any, key: str) -> Any:
    return message.get(key) if isinstance(message, Mapping) else getattr(message, key, None)


def _kind(block: Any) -> str:
    return str(block.get("type") or "") if isinstance(block, Mapping) else ""


def _texts(content: Any) -> tuple[list[str], int]:
    """Texts of a content in order, and how many of its blocks are images, files or audio."""
    if content is None:
        return [], 0
    if isinstance(content, str):
        return [content], 0
    if isinstance(content, Mapping) or not isinstance(content, Sequence):
        content = [content]
    texts: list[str] = []
    media = 0
    for block in content:
        kind = _kind(block)
        if isinstance(block, str):
            texts.append(block)
        elif kind == "tool_result":
            inner, more = _texts(block.get("content"))
            texts += inner
            media += more
        elif any(word in kind for word in _MEDIA):
            media += 1
        elif isinstance(block, Mapping) and isinstance(block.get("text"), str):
            texts.append(block["text"])
        elif kind not in _UNCOUNTED and kind not in _CALLS:
            texts.append(json.dumps(block, ensure_ascii=False, default=str))
    return texts, media


def _calls(message: Any) -> list[ToolCall]:
    """The calls of a message: its own list, else the provider's raw one, else the call blocks in its content."""
    extra = _get(message, "additional_kwargs")
    extra = extra if isinstance(extra, Mapping) else {}
    raw = [*(_get(message, "tool_calls") or ()), *(_get(message, "invalid_tool_calls") or ())]
    raw = raw or list(extra.get("tool_calls") or ())
    blocks = _get(message, "content")
    if not raw and isinstance(blocks, list):
        raw = [block for block in blocks if _kind(block) in _CALLS]
    if not raw and (legacy := _get(message, "function_call") or extra.get("function_call")):
        raw = [legacy]
    return [_call(item) for item in raw]


def _call(item: Any) -> ToolCall:
    inner = _get(item, "function") or item
    values = (_get(inner, key) for key in ("arguments", "args", "input"))
    arguments = next((value for value in values if value is not None), "")
    if isinstance(arguments, Mapping):
        arguments = json.dumps(arguments, ensure_ascii=False, default=str)
    name, call_id = _get(inner, "name"), _get(item, "id") or _get(item, "call_id")
    return ToolCall(id=str(call_id) if call_id else None, name=str(name or ""), arguments=str(arguments))
