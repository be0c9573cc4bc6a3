"""SWE-agent trajectories: `history` is the talk; tool results name their call in a list of one.

Old ones have no calls: the action is text of the assistant and the observation is a user message.
"""

from __future__ import annotations

from typing import Any

from ctxinspect.errors import InputError
from ctxinspect.readers.chats import ChatItem, chat_of
from ctxinspect.readers.container import Recording, Sample
from ctxinspect.readers.reading import Conversation, Reading
from ctxinspect.readers.registry import Format
from ctxinspect.readers.wire.parts import Where

__all__ = ["FORMAT"]

_MISSING = ("the tool schemas", "older observations as they were elided from single calls")


def _is_trajectory(value: dict[str, Any]) -> bool:
    return isinstance(value.get("history"), list) and isinstance(value.get("trajectory"), list)


def _sniff(sample: Sample) -> float:
    return 0.9 * sample.share(_is_trajectory)


def _read(recording: Recording) -> Reading:
    found: list[Conversation] = []
    for number, record in enumerate(recording.records(), 1):
        if isinstance(record.value, dict) and _is_trajectory(record.value):
            where = Where(record.line, record.path).at("history")
            found += _agents(record.value["history"], where, number)
    if not found:
        raise InputError("no message in its history", remedy="expected a trajectory with history")
    return Reading(tuple(found), "openai", "transcript", missing=_MISSING)


def _agents(history: list[Any], where: Where, number: int) -> list[Conversation]:
    """One conversation for each agent that talks in the history."""
    talks: dict[str, list[ChatItem]] = {}
    for index, entry in enumerate(history):
        if isinstance(entry, dict) and "role" in entry:
            talks.setdefault(str(entry.get("agent") or "main"), []).append((_chat(entry), where.at(index)))
    return [
        chat_of(name if number == 1 else f"{name}-{number}", items, kind="main" if n == 0 else "subagent")
        for n, (name, items) in enumerate(talks.items())
    ]


def _chat(entry: dict[str, Any]) -> dict[str, Any]:
    ids = entry.get("tool_call_ids")
    if isinstance(ids, list) and len(ids) == 1 and "tool_call_id" not in entry:
        return {**entry, "tool_call_id": ids[0]}
    return entry


FORMAT = Format(
    name="swe_agent", title="a SWE-agent trajectory", sniff=_sniff, read=_read, dialect="openai", family="transcript"
)
