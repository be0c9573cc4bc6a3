"""Account exports of ChatGPT (a tree of nodes with a current one) and claude.ai (flat messages): one thread a talk."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ctxinspect.errors import InputError
from ctxinspect.readers.captures import records_of
from ctxinspect.readers.chats import ChatItem, chat_of
from ctxinspect.readers.container import Recording, Sample
from ctxinspect.readers.reading import Conversation, Reading, Tale
from ctxinspect.readers.registry import Format
from ctxinspect.readers.wire.parts import Where, text_or_none

__all__ = ["FORMAT"]

_SENDERS = {"human": "user", "assistant": "assistant"}


def _is_tree(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("mapping"), dict) and "current_node" in value


def _is_flat(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("chat_messages"), list)


def _sniff(sample: Sample) -> float:
    document = sample.document
    inside = Sample("jsonl", tuple(document[:60])) if isinstance(document, list) else sample
    return 0.95 * inside.share(lambda value: _is_tree(value) or _is_flat(value))


def _read(recording: Recording) -> Reading:
    found: list[Conversation] = []
    trees = 0
    for record in records_of(recording, lambda _: False):
        where = Where(record.line, record.path)
        if _is_tree(record.value):
            trees += 1
            found.append(_lazy(record.value, where, _tree, len(record.value["mapping"])))
        elif _is_flat(record.value):
            found.append(_lazy(record.value, where, _flat, len(record.value["chat_messages"])))
    if not found:
        raise InputError("no conversation in it", remedy="expected mapping or chat_messages")
    return Reading(
        tuple(found),
        "openai" if trees else "anthropic",
        "transcript",
        missing=("the system prompt", "the tool schemas", "memory and files that were sent along"),
        records_read=len(found),
    )


def _lazy(
    value: dict[str, Any], where: Where, read: Callable[[dict[str, Any], Where], list[ChatItem]], size: int
) -> Conversation:
    """A talk that is read when it is opened: an account holds thousands."""
    name = str(value.get("conversation_id") or value.get("uuid") or value.get("id") or where.path)

    def tell() -> Tale:
        items = read(value, where)
        return chat_of(name, items, model=text_or_none(value.get("default_model_slug"))).tell()

    title = str(value.get("title") or value.get("name") or "")
    return Conversation(name, tell, title=title, messages=size)


def _tree(value: dict[str, Any], where: Where) -> list[ChatItem]:
    """The way from the root to the current node."""
    nodes = value["mapping"]
    way: dict[str, None] = {}
    name = value.get("current_node")
    while isinstance(name, str) and name in nodes and name not in way:
        way[name] = None
        name = nodes[name].get("parent") if isinstance(nodes[name], dict) else None
    items: list[ChatItem] = []
    for step in list(way)[::-1]:
        message = nodes[step].get("message") if isinstance(nodes[step], dict) else None
        author = message.get("author") if isinstance(message, dict) else None
        if not isinstance(message, dict) or not isinstance(author, dict):
            continue
        chat = _node(message, str(author.get("role")), author.get("name"))
        if chat is not None:
            items.append((chat, where.at("mapping").at(step).at("message")))
    return items


def _node(message: dict[str, Any], role: str, name: Any) -> dict[str, Any] | None:
    content = message.get("content")
    content = content if isinstance(content, dict) else {}
    parts = content.get("parts")
    said: Any = [_asset(part) for part in parts if part != ""] if isinstance(parts, list) else content.get("text")
    if said in (None, [], "") and role == "system":
        return None
    if role == "tool":
        return {"role": "user", "content": said, "name": name}
    return {"role": role, "content": said}


def _asset(part: Any) -> Any:
    if isinstance(part, dict) and "asset_pointer" in part:
        return {"type": "image_url", "image_url": part["asset_pointer"]}
    return part


def _flat(value: dict[str, Any], where: Where) -> list[ChatItem]:
    items: list[ChatItem] = []
    for number, message in enumerate(value["chat_messages"]):
        if isinstance(message, dict):
            content = message.get("content")
            said = content if isinstance(content, list) and content else message.get("text")
            role = _SENDERS.get(str(message.get("sender")), str(message.get("sender")))
            items.append(({"role": role, "content": said}, where.at("chat_messages").at(number)))
    return items


FORMAT = Format(
    name="chat_export", title="a ChatGPT or claude.ai export", sniff=_sniff, read=_read, family="transcript"
)
