"""Records of a Claude Code transcript as the messages the API saw: pieces of one message merged, fan-outs straightened.

An assistant message is written as one record per block; parallel calls make side branches that are no branches. Parts
keep the line of their own record. The last usage of a message is the one that counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ctxinspect.model.session import RecordedMessage, RecordedPart, Usage
from ctxinspect.readers.formats._claude_tree import Node, blocks_of, result_ids, use_ids
from ctxinspect.readers.reading import Tale
from ctxinspect.readers.wire.anthropic import anthropic_usage
from ctxinspect.readers.wire.parts import Shape, Where, content_parts, text_or_none

__all__ = ["Group", "grouped", "straightened", "tale_of"]

SYNTHETIC = "<synthetic>"
_NOTE = "[Request interrupted by user"
_CLIENT_TEXTS = ("<local-command-stdout>", "<local-command-stderr>", "<bash-stdout>", "<task-notification>")


@dataclass(slots=True)
class Group:
    """Records that are one API message."""

    nodes: list[Node]
    uses: set[str] = field(default_factory=set)
    results_only: bool = False

    @property
    def first(self) -> Node:
        """The record that started it."""
        return self.nodes[0]

    def add(self, node: Node) -> None:
        """Takes one more piece; pieces stay in file order."""
        self.nodes.append(node)
        self.nodes.sort(key=lambda known: known.order)
        self.uses |= use_ids(node)


def straightened(way: Sequence[Node], others: Iterable[Node]) -> tuple[list[Group], set[str]]:
    """The messages of a way through the tree, with the side shoots that parallel calls made put where they belong.

    Gives the groups and the uuids of the records in them.
    """
    groups = grouped(node for node in way if node.talk)
    taken = {node.uuid for group in groups for node in group.nodes}
    rest = [node for node in others if node.uuid not in taken]
    by_message = {group.first.message_id: group for group in groups if group.first.message_id}
    for node in rest:
        home = by_message.get(node.message_id) if node.message_id else None
        if home is not None:
            home.add(node)
            taken.add(node.uuid)
    owner = {use: group for group in groups for use in group.uses}
    answered = {use for group in groups for node in group.nodes for use in result_ids(node)}
    for node in rest:
        answers = result_ids(node) if node.uuid not in taken else []
        if not answers or answered & set(answers) or not all(use in owner for use in answers):
            continue
        _answer(groups, owner[answers[0]], node)
        answered.update(answers)
        taken.add(node.uuid)
    return groups, taken


def _answer(groups: list[Group], call: Group, node: Node) -> None:
    """Puts a result record into the message of results behind its call, which is made where there is none."""
    position = next(n for n, group in enumerate(groups) if group is call) + 1
    if position < len(groups) and groups[position].results_only:
        groups[position].add(node)
    else:
        groups.insert(position, Group([node], results_only=True))


def grouped(talk: Iterable[Node]) -> list[Group]:
    """Messages of records in order: same message id, or results one after another, are one message."""
    groups: list[Group] = []
    by_message: dict[str, Group] = {}
    for node in talk:
        name = node.message_id
        if name is not None and name in by_message:
            by_message[name].add(node)
            continue
        results = bool(result_ids(node))
        holds_results = results or (
            node.kind == "user" and any(block.get("type") == "tool_result" for block in blocks_of(node))
        )
        if groups and groups[-1].results_only and holds_results:
            groups[-1].nodes.append(node)
            groups[-1].results_only = results
            continue
        group = Group([node], use_ids(node), results)
        groups.append(group)
        if name is not None:
            by_message[name] = group
    return groups


def tale_of(groups: Sequence[Group], partial: str | None = None) -> Tale:
    """The conversation that the groups tell."""
    messages: list[RecordedMessage] = []
    usage: dict[int, Usage] = {}
    model: str | None = None
    for number, group in enumerate(groups):
        messages.append(_message(group, number))
        named = group.nodes[-1].message.get("model")
        if isinstance(named, str) and named and named != SYNTHETIC:
            model = named
        reported = _usage(group)
        if reported is not None and named != SYNTHETIC:
            usage[number] = reported
    return Tale(messages=tuple(messages), usage=usage, model=model, partial=partial)


def _usage(group: Group) -> Usage | None:
    last: Mapping[str, Any] | None = None
    for node in group.nodes:
        found = node.message.get("usage")
        last = found if isinstance(found, dict) else last
    return anthropic_usage(last)


def _message(group: Group, index: int) -> RecordedMessage:
    first = group.first
    parts: list[RecordedPart] = []
    shape: Shape = "string"
    for node in group.nodes:
        where = Where(node.line, node.path).at("message").at("content")
        if "content" in node.message:
            found, more = content_parts(node.message["content"], where)
        else:
            found, more = "absent", []
        shape = found if len(group.nodes) == 1 else "parts"
        parts += more
    return RecordedMessage(
        role=str(first.message.get("role") or first.kind),
        index=index,
        shape=shape,
        parts=tuple(parts),
        id=first.message_id or first.uuid,
        timestamp=text_or_none(first.value.get("timestamp")),
        marks=_marks(group),
        line=first.line,
        path=f"{first.path}.message",
    )


def _marks(group: Group) -> tuple[str, ...]:
    first = group.first
    marks: list[str] = []
    text = _text(first)
    if first.value.get("isCompactSummary") is True:
        marks.append("compact_summary")
    elif first.kind == "user" and text.startswith(_NOTE):
        marks.append("client_note")
    elif first.value.get("isMeta") is True or (first.kind == "user" and text.startswith(_CLIENT_TEXTS)):
        marks.append("injected")
    if first.message.get("model") == SYNTHETIC:
        marks.append("synthetic")
    return tuple(marks)


def _text(node: Node) -> str:
    """The beginning of what the record says, without its results."""
    content = node.message.get("content")
    if isinstance(content, str):
        return content
    texts = (block.get("text") for block in blocks_of(node) if block.get("type") == "text")
    return next((text for text in texts if isinstance(text, str)), "")
