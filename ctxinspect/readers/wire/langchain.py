"""LangChain messages of its three serialisers, as chat messages; dicts only, nothing in a file is ever built."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ctxinspect.model.session import RecordedMessage
from ctxinspect.readers.wire.openai_chat import chat_message
from ctxinspect.readers.wire.parts import Where

__all__ = ["chat_dict", "is_langchain_list", "langchain_message", "unwrapped"]

_ROLES = {
    "human": "user",
    "ai": "assistant",
    "system": "system",
    "tool": "tool",
    "function": "function",
    "developer": "developer",
    "AIMessageChunk": "assistant",
    "HumanMessageChunk": "user",
}


def unwrapped(value: Any) -> tuple[str, Mapping[str, Any], str] | None:
    """(role, fields, key under which they stand) of a message of one of the three shapes; None for anything else."""
    if not isinstance(value, dict):
        return None
    kind, data, kwargs = value.get("type"), value.get("data"), value.get("kwargs")
    name = value.get("id")
    if kind == "constructor" and isinstance(kwargs, dict) and isinstance(name, list) and name:
        short = str(name[-1]).removesuffix("Chunk").removesuffix("Message").lower()
        role = _ROLES.get(short) or (str(kwargs.get("role", "user")) if short == "chat" else None)
        return (role, kwargs, "kwargs") if role else None
    if kind == "chat" and "role" in (data if isinstance(data, dict) else value):
        fields = data if isinstance(data, dict) else value
        return str(fields["role"]), fields, "data" if isinstance(data, dict) else ""
    if not isinstance(kind, str) or kind not in _ROLES:
        return None
    if isinstance(data, dict) and "content" in data:
        return _ROLES[kind], data, "data"
    return (_ROLES[kind], value, "") if "content" in value and "role" not in value else None


def is_langchain_list(value: Any) -> bool:
    """Whether a value is a list of LangChain messages."""
    if not isinstance(value, list) or not value:
        return False
    head = value[:60]
    return sum(unwrapped(item) is not None for item in head) * 10 >= len(head) * 9


def chat_dict(value: Any) -> Any:
    """A message of any of the shapes as one of Chat Completions; anything else as it is."""
    found = unwrapped(value)
    if found is None:
        return value
    role, fields, _ = found
    extra = fields.get("additional_kwargs")
    extra = extra if isinstance(extra, dict) else {}
    calls = [call for name in ("tool_calls", "invalid_tool_calls") for call in _list(fields.get(name))]
    message = {"role": role, **{name: fields[name] for name in ("content", "name", "id", "status") if name in fields}}
    message["tool_call_id"] = fields.get("tool_call_id")
    message["tool_calls"] = calls or extra.get("tool_calls")
    message["function_call"] = None if calls else extra.get("function_call")
    message["reasoning_content"] = extra.get("reasoning_content")
    return message


def langchain_message(value: Any, index: int, where: Where) -> RecordedMessage:
    """One message of any of the shapes."""
    found = unwrapped(value)
    key = found[2] if found else ""
    made = chat_message(chat_dict(value), index, where.at(key) if key else where)
    return made.model_copy(update={"line": where.line, "path": where.path})


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
