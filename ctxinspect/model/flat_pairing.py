"""Pairing of tool calls and results in a flat list of messages as they stood in a file.

Rounds are paired in `pairing`; here are messages that nobody has grouped yet (specification page 1, turns from a flat
list, rule 4). Every result is either in exactly one pair or unpaired, every call is either in exactly one pair or open.
Empty ids are missing, not equal. Linear in the number of calls and results for results that carry an id.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

from ctxinspect.model.session import CallPart, RecordedMessage, ResultPart

__all__ = ["FlatPair", "FlatPairing", "PairedBy", "Slot", "Unpaired", "carries_results", "pair_messages"]

PairedBy: TypeAlias = Literal["id", "name", "adjacency"]


class Slot(NamedTuple):
    """A part of a list of messages: the index of its message and its index among that message's parts."""

    message: int
    part: int


@dataclass(frozen=True, slots=True)
class FlatPair:
    """A call and its result. `candidates` is how many open calls the result fitted; a nameless pair is a guess."""

    call: Slot
    result: Slot
    by: PairedBy
    candidates: int = 1

    @property
    def guessed(self) -> bool:
        """Whether nothing in the file says that these two belong together and no others."""
        return self.by == "adjacency" or self.candidates > 1


@dataclass(frozen=True, slots=True)
class Unpaired:
    """A result that is in no pair: an orphan, or a second result of `call`, whose paired result is `first`."""

    result: Slot
    kind: Literal["orphan", "duplicate"]
    call: Slot | None = None
    first: Slot | None = None


@dataclass(frozen=True, slots=True)
class FlatPairing:
    """How the calls and results of a list pair up; everything is in file order.

    `batches` are the groups of calls that one model call asked for: the calls of one message, or of a run of items.
    """

    batches: tuple[tuple[Slot, ...], ...]
    pairs: tuple[FlatPair, ...]
    open_calls: tuple[Slot, ...]
    unpaired: tuple[Unpaired, ...]

    def by_call(self) -> dict[Slot, FlatPair]:
        """The pair of each answered call."""
        return {pair.call: pair for pair in self.pairs}

    def by_result(self) -> dict[Slot, FlatPair]:
        """The pair of each paired result."""
        return {pair.result: pair for pair in self.pairs}


def carries_results(message: RecordedMessage) -> bool:
    """Whether results of tools that the client ran came back in this message."""
    if message.role == "assistant":
        return False
    return message.role in {"tool", "function"} or any(not result.server for result in message.results)


def pair_messages(messages: Sequence[RecordedMessage], *, items: bool = False) -> FlatPairing:
    """Pairs calls and results.

    With an id, a result belongs to the newest batch that has an open call with that id, and there to the first such
    call. Without one, to the first open call of its tool name in the newest batch (a nameless result fits every call).
    `items` says that each call is an item of its own, so that a run of assistant items is one batch.
    """
    state = _State(items=items)
    for index, message in enumerate(messages):
        state.enter(message)
        for number, part in enumerate(message.parts):
            if isinstance(part, CallPart):
                state.add_call(Slot(index, number), part)
            elif isinstance(part, ResultPart):
                state.add_result(Slot(index, number), part)
    return state.finish()


@dataclass
class _State:
    items: bool
    batches: list[list[Slot]] = field(default_factory=list)
    calls: dict[Slot, CallPart] = field(default_factory=dict)
    waiting: dict[str, list[tuple[int, deque[Slot]]]] = field(default_factory=dict)
    last_call: dict[str, Slot] = field(default_factory=dict)
    answers: dict[Slot, FlatPair] = field(default_factory=dict)
    pairs: list[FlatPair] = field(default_factory=list)
    unpaired: list[Unpaired] = field(default_factory=list)
    batch_open: bool = False

    def enter(self, message: RecordedMessage) -> None:
        """A new message ends the batch, unless items of one model call stand in a row."""
        if not (self.items and message.role == "assistant"):
            self.batch_open = False

    def add_call(self, slot: Slot, call: CallPart) -> None:
        if not self.batch_open:
            self.batches.append([])
            self.batch_open = True
        self.batches[-1].append(slot)
        self.calls[slot] = call
        if call.id:
            number = len(self.batches) - 1
            stack = self.waiting.setdefault(call.id, [])
            if not stack or stack[-1][0] != number:
                stack.append((number, deque()))
            stack[-1][1].append(slot)

    def add_result(self, slot: Slot, result: ResultPart) -> None:
        if result.call_id:
            self._pair_by_id(slot, result.call_id)
        else:
            self._pair_by_name(slot, result.name)

    def finish(self) -> FlatPairing:
        return FlatPairing(
            batches=tuple(tuple(batch) for batch in self.batches),
            pairs=tuple(self.pairs),
            open_calls=tuple(slot for slot in self.calls if slot not in self.answers),
            unpaired=tuple(self.unpaired),
        )

    def _pair_by_id(self, slot: Slot, call_id: str) -> None:
        stack = self.waiting.get(call_id, [])
        while stack:
            queue = stack[-1][1]
            while queue and queue[0] in self.answers:
                queue.popleft()
            if queue:
                self._pair(FlatPair(queue.popleft(), slot, "id"), call_id)
                return
            stack.pop()
        answered = self.last_call.get(call_id)
        if answered is None:
            self.unpaired.append(Unpaired(slot, "orphan"))
        else:
            self.unpaired.append(Unpaired(slot, "duplicate", answered, self.answers[answered].result))

    def _pair_by_name(self, slot: Slot, name: str | None) -> None:
        newest = self.batches[-1] if self.batches else []
        fitting = [call for call in newest if call not in self.answers and name in {None, "", self.calls[call].name}]
        if fitting:
            self._pair(FlatPair(fitting[0], slot, "name" if name else "adjacency", len(fitting)), None)
        else:
            self.unpaired.append(Unpaired(slot, "orphan"))

    def _pair(self, pair: FlatPair, call_id: str | None) -> None:
        self.pairs.append(pair)
        self.answers[pair.call] = pair
        call_id = call_id or self.calls[pair.call].id
        if call_id:
            self.last_call[call_id] = pair.call
