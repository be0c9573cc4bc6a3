"""Codex CLI rollouts: response items are what the model saw, events are copies for the screen and never counted twice.

Only the first `session_meta` is this session; later ones came with copied history. A compaction's replacement history
takes the place of everything before it: context, and no new turns. Read as a stream, payloads dropped at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from ctxinspect.errors import InputError
from ctxinspect.model.session import Problem, RecordedMessage, ToolSchema, Usage
from ctxinspect.readers.captures import first_words
from ctxinspect.readers.container import Record, Recording, Sample
from ctxinspect.readers.formats._codex_events import SpokenEvents
from ctxinspect.readers.reading import Conversation, Reading, Tale, ThreadKind
from ctxinspect.readers.registry import Format
from ctxinspect.readers.wire.dialect import schema_of
from ctxinspect.readers.wire.items import ItemReader, is_item
from ctxinspect.readers.wire.parts import Where, as_text, text_or_none
from ctxinspect.readers.wire.responses import instructions_message, responses_usage

__all__ = ["FORMAT"]

_LINES = frozenset({"session_meta", "response_item", "event_msg", "turn_context", "compacted"})
_INJECTED = ("<environment_context>", "<user_instructions>", "# AGENTS.md instructions", "<permissions", "<skill>")
_NO_ITEMS = frozenset({"ghost_snapshot"})


def _sniff(sample: Sample) -> float:
    head = sample.values[0] if sample.values else None
    legacy = isinstance(head, dict) and {"id", "timestamp", "instructions"} <= head.keys() and "type" not in head
    if legacy and len(sample.values) > 1:
        return 0.9
    return 0.95 * sample.share(lambda value: value.get("type") in _LINES and isinstance(value.get("payload"), dict))


class _Rollout:
    """The state of one file while its lines go by."""

    def __init__(self) -> None:
        self.items = ItemReader()
        self.system: list[RecordedMessage] = []
        self.events = SpokenEvents()
        self.usage: dict[int, Usage] = {}
        self.counts: dict[str, int] = {}
        self.tools: tuple[ToolSchema, ...] | None = None
        self.model: str | None = None
        self.meta: Mapping[str, Any] | None = None
        self.rewinds: list[Tale] = []
        self.copies: list[Problem] = []
        self._total: Any = None
        self._index = 0

    def add(self, record: Record, recording: Recording) -> None:
        """Takes one line, of either generation."""
        value = record.value
        where = Where(record.line, record.path)
        if not isinstance(value, dict):
            recording.note("a record that is no object", line=record.line)
            return
        payload = value.get("payload")
        kind = value.get("type")
        stamp = text_or_none(value.get("timestamp"))
        if isinstance(payload, dict) and isinstance(kind, str):
            self._line(kind, payload, where.at("payload"), stamp)
        elif is_item(value):
            self._item(value, where, stamp)
        elif self.meta is None and "id" in value:
            self._session(value, where)
        else:
            self._bump(f"record_type/{value['record_type']}" if "record_type" in value else str(kind))

    def _line(self, kind: str, payload: dict[str, Any], where: Where, stamp: str | None) -> None:
        if kind == "response_item":
            self._item(payload, where, stamp)
        elif kind == "event_msg":
            self._event(payload, where, stamp)
        elif kind == "compacted":
            self._compacted(payload, where, stamp)
        elif kind == "session_meta" and self.meta is None:
            self._session(payload, where)
        elif kind == "session_meta":
            self._bump(kind)
            self.copies.append(_copied(payload, where))
        else:
            self._bump(kind)
            model = payload.get("model")
            self.model = model if kind == "turn_context" and isinstance(model, str) else self.model

    def _session(self, payload: dict[str, Any], where: Where) -> None:
        self.meta = {"id": payload.get("id"), "parent": _parent(payload)}
        base = payload.get("base_instructions")
        text = base.get("text") if isinstance(base, dict) else payload.get("instructions")
        if isinstance(text, str) and text:
            key = "base_instructions" if isinstance(base, dict) else "instructions"
            self.system.append(instructions_message(text, where.at(key)))
        tools = payload.get("dynamic_tools")
        if isinstance(tools, list) and tools:
            self.tools = tuple(schema for schema in map(schema_of, tools) if schema is not None)

    def _item(self, item: dict[str, Any], where: Where, stamp: str | None) -> None:
        if str(item.get("type")) in _NO_ITEMS:
            self._bump(f"response_item/{item['type']}")
            return
        self.items.add(item, self._index, where, timestamp=stamp, marks=_marks(item))
        self._index += 1

    def _event(self, payload: dict[str, Any], where: Where, stamp: str | None) -> None:
        kind = payload.get("type")
        self._bump(f"event_msg/{kind}")
        if kind == "token_count":
            self._tokens(payload.get("info"))
        elif kind == "thread_rolled_back":
            self._roll_back(payload.get("num_turns"))
        else:
            self.events.add(payload, where, stamp, len(self.items.messages))

    def _tokens(self, info: Any) -> None:
        """Usage of the call just made; the same total again is a repeat."""
        if not isinstance(info, dict) or info.get("total_token_usage") == self._total:
            return
        self._total = info.get("total_token_usage")
        reported = responses_usage(info.get("last_token_usage"))
        messages = self.items.messages
        last = next((n for n in range(len(messages) - 1, -1, -1) if messages[n].role == "assistant"), None)
        if reported is not None and last is not None:
            self.usage[last] = reported
            self.items.close()

    def _compacted(self, payload: dict[str, Any], where: Where, stamp: str | None) -> None:
        """Everything before is out of the context; what replaces it is marked, so that it makes one turn."""
        history = payload.get("replacement_history")
        place = where.at("replacement_history")
        before = len(self.items.messages)
        self.items.close()
        if isinstance(history, list) and history:
            for number, item in enumerate(history):
                self.items.add(item, self._index, place.at(number), timestamp=stamp)
        else:
            text = payload.get("message")
            item = {"type": "message", "role": "user", "content": text if isinstance(text, str) else ""}
            self.items.add(item, self._index, where.at("message"), timestamp=stamp)
        self.items.close()
        self._index += 1
        made = self.items.messages
        for number in range(before, len(made)):
            mark = "compact_summary" if number == before else "compact_kept"
            made[number] = made[number].model_copy(update={"marks": (mark,)})
        self._bump("compacted")

    def _roll_back(self, turns: Any) -> None:
        """A person took back the last turns: they stay as a thread of their own and leave the context."""
        messages = self.items.messages
        said = [n for n, message in enumerate(messages) if message.role == "user" and not message.marks]
        if not isinstance(turns, int) or isinstance(turns, bool) or not 0 < turns <= len(said):
            return
        self.rewinds.append(Tale(messages=(*self.system, *messages), tools=self.tools, model=self.model))
        first = said[-turns]
        del messages[first:]
        self.usage = {n: reported for n, reported in self.usage.items() if n < first}
        self.items.close()

    def _bump(self, kind: str) -> None:
        self.counts[kind] = self.counts.get(kind, 0) + 1

    def tale(self) -> Tale:
        """The conversation, with the words of events where the file has no items for them."""
        messages, usage = self.events.filled(self.items.messages, self.usage)
        lead = len(self.system)
        return Tale(
            messages=(*self.system, *messages),
            usage={n + lead: reported for n, reported in usage.items()},
            tools=self.tools,
            model=self.model,
        )


def _parent(payload: Mapping[str, Any]) -> str | None:
    """The session that this one was forked or spawned from."""
    found: Any = payload.get("source")
    for key in ("subagent", "thread_spawn"):
        found = found.get(key) if isinstance(found, dict) else None
    spawned = found.get("parent_thread_id") if isinstance(found, dict) else None
    return text_or_none(payload.get("forked_from_id") or payload.get("parent_thread_id") or spawned)


def _copied(payload: Mapping[str, Any], where: Where) -> Problem:
    name = as_text(payload.get("id") or "another session")
    text = f"the history of {name} was copied in: its messages are in the context, what its calls reported is that session's"
    return Problem(severity="info", message=text, line=where.line, path=where.path, lost=False)


def _marks(item: Mapping[str, Any]) -> tuple[str, ...]:
    if item.get("role") != "user":
        return ()
    content = item.get("content")
    first = content[0] if isinstance(content, list) and content else content
    text = first.get("text") if isinstance(first, dict) else first
    if not isinstance(text, str):
        return ()
    if text.lstrip().startswith("<turn_aborted>"):
        return ("client_note",)
    return ("injected",) if text.lstrip().startswith(_INJECTED) else ()


def _read(recording: Recording) -> Reading:
    rollout = _Rollout()
    for record in recording.records():
        rollout.add(record, recording)
    tale = rollout.tale()
    if not tale.messages:
        raise InputError("no message in it", remedy="a rollout has response items")
    name = str((rollout.meta or {}).get("id") or "main")
    missing = ("the schemas of built-in tools",) if rollout.system else ("the base instructions", "the tool schemas")
    parent = (rollout.meta or {}).get("parent")
    rewinds = [_conversation(f"rewind-{n}", past, "rewind", name) for n, past in enumerate(rollout.rewinds, 1)]
    return Reading(
        conversations=(_conversation(name, tale, "main", parent), *rewinds),
        dialect="openai-responses",
        family="transcript",
        default=name,
        missing=missing,
        problems=tuple(rollout.copies),
        unknown_kinds=rollout.counts,
    )


def _conversation(name: str, tale: Tale, kind: ThreadKind, parent: str | None = None) -> Conversation:
    said = [message for message in tale.messages if message.role == "user" and not message.marks]
    return Conversation(
        id=name,
        tell=partial(_same, tale),
        kind=kind,
        title=first_words(said),
        messages=len(tale.messages),
        turns=len(said),
        parent=parent,
    )


def _same(tale: Tale) -> Tale:
    return tale


FORMAT = Format(
    name="codex_cli",
    title="a Codex rollout",
    sniff=_sniff,
    read=_read,
    dialect="openai-responses",
    family="transcript",
)
