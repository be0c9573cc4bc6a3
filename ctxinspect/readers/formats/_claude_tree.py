"""The tree of a Claude Code transcript: records linked by `parentUuid`, and the way from a leaf back to its root.

Order is that of the links, never of the file or the clock. A parent that was never written is replaced by the record
before it in the file, and noted. A compaction starts a new root; its summary and what it kept come before what follows.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ctxinspect.model.session import Problem

__all__ = ["Node", "Tree", "blocks_of", "result_ids", "use_ids"]


@dataclass(slots=True, eq=False)
class Node:
    """One record with a uuid. `talk` says that it is a message of the conversation; others only hold links."""

    uuid: str
    parent: str | None
    order: int
    line: int | None
    path: str
    talk: bool
    sidechain: bool
    kind: str
    value: dict[str, Any] = field(default_factory=dict)
    boundary: bool = False
    up: Node | None = None

    @property
    def message(self) -> dict[str, Any]:
        """The API message in it."""
        found = self.value.get("message")
        return found if isinstance(found, dict) else {}

    @property
    def message_id(self) -> str | None:
        """The id of the API message that this record is a piece of; only assistant messages have one."""
        found = self.message.get("id")
        return found if isinstance(found, str) and found and self.kind == "assistant" else None


def blocks_of(node: Node) -> list[dict[str, Any]]:
    """The content blocks of a record; none where its content is a string."""
    content = node.message.get("content")
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def use_ids(node: Node) -> set[str]:
    """Ids of the calls in a record."""
    return {
        block["id"] for block in blocks_of(node) if block.get("type") == "tool_use" and isinstance(block.get("id"), str)
    }


def result_ids(node: Node) -> list[str]:
    """Ids that a record's results answer; empty where it holds anything but results."""
    blocks = blocks_of(node)
    content = node.message.get("content")
    if not blocks or not isinstance(content, list) or len(blocks) != len(content):
        return []
    if any(block.get("type") != "tool_result" for block in blocks):
        return []
    return [str(block.get("tool_use_id")) for block in blocks]


class Tree:
    """All records of one file by uuid."""

    def __init__(self) -> None:
        self.nodes: dict[str, Node] = {}
        self.problems: list[Problem] = []
        self._kept: dict[str, Node] = {}

    def add(self, node: Node) -> bool:
        """Adds a record; False where its uuid was there before (a resumed session replays old records)."""
        if node.uuid in self.nodes:
            return False
        self.nodes[node.uuid] = node
        return True

    def talk(self, *, sidechain: bool) -> list[Node]:
        """The messages of the main line, or of side chains, in file order."""
        return [node for node in self.nodes.values() if node.talk and node.sidechain == sidechain]

    def link(self) -> None:
        """Resolves parents once all records are there; parents that do not exist are noted and bridged."""
        before: dict[bool, Node | None] = {True: None, False: None}
        for node in self.nodes.values():
            wanted = node.parent
            if node.boundary and wanted is None:
                logical = node.value.get("logicalParentUuid")
                wanted = logical if isinstance(logical, str) else None
            node.up = self.nodes.get(wanted) if wanted is not None else None
            if wanted is not None and node.up is None:
                node.up = before[node.sidechain]
                if node.talk or node.boundary:
                    self._dangling(node, wanted)
            elif node.boundary and node.up is None:
                node.up = before[node.sidechain]
            if node.talk:
                before[node.sidechain] = node
        for node in self.nodes.values():
            for kept in self._preserved(node) if node.boundary else ():
                self._kept[kept.uuid] = node

    def _dangling(self, node: Node, wanted: str) -> None:
        self.problems.append(
            Problem(
                rule="dangling-parent",
                severity="warning",
                message=f"its parent {wanted} is no record of this file; read as following the record before it",
                line=node.line,
                path="$.logicalParentUuid" if node.boundary and node.parent is None else "$.parentUuid",
                lost=False,
            )
        )

    def _preserved(self, boundary: Node) -> list[Node]:
        """Messages that a compaction kept word for word, oldest first."""
        meta = boundary.value.get("compactMetadata")
        meta = meta if isinstance(meta, dict) else {}
        listed = meta.get("preservedMessages")
        uuids = listed.get("uuids") if isinstance(listed, dict) else None
        if isinstance(uuids, list):
            return [self.nodes[uuid] for uuid in uuids if isinstance(uuid, str) and uuid in self.nodes]
        segment = meta.get("preservedSegment")
        if not isinstance(segment, dict):
            return []
        kept: dict[str, Node] = {}
        node = self.nodes.get(str(segment.get("tailUuid")))
        while node is not None and node.uuid not in kept and not node.boundary:
            kept[node.uuid] = node
            if node.uuid == segment.get("headUuid"):
                return list(kept.values())[::-1]
            node = node.up
        return []

    def _anchor(self, boundary: Node) -> Node:
        """The last record before the kept ones: the summary, else the boundary itself."""
        summary = (node for node in self.nodes.values() if node.up is boundary and node.value.get("isCompactSummary"))
        return next(summary, boundary)

    def way_to(self, leaf: Node) -> list[Node]:
        """All records from the root to this leaf, oldest first, every earlier part before a compaction included."""
        way: list[Node] = []
        seen: set[str] = set()
        node: Node | None = leaf
        for _ in range(2 * len(self.nodes) + 2):  # links may run in circles
            if node is None:
                break
            boundary = self._kept.get(node.uuid)
            if boundary is not None and boundary.uuid not in seen and boundary.order < leaf.order:
                seen.add(boundary.uuid)
                kept = [known for known in self._preserved(boundary) if known.uuid not in seen]
                way += kept[::-1]
                seen.update(known.uuid for known in kept)
                way.extend(self._to_boundary(boundary, seen))
                node = boundary.up
                continue
            if node.uuid not in seen:
                way.append(node)
                seen.add(node.uuid)
            elif boundary is None:
                break
            if node.boundary:
                self._insert_kept(node, way, seen)
            node = node.up
        return way[::-1]

    def _to_boundary(self, boundary: Node, seen: set[str]) -> Iterable[Node]:
        node: Node | None = self._anchor(boundary)
        while node is not None and node is not boundary:
            if node.uuid not in seen:
                seen.add(node.uuid)
                yield node
            node = node.up
        yield boundary

    def _insert_kept(self, boundary: Node, way: list[Node], seen: set[str]) -> None:
        """Puts the kept messages behind the summary where the way led through the summary and not through them."""
        kept = [node for node in self._preserved(boundary) if node.uuid not in seen]
        if kept:
            anchor = self._anchor(boundary)
            position = way.index(anchor) if anchor in way else len(way) - 1
            way[position:position] = kept[::-1]
            seen.update(node.uuid for node in kept)

    def leaves(self, nodes: Sequence[Node]) -> list[Node]:
        """Those messages of a set that no other message of the set follows."""
        members = set(map(id, nodes))
        followed: set[int] = set()
        for node in nodes:
            above = node.up
            steps = 0
            while above is not None and id(above) not in members and not above.talk and steps < len(self.nodes):
                above = above.up
                steps += 1
            if above is not None:
                followed.add(id(above))
        return [node for node in nodes if id(node) not in followed]
