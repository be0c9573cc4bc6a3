"""Ids that hold calls and results together in the target: as recorded where it takes them, else made up and noted.

A result in a pair always has the id of its call. Ids that were equal stay equal, ids that were not stay apart.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from ctxinspect.dialects.draft import Notes
from ctxinspect.model.flat_pairing import FlatPairing, Slot, pair_messages
from ctxinspect.model.session import CallPart, RecordedMessage, ResultPart

__all__ = ["Names", "name_calls"]

_STRANGE = re.compile(r"[^A-Za-z0-9_-]")


@dataclass(slots=True)
class Names:
    """For each call and each result: the id it is written with (None: without one) and the name of its tool."""

    ids: dict[Slot, str | None] = field(default_factory=dict)
    tools: dict[Slot, str] = field(default_factory=dict)
    calls: dict[Slot, CallPart] = field(default_factory=dict)
    """The call of each paired result."""


def name_calls(
    messages: Sequence[RecordedMessage], notes: Notes, *, items: bool, required: bool = True, plain: bool = False
) -> Names:
    """The ids of a list of messages in a target that needs them (`required`) or takes only letters, digits, `_`, `-`.

    `items` says that the messages are made of items, so that calls in a row are one batch.
    """
    pairing = pair_messages(messages, items=items)
    maker = _Maker(messages, notes, required=required, plain=plain)
    for batch in pairing.batches:
        for slot in batch:
            maker.name_call(slot)
    _name_results(messages, pairing, maker)
    return maker.names


def _name_results(messages: Sequence[RecordedMessage], pairing: FlatPairing, maker: _Maker) -> None:
    pairs = pairing.by_result()
    for index, message in enumerate(messages):
        for number, part in enumerate(message.parts):
            if isinstance(part, ResultPart):
                slot = Slot(index, number)
                pair = pairs.get(slot)
                maker.name_result(slot, part, pair.call if pair else None)


class _Maker:
    """Makes up what is missing, from front to back."""

    def __init__(self, messages: Sequence[RecordedMessage], notes: Notes, *, required: bool, plain: bool) -> None:
        self._messages = messages
        self._notes = notes
        self._required = required
        self._plain = plain
        self._renamed: dict[str, str] = {}
        self._used = {part.id for m in messages for part in m.calls if part.id}
        self._used |= {part.call_id for m in messages for part in m.results if part.call_id}
        self.names = Names()

    def name_call(self, slot: Slot) -> None:
        """Settle the id of a call."""
        call = self._messages[slot.message].parts[slot.part]
        assert isinstance(call, CallPart)
        self.names.calls[slot] = call
        self.names.tools[slot] = call.name
        self.names.ids[slot] = self._id(call.id, call, slot, "call")

    def name_result(self, slot: Slot, result: ResultPart, call: Slot | None) -> None:
        """Settle the id and the tool's name of a result: those of its call, where it is in a pair."""
        message = self._messages[slot.message]
        name = result.name or message.name
        if call is None:
            self.names.tools[slot] = name or "unknown"
            self.names.ids[slot] = self._id(result.call_id, result, slot, "result")
            return
        self.names.calls[slot] = self.names.calls[call]
        self.names.tools[slot] = self.names.tools[call]
        self.names.ids[slot] = self.names.ids[call]
        if name and name != self.names.tools[call]:
            why = "the result names another tool than its call: the call's name holds"
            self._notes.add(result, slot.message, "name", why, name)

    def _id(self, given: str | None, place: CallPart | ResultPart, slot: Slot, half: str) -> str | None:
        if not given:
            if not self._required:
                return None
            made = self._unused(f"{half}_m{slot.message}p{slot.part}")
            self._notes.add(place, slot.message, "id", f"a {half} needs one and has none: made up", made)
            return made
        if not self._plain or not _STRANGE.search(given):
            return given
        if given not in self._renamed:
            self._renamed[given] = self._unused(_STRANGE.sub("_", given))
            why = "only letters, digits, _ and - may stand in an id: renamed"
            self._notes.add(place, slot.message, "id", why, self._renamed[given])
        return self._renamed[given]

    def _unused(self, name: str) -> str:
        number, made = 2, name
        while made in self._used:
            made, number = f"{name}_{number}", number + 1
        self._used.add(made)
        return made
