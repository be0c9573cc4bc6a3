"""In which requests of a recording a text stands, by a look at each recorded message once.

A captured call shows what it sent. For every other request a recorded list tells it: what came before the request,
since the last reset, as the recorded view has it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from ctxinspect.model.content import content_text, thinking_texts
from ctxinspect.model.session import RecordedCall, RecordedMessage, Source, arguments_text
from ctxinspect.pipeline.occurrences import Needle
from ctxinspect.pipeline.plan import Step
from ctxinspect.pipeline.replay import Replay
from ctxinspect.readers.turns import RESET_MARKS, SYSTEM_ROLES, turns_from_messages
from ctxinspect.window import tool_json

__all__ = ["IN_TOOLS", "RecordedPresence"]

IN_TOOLS = -1
"""Stands for a message where a tool's schema holds the text."""


@dataclass(frozen=True, slots=True)
class _Told:
    """A recorded list, its messages' steps, those that hold the text, those that reset, and where the story begins."""

    call: RecordedCall
    steps: tuple[tuple[int, int], ...]
    held: tuple[int, ...]
    resets: tuple[int, ...]
    lead: int


class RecordedPresence:
    """How one text stands in each request as recorded: the message that holds it, or null."""

    def __init__(self, replay: Replay, needle: Needle) -> None:
        self._needle = needle
        source = replay.session.source
        self._capture = isinstance(source, Source) and source.family == "capture"
        self._calls = sorted(replay.session.recorded, key=lambda call: (call.turn, call.request))
        self._keys = [(call.turn, call.request) for call in self._calls]
        self._tools = replay.session.tools
        self._in_tools: dict[int, bool] = {}
        self._told: dict[int, _Told] = {}
        self._holds: dict[int, int | None] = {}

    def message(self, step: Step) -> tuple[int | None, str]:
        """The newest recorded message of this request that holds the text (its index in its list), and why none does."""
        at = (step.turn, step.request)
        place = bisect_left(self._keys, at)
        if self._schemas(min(place, len(self._calls) - 1)):
            return IN_TOOLS, ""
        if self._capture and place < len(self._keys) and self._keys[place] == at:
            while place + 1 < len(self._keys) and self._keys[place + 1] == at:
                place += 1
            index = self._whole(place)
            return index, "" if index is not None else "not_recorded"
        told = self._list(min(place, len(self._calls) - 1))

        def seen(index: int) -> bool:
            made = told.steps[index]
            return made < at or (made == at and told.call.messages[index].role != "assistant")

        reset = next((index for index in reversed(told.resets) if seen(index)), 0)
        rule = "not_recorded"
        for index in reversed(told.held):
            if not seen(index):
                continue
            if index < told.lead or index >= reset:
                return index, ""
            rule = "history_reset"
            if told.held[0] >= told.lead:
                break
        return None, rule

    def role(self, step: Step, index: int) -> str:
        """The role of a message that `message` gave for this step."""
        at = (step.turn, step.request)
        place = min(bisect_left(self._keys, at), len(self._calls) - 1)
        while self._capture and place + 1 < len(self._keys) and self._keys[place + 1] == at:
            place += 1
        return self._calls[place].messages[index].role

    def _schemas(self, place: int) -> bool:
        """Whether a tool's schema of a recorded call holds the text; the session's tools where the call has none."""
        tools = self._calls[place].tools
        tools = self._tools if tools is None else tools
        if id(tools) not in self._in_tools:
            self._in_tools[id(tools)] = any(self._needle.stands_in(tool_json(tool), as_json=True) for tool in tools)
        return self._in_tools[id(tools)]

    def _whole(self, place: int) -> int | None:
        """The newest message of a captured call that holds the text."""
        if place not in self._holds:
            messages = self._calls[place].messages
            held = (i for i in range(len(messages) - 1, -1, -1) if _holds(self._needle, messages[i]))
            self._holds[place] = next(held, None)
        return self._holds[place]

    def _list(self, place: int) -> _Told:
        if place not in self._told:
            call = self._calls[place]
            messages: Sequence[RecordedMessage] = call.messages
            self._told[place] = _Told(
                call,
                turns_from_messages(messages).steps,
                tuple(i for i, message in enumerate(messages) if _holds(self._needle, message)),
                tuple(i for i, message in enumerate(messages) if any(mark in RESET_MARKS for mark in message.marks)),
                next((i for i, message in enumerate(messages) if message.role not in SYSTEM_ROLES), 0),
            )
        return self._told[place]


def _holds(needle: Needle, message: RecordedMessage) -> bool:
    content = message.content
    if needle.stands_in(content_text(content)) or any(map(needle.stands_in, thinking_texts(content))):
        return True
    if any(needle.stands_in(content_text(result.content)) for result in message.results):
        return True
    return any(needle.stands_in(arguments_text(call.arguments), as_json=True) for call in message.calls)
