"""Recorded messages cut into the pieces that a wire list is made of: one role, parts in order.

Results that stand where the target has no place for them become pieces of their own, directly behind their calls. The
pieces hold every part of the messages exactly once.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, TypeAlias

from ctxinspect.dialects.draft import Draft, Notes
from ctxinspect.model.flat_pairing import Slot
from ctxinspect.model.session import (
    CallPart,
    MediaBlock,
    OtherPart,
    RecordedMessage,
    RecordedPart,
    ResultPart,
    TextBlock,
)

__all__ = [
    "HOLLOW",
    "Piece",
    "Placed",
    "hollow",
    "labelled",
    "leading",
    "merged_runs",
    "note_message",
    "pieces_of",
    "verbatim",
]

Role: TypeAlias = Literal["system", "developer", "user", "assistant", "tool"]
_ROLES: dict[str, Role] = {
    "system": "system",
    "developer": "developer",
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
    "function": "tool",
}


class Placed(NamedTuple):
    """A part and where it stands in the draft."""

    slot: Slot
    part: RecordedPart


@dataclass(frozen=True, slots=True)
class Piece:
    """Parts that go into one message of the target. Role `tool`: results only."""

    role: Role
    message: RecordedMessage
    index: int
    parts: tuple[Placed, ...]


def merged_runs(messages: Sequence[RecordedMessage]) -> tuple[RecordedMessage, ...]:
    """Messages made of items, with an assistant's go-on joined to the calls before it: no result stands between."""
    made: list[RecordedMessage] = []
    for message in messages:
        before = made[-1] if made else None
        if before is not None and before.role == message.role == "assistant" and _asks(before):
            made[-1] = before.model_copy(update={"parts": (*before.parts, *message.parts), "shape": "parts"})
        else:
            made.append(message)
    return tuple(made)


def _asks(message: RecordedMessage) -> bool:
    return any(not call.server for call in message.calls)


def leading(pieces: Sequence[Piece]) -> int:
    """How many system and developer pieces lead."""
    return next((n for n, piece in enumerate(pieces) if piece.role not in ("system", "developer")), len(pieces))


def pieces_of(draft: Draft, notes: Notes, *, together: bool) -> list[Piece]:
    """The pieces of a draft.

    `together`: results stand in user messages, beside other parts, and results in a row share one message. Otherwise
    each message's results come first, then the rest (specification page 1 rule 5).
    """
    made: list[Piece] = []
    for index, message in enumerate(draft.messages):
        for piece in _cut(message, index, notes, together=together):
            last = made[-1] if made else None
            if together and last is not None and _is_tool(last) and _is_tool(piece):
                made[-1] = replace(last, parts=(*last.parts, *piece.parts))
            else:
                made.append(piece)
    return made


def _is_tool(piece: Piece) -> bool:
    return piece.role == "tool" and piece.message.role in ("tool", "function")


def _cut(message: RecordedMessage, index: int, notes: Notes, *, together: bool) -> Iterator[Piece]:
    placed = [Placed(Slot(index, number), part) for number, part in enumerate(message.parts)]
    role = _ROLES.get(message.role)
    if role is None:
        notes.add(message, index, "role", "no role of that name there: a labelled user message", message.role)
        role, placed = "user", _labelled(f"[{message.role}]", placed)
    if role == "assistant":
        yield from _cut_assistant(message, index, placed, notes)
        return
    results = tuple(entry for entry in placed if isinstance(entry.part, ResultPart))
    rest = tuple(entry for entry in placed if not isinstance(entry.part, ResultPart))
    if role == "tool" or (results and not rest):
        if results:
            yield Piece("tool", message, index, results)
        if rest or not results:
            yield Piece("user", message, index, rest)
        return
    if results and together:
        yield Piece(role, message, index, tuple(placed))
        return
    if results:
        if not isinstance(placed[0].part, ResultPart):
            notes.add(message, index, "order", "text stood before a result: results come first there")
        yield Piece("tool", message, index, results)
    yield Piece(role, message, index, rest)


def _cut_assistant(message: RecordedMessage, index: int, placed: Sequence[Placed], notes: Notes) -> Iterator[Piece]:
    """Results of tools that the provider ran become messages of their own; open calls go to the last piece."""
    if not message.results:
        yield Piece("assistant", message, index, tuple(placed))
        return
    spoken: list[Placed] = []
    results: list[Placed] = []
    waiting: list[Placed] = []
    for entry in placed:
        if isinstance(entry.part, ResultPart):
            results.append(entry)
            continue
        if results:
            yield from _said(message, index, spoken, results)
            spoken, results = [], []
        if isinstance(entry.part, CallPart) and not entry.part.server:
            waiting.append(entry)
        else:
            spoken.append(entry)
    if not results:
        yield Piece("assistant", message, index, (*spoken, *waiting))
        return
    yield from _said(message, index, spoken, results)
    if waiting:
        notes.add(message, index, "order", "a call stood before results of the provider's own tools: it comes after")
        yield Piece("assistant", message, index, tuple(waiting))


def _said(message: RecordedMessage, index: int, spoken: Sequence[Placed], results: Sequence[Placed]) -> Iterator[Piece]:
    if spoken:
        yield Piece("assistant", message, index, tuple(spoken))
    yield Piece("tool", message, index, tuple(results))


def _labelled(label: str, placed: Sequence[Placed]) -> list[Placed]:
    """The parts with a label before what is said first, so that who speaks is visible (specification page 4 rule 6)."""
    first = next((n for n, (_, part) in enumerate(placed) if isinstance(part, (TextBlock, MediaBlock))), None)
    if first is None:
        return list(placed)
    slot, part = placed[first]
    if isinstance(part, TextBlock):
        shown = [Placed(slot, part.model_copy(update={"text": f"{label} {part.text}"}))]
    else:
        shown = [Placed(slot, TextBlock(text=label)), placed[first]]
    return [*placed[:first], *shown, *placed[first + 1 :]]


def hollow(piece: Piece) -> bool:
    """Whether a piece of which nothing could be written held something: then it is left out, not written as empty."""
    return bool(piece.parts) and not any(isinstance(entry.part, TextBlock) for entry in piece.parts)


HOLLOW = "nothing of it can be held: the message is left out"


def labelled(piece: Piece, label: str) -> Piece:
    """The piece with a label before its first text."""
    return replace(piece, parts=tuple(_labelled(label, piece.parts)))


def note_message(draft: Draft, notes: Notes, *, names: bool) -> None:
    """What of a message no request holds: when it was written, its id, what the recording tool marked; its name."""
    for index, message in enumerate(draft.messages):
        if message.timestamp:
            notes.add(message, index, "timestamp", "a request has no place for times")
        if message.id:
            notes.add(message, index, "message id", "a message of a request has no id of its own")
        if message.name and not names and not message.results:
            notes.add(message, index, "name", "a message has no name there: left out", message.name)
        for mark in message.marks:
            if mark in _TOLD:
                notes.add(message, index, "mark", _TOLD[mark])


_TOLD = {
    "compact_summary": "that it is the summary of a compaction is not visible there",
    "compact_kept": "that a compaction kept it is not visible there",
    "history_reset": "that earlier messages were out of the context from here on cannot be said there",
    "injected": "that the client wrote it, not the person, is not visible there",
    "client_note": "that the client wrote it, not the person, is not visible there",
}


_OWN = {
    "anthropic": frozenset({"compaction", "container_upload", "search_result", "tool_reference"}),
    "openai-responses": frozenset({"mcp_list_tools"}),
}
"""Blocks of each dialect that are known only as a whole."""


def verbatim(part: OtherPart, draft: Draft, target: str) -> dict[str, Any] | None:
    """A block that this project does not read, as it stood, where the target is its own dialect; else None."""
    if draft.origin != target or part.kind not in _OWN.get(target, ()):
        return None
    try:
        value = json.loads(part.text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
