"""ShareGPT rows and OASST trees: conversations of data sets, one thread each; calls are JSON text in a value."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ctxinspect.errors import InputError
from ctxinspect.readers.captures import records_of
from ctxinspect.readers.chats import ChatItem, chat_of, schemas_of
from ctxinspect.readers.container import Record, Recording, Sample
from ctxinspect.readers.reading import Conversation, Reading
from ctxinspect.readers.registry import Format
from ctxinspect.readers.wire.parts import Where

__all__ = ["FORMAT"]

_ROLES = {
    "human": "user",
    "user": "user",
    "prompter": "user",
    "gpt": "assistant",
    "chatgpt": "assistant",
    "bing": "assistant",
    "bard": "assistant",
    "assistant": "assistant",
    "model": "assistant",
    "function_call": "assistant",
    "system": "system",
    "observation": "tool",
    "tool": "tool",
    "function_response": "tool",
}


def _is_row(value: Any) -> bool:
    listed = value.get("conversations") if isinstance(value, dict) else None
    return isinstance(listed, list) and all(isinstance(item, dict) and "from" in item for item in listed[:60])


def _is_tree(value: Any) -> bool:
    return isinstance(value, dict) and "message_tree_id" in value and isinstance(value.get("prompt"), dict)


def _is_node(value: Any) -> bool:
    """A message of a tree that is kept flat: one row a message, linked by `parent_id`."""
    return isinstance(value, dict) and {"message_tree_id", "message_id", "parent_id", "text"} <= value.keys()


def _sniff(sample: Sample) -> float:
    document = sample.document
    inside = Sample("jsonl", tuple(document[:60])) if isinstance(document, list) else sample
    return 0.9 * inside.share(lambda value: _is_row(value) or _is_tree(value) or _is_node(value))


def _read(recording: Recording) -> Reading:
    found: list[Conversation] = []
    nodes: list[Record] = []
    for rows, record in enumerate(records_of(recording, lambda _: False), 1):
        if _is_row(record.value):
            found.append(_row(record, rows))
        elif _is_tree(record.value):
            found += _tree(record.value["prompt"], str(record.value["message_tree_id"]), _place(record).at("prompt"))
        elif _is_node(record.value):
            nodes.append(record)
        else:
            recording.note("a row without conversations", line=record.line, path=record.path)
    found += _flat_trees(nodes)
    if not found:
        raise InputError("no conversation in it", remedy="expected rows with conversations")
    return Reading(tuple(found), "openai", "transcript", records_read=recording.records_read if nodes else len(found))


def _row(record: Record, number: int) -> Conversation:
    value = record.value
    where = Where(record.line, record.path).at("conversations")
    items: list[ChatItem] = [(_chat(item), where.at(n)) for n, item in enumerate(value["conversations"])]
    if isinstance(value.get("system"), str) and value["system"]:
        items.insert(0, ({"role": "system", "content": value["system"]}, Where(record.line, f"{record.path}.system")))
    name = str(value.get("id") or f"row-{number}")
    return chat_of(name, items, tools=schemas_of(_parsed(value.get("tools"))), model=_text(value.get("model")))


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def _parsed(value: Any) -> Any:
    try:
        return json.loads(value) if isinstance(value, str) and value else value
    except (ValueError, RecursionError):
        return None


def _chat(item: dict[str, Any]) -> dict[str, Any]:
    said, kind = item.get("value", item.get("content")), str(item.get("from"))
    message: dict[str, Any] = {"role": _ROLES.get(kind, kind), "content": said}
    if kind == "function_call":
        calls = _parsed(said)
        calls = calls if isinstance(calls, list) else [calls]
        if all(isinstance(call, dict) and "name" in call for call in calls):
            listed = [{"function": {"name": call["name"], "arguments": call.get("arguments")}} for call in calls]
            message |= {"content": None, "tool_calls": listed}
    return message


def _place(record: Record) -> Where:
    return Where(record.line, record.path)


def _flat_trees(nodes: list[Record]) -> Iterator[Conversation]:
    """Trees put together from their messages; one whose parent is not in the file begins a tree of its own."""
    known = {str(node.value["message_id"]): {**node.value, "replies": [], "place": _place(node)} for node in nodes}
    roots: list[dict[str, Any]] = []
    for name, node in known.items():
        parent = known.get(str(node["parent_id"]))
        (parent["replies"] if parent is not None and str(node["parent_id"]) != name else roots).append(node)
    for root in roots:
        yield from _tree(root, str(root["message_id"]), root["place"])


def _tree(root: dict[str, Any], name: str, where: Where) -> list[Conversation]:
    """The best path through a tree of replies, and every other first reply as a branch with its own best path."""
    head: ChatItem = ({"role": "user", "content": root.get("text")}, where)
    paths = [[head, *_best(reply, where.at("replies").at(number))] for number, reply in enumerate(_replies(root))] or [
        [head]
    ]
    main = chat_of(name, paths[0])
    return [main, *(chat_of(f"{name}-{n}", path, kind="branch", parent=name) for n, path in enumerate(paths[1:], 2))]


def _replies(node: dict[str, Any]) -> list[dict[str, Any]]:
    """Replies by rank, unranked ones last."""
    listed = [reply for reply in node.get("replies") or [] if isinstance(reply, dict)]
    return sorted(listed, key=lambda reply: (reply.get("rank") is None, reply.get("rank") or 0))


def _best(node: dict[str, Any], where: Where) -> list[ChatItem]:
    path: list[ChatItem] = []
    while True:
        where = node["place"] if isinstance(node.get("place"), Where) else where
        role = _ROLES.get(str(node.get("role")), "assistant")
        path.append(({"role": role, "content": node.get("text")}, where))
        replies = _replies(node)
        if not replies or len(path) > 10_000:
            return path
        node, where = replies[0], where.at("replies").at(0)


FORMAT = Format(
    name="sharegpt", title="ShareGPT or OASST rows", sniff=_sniff, read=_read, dialect="openai", family="transcript"
)
