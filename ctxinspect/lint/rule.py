"""What a rule is: a function from messages to faults. A rule knows no severity and no other rule.

A message rule looks at one message alone, so its answer can be kept as long as the message is. A sequence rule looks at
the whole list and its pairing. The judge turns faults into findings: it knows severities, places and stages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from ctxinspect.lint.profiles import Profile
from ctxinspect.model.flat_pairing import FlatPair, FlatPairing, Slot, carries_results, pair_messages
from ctxinspect.model.session import CallPart, RecordedMessage, RecordedPart, ResultPart, ThinkingBlock, ToolSchema

__all__ = [
    "Context",
    "Conversation",
    "Fault",
    "MessageCheck",
    "MessageRule",
    "SequenceCheck",
    "SequenceRule",
    "carries_results",
    "is_story",
    "is_system",
    "only_results",
    "only_thinking",
    "shown",
]

_SHOWN_CHARACTERS = 64


@dataclass(frozen=True, slots=True)
class Fault:
    """One occurrence: its message, the part it is in, the call concerned, and one sentence.

    `case` chooses between the two severities of a rule that has two per profile.
    """

    text: str
    message: int | None = None
    part: int | None = None
    call_id: str | None = None
    case: int = 0


@dataclass(frozen=True, slots=True)
class Context:
    """What a verdict depends on besides the messages.

    `tools` are the session's by name, None where they are not known. `recording` says that the messages stood in a
    file, `transcript` that they are a whole story rather than the body of one request, `partial` that earlier context
    is kept on a server, `thinking` that extended thinking is switched on, `ends_open` that nothing follows the list.
    """

    profile: Profile
    tools: Mapping[str, ToolSchema] | None = None
    recording: bool = True
    transcript: bool = False
    partial: bool = False
    thinking: bool = False
    model: str | None = None
    ends_open: bool = True


class Conversation:
    """A list of messages with its pairing, computed when it is first asked for.

    `items` says that every call, result and piece of reasoning is an item of its own, as in the Responses API: a run of
    assistant items is then one model call.
    """

    def __init__(self, messages: Sequence[RecordedMessage], *, items: bool = False) -> None:
        self.messages = messages
        self.items = items

    @cached_property
    def pairing(self) -> FlatPairing:
        """How the calls and results of the list pair up."""
        return pair_messages(self.messages, items=self.items)

    @cached_property
    def pair_of_call(self) -> Mapping[Slot, FlatPair]:
        """The pair of each answered call."""
        return self.pairing.by_call()

    @cached_property
    def pair_of_result(self) -> Mapping[Slot, FlatPair]:
        """The pair of each paired result."""
        return self.pairing.by_result()

    @cached_property
    def body(self) -> tuple[int, ...]:
        """Indexes of the messages that are no system messages."""
        return tuple(index for index, message in enumerate(self.messages) if not is_system(message))

    @cached_property
    def in_chat_form(self) -> bool:
        """Whether calls and results stand as Chat Completions has them, so that another API gets them converted.

        A converter lifts the opening system message into the API's own field, and a final answer is the end of a story.
        """
        return any(
            message.role in {"tool", "function"} or any("tool_calls" in (call.path or "") for call in message.calls)
            for message in self.messages
        )

    def call(self, slot: Slot) -> CallPart:
        """The call in this slot."""
        part = self.messages[slot.message].parts[slot.part]
        assert isinstance(part, CallPart)
        return part

    def result(self, slot: Slot) -> ResultPart:
        """The result in this slot."""
        part = self.messages[slot.message].parts[slot.part]
        assert isinstance(part, ResultPart)
        return part

    def calls(self) -> Iterator[tuple[Slot, CallPart]]:
        """Every call, in file order."""
        for batch in self.pairing.batches:
            for slot in batch:
                yield slot, self.call(slot)

    def in_flight(self, slot: Slot) -> bool:
        """Whether the call stands in the last batch and nothing but results follows that batch."""
        batches = self.pairing.batches
        if not batches or slot not in batches[-1]:
            return False
        return all(only_results(message) for message in self.messages[batches[-1][-1].message + 1 :])


MessageCheck: TypeAlias = Callable[[RecordedMessage, Context], Iterable[Fault]]
SequenceCheck: TypeAlias = Callable[[Conversation, Context], Iterable[Fault]]


@dataclass(frozen=True, slots=True)
class MessageRule:
    """A rule about one message; its faults name parts, the judge adds the message."""

    code: str
    check: MessageCheck


@dataclass(frozen=True, slots=True)
class SequenceRule:
    """A rule about the whole list."""

    code: str
    check: SequenceCheck


def is_story(conversation: Conversation, context: Context) -> bool:
    """Whether the list's last answer ends a story rather than being sent to be continued.

    So it is in a transcript, in a response alone, and in a recording that another API would get only converted.
    """
    if context.transcript or context.partial:
        return True
    converted = context.profile.name in {"anthropic", "gemini"}
    return context.recording and converted and conversation.in_chat_form


def is_system(message: RecordedMessage) -> bool:
    """Whether the message speaks with the authority of the system prompt."""
    return message.role in {"system", "developer"}


def only_results(message: RecordedMessage) -> bool:
    """Whether the message holds results of tools and nothing else."""
    return carries_results(message) and all(isinstance(part, ResultPart) for part in message.parts)


def only_thinking(message: RecordedMessage) -> bool:
    """Whether the message is the model's reasoning and nothing else."""
    parts: Sequence[RecordedPart] = message.parts
    return message.role == "assistant" and bool(parts) and all(isinstance(part, ThinkingBlock) for part in parts)


def shown(name: str | None) -> str:
    """A name or id from the file inside a sentence; the rest of a very long one is counted."""
    if not name:
        return "(none)"
    if len(name) <= _SHOWN_CHARACTERS:
        return name
    return f"{name[:_SHOWN_CHARACTERS]}... ({len(name)} characters)"
