"""Gemini CLI sessions: one JSON document, or JSON Lines in which a record replaces, resets or rewinds what was before.

A tool call and its result stand in one record; they become a call in the model's message and a result behind it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ctxinspect.errors import InputError
from ctxinspect.model.session import (
    CallPart,
    RecordedMessage,
    RecordedPart,
    ResultPart,
    ThinkingBlock,
    Usage,
)
from ctxinspect.readers.captures import first_words
from ctxinspect.readers.container import Recording, Sample
from ctxinspect.readers.reading import Conversation, Reading, Tale
from ctxinspect.readers.registry import Format
from ctxinspect.readers.wire.dialect import tokens, usage_total
from ctxinspect.readers.wire.gemini import gemini_parts
from ctxinspect.readers.wire.parts import Where, arguments_of, as_text, identifier, result_content, text_or_none

__all__ = ["FORMAT"]

_ROLES = {"user": "user", "gemini": "assistant"}
_MISSING = ("the system prompt", "the tool schemas", "GEMINI.md and memory files")
_Entry = tuple[dict[str, Any], Where]


def _sniff(sample: Sample) -> float:
    def own(value: dict[str, Any]) -> bool:
        if {"sessionId", "projectHash"} <= value.keys() or "$set" in value or "$rewindTo" in value:
            return True
        return value.get("type") in ("user", "gemini", "info", "error", "warning") and {"id", "content"} <= value.keys()

    head = sample.values[0] if sample.values else None
    known = isinstance(head, dict) and "projectHash" in head
    return 0.95 * sample.share(own) if known or sample.share(lambda value: "$set" in value) else 0.0


class _Log:
    """The messages that are in force while the lines go by."""

    def __init__(self) -> None:
        self.entries: dict[str, _Entry] = {}
        self.rewound: list[list[_Entry]] = []
        self.counts: dict[str, int] = {}

    def add(self, value: Any, where: Where, recording: Recording) -> None:
        """Takes one record."""
        if not isinstance(value, dict):
            recording.note("a record that is no object", line=where.line)
        elif isinstance(value.get("$set"), dict):
            self._fill(value["$set"].get("messages"), where.at("$set").at("messages"), clear=True)
        elif "$rewindTo" in value:
            self._rewind(str(value["$rewindTo"]))
        elif isinstance(value.get("messages"), list):
            self._fill(value["messages"], where.at("messages"), clear=False)
        elif isinstance(value.get("type"), str) and "content" in value:
            self._put(value, where)

    def _fill(self, messages: Any, where: Where, *, clear: bool) -> None:
        if not isinstance(messages, list):
            return
        if clear:
            self.entries = {}
        for number, message in enumerate(messages):
            if isinstance(message, dict):
                self._put(message, where.at(number))

    def _put(self, message: dict[str, Any], where: Where) -> None:
        """A message; one with an id that was there before takes its place."""
        name = message.get("id")
        self.entries[name if isinstance(name, str) and name else f"{where.line}{where.path}"] = (message, where)

    def _rewind(self, target: str) -> None:
        names = list(self.entries)
        first = names.index(target) if target in self.entries else 0
        self.rewound.append(list(self.entries.values()))
        for name in names[first:]:
            del self.entries[name]


def _read(recording: Recording) -> Reading:
    log = _Log()
    name, title = "main", None
    for record in recording.records():
        if isinstance(record.value, dict) and isinstance(record.value.get("sessionId"), str):
            name = record.value["sessionId"]
            title = text_or_none(record.value.get("summary")) or title
        log.add(record.value, Where(record.line, record.path), recording)
    entries = list(log.entries.values())
    if not entries and not log.rewound:
        raise InputError("no message in it", remedy="expected messages of type user and gemini")
    counts: dict[str, int] = {}
    for message, _ in entries:
        kind = str(message.get("type"))
        if kind not in _ROLES:
            counts[kind] = counts.get(kind, 0) + 1
    rewinds = [_conversation(f"rewind-{n}", past, "rewind") for n, past in enumerate(log.rewound, 1)]
    return Reading(
        conversations=(_conversation(name, entries, "main"), *rewinds),
        dialect="gemini",
        family="transcript",
        default=name,
        title=title,
        missing=_MISSING,
        unknown_kinds=counts,
    )


def _conversation(name: str, entries: list[_Entry], kind: str) -> Conversation:
    tale = _tale(entries)
    return Conversation(
        id=name,
        tell=lambda: tale,
        kind="rewind" if kind == "rewind" else "main",
        title=first_words(tale.messages),
        messages=len(tale.messages),
        turns=sum(message.role == "user" and not message.results for message in tale.messages),
        parent=None if kind == "main" else "main",
    )


def _tale(entries: list[_Entry]) -> Tale:
    messages: list[RecordedMessage] = []
    usage: dict[int, Usage] = {}
    model: str | None = None
    for index, (value, where) in enumerate(entries):
        role = _ROLES.get(str(value.get("type")))
        if role is None:
            continue
        shape, parts = gemini_parts(value.get("content"), where.at("content"))
        results: list[ResultPart] = []
        if role == "assistant":
            model = text_or_none(value.get("model")) or model
            reported = _usage(value.get("tokens"))
            if reported is not None:
                usage[len(messages)] = reported
            calls, results = _calls(value, where)
            parts = [*_thoughts(value, where), *parts, *calls]
        message = RecordedMessage(
            role=role,
            index=index,
            shape=shape,
            parts=tuple(parts),
            id=text_or_none(value.get("id")),
            timestamp=text_or_none(value.get("timestamp")),
            line=where.line,
            path=where.path,
        )
        messages.append(message)
        if results:
            update = {"role": "user", "shape": "parts", "parts": tuple(results), "id": None}
            messages.append(message.model_copy(update=update))
    return Tale(messages=tuple(messages), usage=usage, model=model)


def _thoughts(value: Mapping[str, Any], where: Where) -> list[RecordedPart]:
    listed = value.get("thoughts")
    found: list[RecordedPart] = []
    for number, thought in enumerate(listed if isinstance(listed, list) else []):
        if isinstance(thought, dict):
            text = ": ".join(as_text(thought[key]) for key in ("subject", "description") if thought.get(key))
            found.append(ThinkingBlock(text=text, line=where.line, path=where.at("thoughts").at(number).path))
    return found


def _calls(value: Mapping[str, Any], where: Where) -> tuple[list[CallPart], list[ResultPart]]:
    listed = value.get("toolCalls")
    calls: list[CallPart] = []
    results: list[ResultPart] = []
    for number, call in enumerate(listed if isinstance(listed, list) else []):
        if not isinstance(call, dict):
            continue
        place = where.at("toolCalls").at(number)
        call_id, name = identifier(call.get("id")), as_text(call.get("name") or "")
        given = arguments_of(call.get("args"))
        calls.append(CallPart(id=call_id, name=name, arguments=given, line=place.line, path=place.path))
        if call.get("result") is not None:
            at = place.at("result")
            failed = call.get("status") in ("error", "cancelled")
            results.append(
                ResultPart(
                    call_id=call_id,
                    name=name,
                    content=result_content(_answer(call["result"]), at),
                    is_error=failed,
                    line=at.line,
                    path=at.path,
                )
            )
    return calls, results


def _answer(result: Any) -> Any:
    """What the model was told: the response of the function part, its `output` where it has only that."""
    part = result[0] if isinstance(result, list) and len(result) == 1 else result
    inner = part.get("functionResponse") if isinstance(part, dict) else None
    response = inner.get("response") if isinstance(inner, dict) else None
    if isinstance(response, dict) and list(response) == ["output"]:
        return response["output"]
    return response if response is not None else result


def _usage(value: Any) -> Usage | None:
    if not isinstance(value, dict):
        return None
    made = Usage(
        input=usage_total(value.get("input"), value.get("tool")),
        cached=tokens(value.get("cached")),
        output=usage_total(value.get("output"), value.get("thoughts")),
    )
    return made if made != Usage() else None


FORMAT = Format(
    name="gemini_cli",
    title="a Gemini CLI session",
    sniff=_sniff,
    read=_read,
    dialect="gemini",
    family="transcript",
)
