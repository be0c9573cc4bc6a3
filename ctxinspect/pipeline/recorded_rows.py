"""Recorded messages as rows of a trace: an assistant's calls directly followed by their results, in the order of calls.

What has no partner stays visible and says so; `source_index` leads back to the file's own order. A row depends on its
message, its partners and nothing else, so it is made once however many steps show it.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

from ctxinspect.model.content import Content, content_text, thinking_texts
from ctxinspect.model.flat_pairing import FlatPair, Slot, pair_messages
from ctxinspect.model.session import CallPart, RecordedCall, RecordedMessage, ResultPart
from ctxinspect.settings import Settings
from ctxinspect.tokens.cost import Count, message_cost
from ctxinspect.trace.types import MessageRow, TraceCall

__all__ = ["NO_RESULT", "RowBook"]

NO_RESULT = "[no result recorded]"
_NOTES = {
    "compact_summary": "summary written by a compaction",
    "compact_kept": "kept by a compaction",
    "client_note": "note written by the client",
    "injected": "text injected by the client",
    "synthetic": "written by the client, not the model",
    "cache_breakpoint": "cache breakpoint",
}


class _Pairs(NamedTuple):
    """How the calls and results of a list pair up."""

    answers: Mapping[Slot, FlatPair]
    paired: frozenset[Slot]
    batch_of: Mapping[Slot, tuple[Slot, ...]]


class RowBook:
    """The rows of one recorded call's messages, each kept once it is made.

    `steps` has turn and request of every message; `items` says that each call is an item of its own.
    """

    def __init__(
        self, call: RecordedCall, steps: Sequence[tuple[int, int]], settings: Settings, count: Count, *, items: bool
    ) -> None:
        self._messages = call.messages
        self._steps = steps
        self._settings = settings
        self._count = count
        self._items = items
        self._alone = tuple(
            not any(isinstance(part, (CallPart, ResultPart)) for part in message.parts) for message in call.messages
        )
        self._known: dict[Hashable, MessageRow] = {}

    def rows(self, indexes: Sequence[int]) -> tuple[MessageRow, ...]:
        """The rows of these messages, a list of their own: what is not among them pairs with nothing."""
        rows: list[MessageRow] = []
        pairs = self._pairs(indexes)
        done: set[Slot] = set()
        for at, index in enumerate(indexes):
            if self._alone[index]:
                row = self._known.get(index)
                rows.append(self._plain(index) if row is None else row)
            else:
                rows += self._paired(indexes, at, pairs, done)
        return tuple(rows)

    def _pairs(self, indexes: Sequence[int]) -> _Pairs:
        pairing = pair_messages([self._messages[index] for index in indexes], items=self._items)
        return _Pairs(
            pairing.by_call(),
            frozenset(pair.result for pair in pairing.pairs),
            {slot: batch for batch in pairing.batches for slot in batch},
        )

    def _plain(self, index: int) -> MessageRow:
        message = self._messages[index]
        row = self._known[index] = self._row(index, message.role, message.content, note=_note(message))
        return row

    def _paired(self, indexes: Sequence[int], at: int, pairs: _Pairs, done: set[Slot]) -> list[MessageRow]:
        """The rows of one message with calls or results: its batch, stray results, its own text."""
        index = indexes[at]
        message = self._messages[index]
        calls = [Slot(at, i) for i, part in enumerate(message.parts) if isinstance(part, CallPart)]
        if calls:
            batch = [slot for slot in pairs.batch_of.get(calls[0], tuple(calls)) if slot not in done]
            done.update(batch)
            return self._batch(indexes, at, batch, pairs.answers) if batch else []
        rows = []
        for i, part in enumerate(message.parts):
            if isinstance(part, ResultPart) and Slot(at, i) not in pairs.paired:
                key = ("stray", index, i)
                row = self._known.get(key)
                if row is None:
                    row = self._row(
                        index, "tool", part.content, call_id=part.call_id, name=part.name, note="no open call"
                    )
                    self._known[key] = row
                rows.append(row)
        if not message.results or content_text(message.content) or thinking_texts(message.content):
            rows.append(self._known.get(index) or self._plain(index))
        return rows

    def _batch(
        self, indexes: Sequence[int], at: int, batch: Sequence[Slot], answers: Mapping[Slot, FlatPair]
    ) -> list[MessageRow]:
        """A message with its calls, and a row for the result of each."""
        index = indexes[at]
        key: Hashable = (index, tuple((indexes[slot.message], slot.part) for slot in batch))
        row = self._known.get(key)
        parts = [self._messages[indexes[slot.message]].parts[slot.part] for slot in batch]
        if row is None:
            message = self._messages[index]
            shown = tuple(TraceCall(p.id, p.name, p.arguments) for p in parts if isinstance(p, CallPart))
            row = self._row(index, "assistant", message.content, calls=shown, note=_note(message))
            self._known[key] = row
        rows = [row]
        for call, slot in zip(parts, batch, strict=True):
            assert isinstance(call, CallPart)
            rows.append(self._answer(indexes, at, call, answers.get(slot)))
        return rows

    def _answer(self, indexes: Sequence[int], at: int, call: CallPart, pair: FlatPair | None) -> MessageRow:
        """The row of a call's result, or one that says there is none."""
        if pair is None:
            return self._row(
                indexes[at], "tool", NO_RESULT, call_id=call.id, name=call.name, note="call without result"
            )
        index = indexes[pair.result.message]
        note = "paired by a guess" if pair.guessed else ("paired by name" if pair.by != "id" else None)
        key = (index, pair.result.part, call.id, call.name, note)
        row = self._known.get(key)
        if row is None:
            result = self._messages[index].parts[pair.result.part]
            assert isinstance(result, ResultPart)
            row = self._row(index, "tool", result.content, call_id=call.id, name=call.name, note=note)
            self._known[key] = row
        return row

    def _row(
        self,
        index: int,
        role: str,
        content: Content | None,
        *,
        calls: tuple[TraceCall, ...] = (),
        call_id: str | None = None,
        name: str | None = None,
        note: str | None = None,
    ) -> MessageRow:
        stub = note == "call without result"
        settings = self._settings
        tokens = 0
        if not stub:
            tokens = message_cost(
                content, calls, self._count, overhead=settings.message_overhead, image_tokens=settings.image_tokens
            )
        turn, request = self._steps[index]
        message = self._messages[index]
        in_round = role == "tool" or bool(calls)
        return MessageRow(
            role=role,
            content=content_text(content),
            tool_calls=calls,
            tool_call_id=call_id,
            name=name or message.name,
            tokens=tokens,
            turn_id=turn,
            round=(request if calls else max(0, request - 1)) if in_round else None,
            synthetic="stub" if stub else None,
            state="stub" if stub else "kept",
            thinking=thinking_texts(content),
            source_index=index,
            line=message.line,
            note=note,
        )


def _note(message: RecordedMessage) -> str | None:
    return next((_NOTES[mark] for mark in message.marks if mark in _NOTES), None)
