"""Claude Code session transcripts: the live chain as messages; branches, side chains and sub-agent files as threads.

`toolUseResult` is a copy for the screen that the model never saw and is never read. Snapshots are not indexed: their
message ids repeat those of messages. Kinds of records that are no messages pass through and are counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from ctxinspect.errors import InputError
from ctxinspect.model.session import Problem
from ctxinspect.readers.container import Recording, Sample, open_recording
from ctxinspect.readers.formats._claude_merge import Group, straightened, tale_of
from ctxinspect.readers.formats._claude_tree import Node, Tree, blocks_of, result_ids
from ctxinspect.readers.reading import Conversation, Reading, Tale, ThreadKind
from ctxinspect.readers.registry import Format

__all__ = ["FORMAT"]

_TALK = ("user", "assistant")
_TITLES = frozenset({"custom-title", "ai-title"})
_UNLINKED = _TITLES | {"file-history-snapshot", "summary", "queue-operation", "last-prompt"}
_KINDS = _UNLINKED | {"progress", "attachment", "pr-link", "permission-mode", "worktree-state", "agent-name", "mode"}
MISSING = ("the system prompt", "the tool schemas", "CLAUDE.md and memory files")
_TITLE = 60


def _sniff(sample: Sample) -> float:
    return 0.95 * sample.share(_is_record)


def _is_record(value: dict[str, Any]) -> bool:
    kind = value.get("type")
    if "payload" in value or not isinstance(kind, str):
        return False
    talk = kind in _TALK and isinstance(value.get("message"), dict)
    if talk and value.keys() & {"uuid", "sessionId", "session_id", "isSidechain", "parentUuid"}:
        return True
    return (
        kind in _KINDS or "isSidechain" in value or ("parentUuid" in value and "uuid" in value) or "leafUuid" in value
    )


class _File:
    """One transcript file, read: its tree, its titles, and what passed through."""

    def __init__(self, recording: Recording) -> None:
        self.tree = Tree()
        self.counts: dict[str, int] = {}
        self.titles: dict[str, str] = {}
        self.summaries: list[tuple[str, str]] = []
        self.sessions: dict[str, int] = {}
        self.attachments = 0
        last: dict[bool, str | None] = {True: None, False: None}
        for order, record in enumerate(recording.records()):
            value = record.value
            kind = value.get("type") if isinstance(value, dict) else None
            if not isinstance(value, dict) or not isinstance(kind, str):
                recording.note("a record that is no object with a type", line=record.line)
                continue
            value = {key: inner for key, inner in value.items() if key != "toolUseResult"}
            talk = kind in _TALK and isinstance(value.get("message"), dict)
            if kind in _TALK and not talk:
                recording.note(f"a {kind} record without a message", line=record.line)
                continue
            prompt = _queued_prompt(value)
            if prompt is not None:
                value["message"], talk = {"role": "user", "content": prompt}, True
            self._count(value, kind, talk=talk)
            sidechain = value.get("isSidechain") is True
            uuid = value.get("uuid")
            if not isinstance(uuid, str) or not uuid:
                if not talk:
                    continue
                uuid = f"line-{record.line or order}"
            elif kind in _UNLINKED:
                continue
            parent = value["parentUuid"] if "parentUuid" in value else last[sidechain] if talk else None
            node = Node(
                uuid=uuid,
                parent=parent if isinstance(parent, str) else None,
                order=order,
                line=record.line,
                path=record.path,
                talk=talk,
                sidechain=sidechain,
                kind="user" if prompt is not None else kind,
                value=value if talk or kind == "system" else {},
                boundary=value.get("subtype") == "compact_boundary",
            )
            if not self.tree.add(node):
                self._bump("record seen before")
                continue
            if talk:
                last[sidechain] = uuid
        self.tree.link()

    def _count(self, value: dict[str, Any], kind: str, *, talk: bool) -> None:
        session = value.get("sessionId")
        if isinstance(session, str):
            self.sessions[session] = self.sessions.get(session, 0) + 1
        named = next((value[key] for key in ("customTitle", "aiTitle", "title") if isinstance(value.get(key), str)), "")
        if named and kind in _TITLES:
            self.titles[kind] = named
        if kind == "summary" and isinstance(value.get("summary"), str):
            self.summaries.append((str(value.get("leafUuid")), value["summary"]))
        if not talk:
            inner = value.get("attachment")
            subtype = value.get("subtype") or (inner.get("type") if isinstance(inner, dict) else None)
            self._bump(f"{kind}/{subtype}" if isinstance(subtype, str) else kind)
            self.attachments += kind == "attachment"

    def _bump(self, kind: str) -> None:
        self.counts[kind] = self.counts.get(kind, 0) + 1

    @property
    def title(self) -> str | None:
        """The title given, else the summary of a leaf in this file (others are of other sessions), or the only one."""
        given = self.titles.get("custom-title") or self.titles.get("ai-title")
        own = [text for leaf, text in self.summaries if leaf in self.tree.nodes]
        alone = self.summaries[0][1] if len(self.summaries) == 1 else None
        return given or (own[-1] if own else alone)


def _queued_prompt(value: dict[str, Any]) -> Any:
    """What a person typed while the model worked: it stands as an attachment and is sent as a user message."""
    inner = value.get("attachment")
    if value.get("type") != "attachment" or not isinstance(inner, dict) or inner.get("type") != "queued_command":
        return None
    prompt = inner.get("prompt")
    return prompt if isinstance(prompt, (str, list)) and prompt else None


def _read(recording: Recording) -> Reading:
    file = _File(recording)
    tree = file.tree
    main = tree.talk(sidechain=False)
    sides = tree.talk(sidechain=True)
    conversations: list[Conversation] = []
    if main:
        conversations += _main_line(tree, main)
        conversations += _sidechains(tree, sides, "sidechain")
        conversations += _subagents(recording)
    else:
        conversations += _sidechains(tree, sides, "main")
    if not conversations:
        raise InputError("no message in it", remedy="a transcript has user and assistant records")
    return Reading(
        conversations=tuple(conversations),
        dialect="anthropic",
        family="transcript",
        default=conversations[0].id if main else None,
        title=file.title,
        missing=_missing(file),
        problems=(*tree.problems, *_sessions(file), *_clearings(tree)),
        unknown_kinds=file.counts,
    )


def _missing(file: _File) -> tuple[str, ...]:
    if not file.attachments:
        return MISSING
    return (*MISSING, f"the text that {file.attachments} attachments were sent as")


def _clearings(tree: Tree) -> Iterator[Problem]:
    """Where the client went on with results of earlier calls emptied: the file keeps them whole, and so do we."""
    for node in tree.nodes.values():
        facts = node.value.get("microcompactMetadata")
        if node.value.get("subtype") != "microcompact_boundary" or not isinstance(facts, dict):
            continue
        cleared = facts.get("compactedToolIds")
        number = len(cleared) if isinstance(cleared, list) else 0
        saved = f", {facts['tokensSaved']} tokens by its count" if isinstance(facts.get("tokensSaved"), int) else ""
        message = f"from here on {number} earlier results were sent as cleared{saved}; they are shown whole"
        yield Problem(severity="info", message=message, line=node.line, path=node.path, lost=False)


def _sessions(file: _File) -> tuple[Problem, ...]:
    if len(file.sessions) < 2:
        return ()
    named = ", ".join(f"{name} ({count} records)" for name, count in sorted(file.sessions.items()))
    message = f"records of {len(file.sessions)} sessions in one file, read as one by their links: {named}"
    return (Problem(severity="info", message=message, lost=False),)


def _main_line(tree: Tree, talk: Sequence[Node]) -> list[Conversation]:
    """The live chain first, then every branch that it left: rewinds and retries."""
    groups, taken = straightened(tree.way_to(talk[-1]), talk)
    found = [_conversation("main", "main", groups)]
    replays = {_same(node): None for node in talk if node.uuid in taken}
    left = [node for node in talk if node.uuid not in taken]
    for leaf in tree.leaves(left):
        way = tree.way_to(leaf)
        own = [node for node in way if node.talk and node.uuid not in taken]
        if own and not all(_same(node) in replays for node in own):
            branch, _ = straightened(way, ())
            found.append(_conversation(leaf.uuid, _kind_of(own[0]), branch, parent="main", head=own[0]))
    return found


def _kind_of(first: Node) -> ThreadKind:
    """A branch that starts with a person's words is a rewind; any other (a retry, a lost result) a branch."""
    return "rewind" if first.kind == "user" and not result_ids(first) else "branch"


def _same(node: Node) -> tuple[object, ...]:
    """What a compaction's replay of a record has in common with it."""
    return (node.kind, node.value.get("timestamp"), node.message_id, repr(node.message.get("content"))[:400])


def _sidechains(tree: Tree, talk: Sequence[Node], kind: ThreadKind) -> list[Conversation]:
    """Side chains of the file by agent, or by root where no agent is named."""
    chains: dict[str, list[Node]] = {}
    roots: dict[str, str] = {}
    for node in talk:
        named = node.value.get("agentId")
        above = node.up
        while above is not None and above.uuid not in roots and not above.talk:
            above = above.up
        inherited = roots.get(above.uuid) if above is not None and above.sidechain else None
        key = f"agent-{named}" if isinstance(named, str) and named else inherited or node.uuid
        roots[node.uuid] = key
        chains.setdefault(key, []).append(node)
    found: list[Conversation] = []
    for key, nodes in chains.items():
        own = {node.uuid for node in nodes}
        way = [node for node in tree.way_to(nodes[-1]) if node.uuid in own]
        groups, taken = straightened(way, nodes)
        found.append(_conversation(key, kind, groups, parent=None if kind == "main" else "main"))
        left = [node for node in nodes if node.uuid not in taken]
        for leaf in tree.leaves(left):
            way = [node for node in tree.way_to(leaf) if node.uuid in own]
            branch, _ = straightened(way, ())
            found.append(_conversation(leaf.uuid, "branch", branch, parent=key, head=leaf))
    return found


def _conversation(
    name: str, kind: ThreadKind, groups: list[Group], *, parent: str | None = None, head: Node | None = None
) -> Conversation:
    people = [group.first for group in groups if group.first.kind == "user" and not result_ids(group.first)]
    return Conversation(
        id=name,
        tell=partial(tale_of, groups),
        kind=kind,
        title=_words([head, *people] if head is not None else people),
        messages=len(groups),
        turns=len(people),
        parent=parent,
    )


def _words(nodes: Sequence[Node]) -> str:
    """The first words a person said."""
    for node in nodes:
        content = node.message.get("content")
        texts = [content] if isinstance(content, str) else [block.get("text") for block in blocks_of(node)]
        text = " ".join(next((text for text in texts if isinstance(text, str)), "").split())
        if text and node.value.get("isMeta") is not True and not text.startswith("<"):
            return text if len(text) <= _TITLE else f"{text[: _TITLE - 1]}…"
    return ""


def _subagents(recording: Recording) -> list[Conversation]:
    """Sub-agent files of this session: in its own folder, or (older) beside it and naming its session."""
    path = recording.path
    if path is None:
        return []
    folder = path.parent / path.stem / "subagents"
    found = sorted(folder.glob("agent-*.jsonl"))
    marker = f'"sessionId":"{path.stem}"'.encode()
    for beside in sorted(path.parent.glob("agent-*.jsonl")):
        if beside != path and _begins_with(beside, marker):
            found.append(beside)
    return [_subagent(file, str(file.relative_to(path.parent)), recording) for file in found]


def _begins_with(file: Path, marker: bytes) -> bool:
    try:
        with file.open("rb") as handle:
            return marker in handle.read(8192).replace(b'": "', b'":"')
    except OSError:
        return False


def _subagent(file: Path, shown: str, session: Recording) -> Conversation:
    try:
        data = file.read_bytes()
    except OSError:
        data = b""
    lines = data.replace(b'": ', b'":').replace(b'" :', b'":')
    messages = sum(lines.count(f'"type":"{kind}"'.encode()) for kind in _TALK)
    return Conversation(
        id=file.stem, tell=_told_by(file, session), kind="subagent", messages=messages, file=shown, parent="main"
    )


def _told_by(file: Path, session: Recording) -> Callable[[], Tale]:
    def tell() -> Tale:
        recording = open_recording(file, show_secrets=session.source.show_secrets)
        reading = _read(recording)
        longest = max(reading.conversations, key=lambda known: known.messages)
        tale = longest.tell()
        session.masked.update(recording.masked)
        problems = (*recording.problems, *reading.problems)
        return Tale(messages=tale.messages, usage=tale.usage, model=tale.model, problems=problems)

    return tell


FORMAT = Format(
    name="claude_code",
    title="a Claude Code transcript",
    sniff=_sniff,
    read=_read,
    dialect="anthropic",
    family="transcript",
)
