"""What a valid sequence would be: a recorded list with every call answered once, directly behind it.

Nothing is invented but stubs that say so, and every step names its reason. Judging the repaired list gives no pairing
error under the profile it was repaired for; a list that has none is returned as it is, with no steps.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from ctxinspect.lint.judging import judge
from ctxinspect.lint.profiles import Profile, profile_named
from ctxinspect.model.flat_pairing import FlatPairing, Slot, pair_messages
from ctxinspect.model.session import CallPart, RecordedMessage, RecordedPart, ResultPart

__all__ = ["PAIRING_RULES", "STUB", "Repair", "RepairStep", "plan_repair"]

STUB = "[interrupted: no result]"
"""The content of a result that was never recorded (specification page 4 rule 3)."""

PAIRING_RULES: frozenset[str] = frozenset(
    {
        "call-in-flight",
        "duplicate-call-id",
        "duplicate-result",
        "missing-call-id",
        "missing-result",
        "orphan-result",
        "result-not-adjacent",
    }
)
"""The rules that a repaired list does not break."""

RepairKind: TypeAlias = Literal["drop", "stub", "move", "rename"]
_STRANGE = re.compile(r"[^A-Za-z0-9_-]")


@dataclass(frozen=True, slots=True)
class RepairStep:
    """One change: what is done to which message of the given list, for which call, and why."""

    kind: RepairKind
    message: int
    call_id: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class Repair:
    """The steps in the order of the messages they concern, and the list they lead to."""

    steps: tuple[RepairStep, ...]
    messages: tuple[RecordedMessage, ...]


def plan_repair(messages: Sequence[RecordedMessage], *, profile: Profile | str, items: bool | None = None) -> Repair:
    """The steps from a recorded list to one whose pairs are whole, under a provider profile. Nothing is changed.

    Raises UsageError for an unknown profile.
    """
    chosen = profile_named(profile)
    if items is None:
        items = chosen.name == "openai-responses" or any("item" in message.marks for message in messages)
    found = judge(messages, profile=chosen, items=items)
    if not any(finding.severity == "error" and finding.id in PAIRING_RULES for finding in found):
        return Repair((), tuple(messages))
    return _Mender(tuple(messages), chosen, items=items).repair()


@dataclass
class _Mender:
    """Builds the repaired list from front to back."""

    messages: tuple[RecordedMessage, ...]
    profile: Profile
    items: bool
    steps: list[RepairStep] = field(default_factory=list)

    def repair(self) -> Repair:
        pairing = pair_messages(self.messages, items=self.items)
        names = self._names(pairing)
        answers = {pair.call: pair.result for pair in pairing.pairs}
        self._drop_unpaired(pairing)
        ends = {batch[-1].message: batch for batch in pairing.batches}
        mended: list[RecordedMessage] = []
        for index, message in enumerate(self.messages):
            kept = self._without_results(index, message, names, answers)
            if kept is not None:
                mended.append(kept)
            batch = ends.get(self._end_of_run(index)) if self._closes_run(index) else None
            if batch is not None:
                mended += self._results(batch, answers, names)
        self.steps.sort(key=lambda step: step.message)
        return Repair(tuple(self.steps), tuple(mended))

    def _closes_run(self, index: int) -> bool:
        """Whether results of the batch that this message belongs to come next: at once, or after a run of items."""
        if self.messages[index].role != "assistant" or not self.items:
            return True
        return index + 1 == len(self.messages) or self.messages[index + 1].role != "assistant"

    def _end_of_run(self, index: int) -> int:
        """The last message with calls of the run of items that ends here; this message itself for other lists."""
        if not self.items:
            return index
        while index > 0 and not self.messages[index].calls and self.messages[index - 1].role == "assistant":
            if self.messages[index].role != "assistant":
                break
            index -= 1
        return index

    def _drop_unpaired(self, pairing: FlatPairing) -> None:
        for unpaired in pairing.unpaired:
            result = self._result(unpaired.result)
            reason = "its call is not in the list" if unpaired.kind == "orphan" else "its call is answered already"
            self.steps.append(RepairStep("drop", unpaired.result.message, result.call_id, f"result dropped: {reason}"))

    def _names(self, pairing: FlatPairing) -> dict[Slot, str | None]:
        """The id of every call in the repaired list: as recorded, unless the profile refuses it."""
        used: set[str] = set()
        names: dict[Slot, str | None] = {}
        needs_ids = self.profile.severity("missing-call-id") is not None
        # Dropping what parts two runs of items makes them one, so ids of items are made unique in the whole list.
        unique = self.items or self.profile.severity("duplicate-call-id", 0) == "error"
        for batch in pairing.batches:
            within: set[str] = set()
            for number, slot in enumerate(batch):
                given = self._call(slot).id
                taken = used if unique else within
                name = given or (f"m{slot.message}c{number}" if needs_ids else None)
                if name is not None and name in taken:
                    name = _unused(_STRANGE.sub("_", name), used | within)
                if name != (given or None):
                    why = "two calls have one id" if given else "a call needs an id"
                    self.steps.append(RepairStep("rename", slot.message, given, f"call id becomes {name}: {why}"))
                names[slot] = name
                if name is not None:
                    used.add(name)
                    within.add(name)
        return names

    def _without_results(
        self,
        index: int,
        message: RecordedMessage,
        names: Mapping[Slot, str | None],
        answers: Mapping[Slot, Slot],
    ) -> RecordedMessage | None:
        """The message with its calls renamed and without results of tools; None where nothing of it is left."""
        if not message.calls and not message.results:
            return message
        parts: list[RecordedPart] = []
        for number, part in enumerate(message.parts):
            slot = Slot(index, number)
            if isinstance(part, CallPart):
                if part.server and slot not in answers:
                    reason = "call dropped: the provider ran it and its result is not in the list"
                    self.steps.append(RepairStep("drop", index, part.id, reason))
                    continue
                parts.append(part.model_copy(update={"id": names[slot]}))
            elif isinstance(part, ResultPart):
                if part.server and message.role == "assistant":
                    parts += self._server_result(slot, part, names, answers)
            else:
                parts.append(part)
        return message.model_copy(update={"parts": tuple(parts)}) if parts else None

    @staticmethod
    def _server_result(
        slot: Slot, part: ResultPart, names: Mapping[Slot, str | None], answers: Mapping[Slot, Slot]
    ) -> Iterator[ResultPart]:
        for call, result in answers.items():
            if result == slot:
                yield part.model_copy(update={"call_id": names[call]})

    def _results(
        self, batch: Sequence[Slot], answers: Mapping[Slot, Slot], names: Mapping[Slot, str | None]
    ) -> Iterator[RecordedMessage]:
        """One result for each call, in the order of the calls; in one user message where the list keeps them there."""
        made: list[RecordedMessage] = []
        last = batch[-1].message
        for slot in batch:
            call, answer = self._call(slot), answers.get(slot)
            if answer is not None and self.messages[answer.message].role == "assistant":
                continue
            if answer is None:
                if not call.server:
                    self.steps.append(RepairStep("stub", slot.message, call.id, f"result added: {STUB}"))
                    made.append(self._stub(call, names[slot], last))
                continue
            carrier = self.messages[answer.message]
            if not self._is_next(last, answer.message):
                reason = f"result moved directly behind its call, message {slot.message}"
                self.steps.append(RepairStep("move", answer.message, call.id, reason))
            result = self._result(answer).model_copy(update={"call_id": names[slot]})
            made.append(carrier.model_copy(update={"parts": (result,)}))
        yield from _joined(made)

    def _is_next(self, call: int, result: int) -> bool:
        return all(between.results for between in self.messages[call + 1 : result])

    def _stub(self, call: CallPart, name: str | None, index: int) -> RecordedMessage:
        role = self._result_role()
        part = ResultPart(call_id=name, name=call.name or None, content=STUB, is_error=True)
        shape: Literal["parts", "string"] = "parts" if role == "user" else "string"
        tool_name = call.name if role == "function" else None
        return RecordedMessage(role=role, index=index, shape=shape, parts=(part,), name=tool_name, marks=("synthetic",))

    def _result_role(self) -> str:
        """The role that carries results in this list; the profile's own where it has none."""
        for message in self.messages:
            if message.results and message.role != "assistant":
                return message.role
        return "user" if self.profile.name in {"anthropic", "gemini"} else "tool"

    def _call(self, slot: Slot) -> CallPart:
        part = self.messages[slot.message].parts[slot.part]
        assert isinstance(part, CallPart)
        return part

    def _result(self, slot: Slot) -> ResultPart:
        part = self.messages[slot.message].parts[slot.part]
        assert isinstance(part, ResultPart)
        return part


def _joined(messages: Sequence[RecordedMessage]) -> Iterator[RecordedMessage]:
    """Results that user messages carry, together in one message; others as they are."""
    if not messages or any(message.role != "user" for message in messages):
        yield from messages
        return
    first = next((message for message in messages if "synthetic" not in message.marks), messages[0])
    yield first.model_copy(update={"parts": tuple(part for message in messages for part in message.parts)})


def _unused(name: str, used: set[str]) -> str:
    number = 2
    while f"{name}-{number}" in used:
        number += 1
    return f"{name}-{number}"
