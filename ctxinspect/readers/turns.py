"""Turns from a flat list of messages (specification page 1, rules 1 to 5), the same for every foreign format.

Every message belongs to exactly one step (turn, request): an assistant message to the request that made it, every other
message to the first request that saw it. So the messages of request (t, r) are those of earlier steps, and of its own
step all but the assistant's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ctxinspect.model.content import Content, MediaPart, Part, TextPart, ThinkingPart, join_contents
from ctxinspect.model.session import (
    CallPart,
    Component,
    OtherPart,
    RecordedMessage,
    RecordedPart,
    ResultPart,
    Round,
    ToolCall,
    ToolResult,
    Turn,
    Usage,
)

__all__ = ["RESET_MARKS", "SYSTEM_ROLES", "Step", "Story", "turns_from_messages"]

SYSTEM_ROLES = ("system", "developer")
RESET_MARKS = ("compact_summary", "history_reset")
"""Marks of a message whose turn puts all earlier turns out of the context."""

Step = tuple[int, int]
"""(turn, request)."""

_SOURCES = {"compact_summary": "compaction", "client_note": "client", "injected": "client"}


@dataclass(frozen=True, slots=True)
class Story:
    """What a list of messages tells: standing components, turns, and the step of each message.

    `after[n]` is the step of a request that holds exactly the first n messages.
    """

    components: tuple[Component, ...]
    turns: tuple[Turn, ...]
    steps: tuple[Step, ...]
    after: tuple[Step, ...]


@dataclass(slots=True)
class _Round:
    assistant: Content | None = ""
    calls: list[ToolCall] = field(default_factory=list)
    results: list[ToolResult] = field(default_factory=list)
    answered: set[int] = field(default_factory=set)
    usage: Usage | None = None


@dataclass(slots=True)
class _Turn:
    user: Content = ""
    source: str = "user"
    timestamp: str | None = None
    resets: bool = False
    rounds: list[_Round] = field(default_factory=list)
    answer: _Round | None = None
    interrupted: bool = False


def turns_from_messages(
    messages: Sequence[RecordedMessage], usage: Mapping[int, Usage] | None = None, *, labelled: bool = True
) -> Story:
    """The story of a message list. `usage` maps the position of an assistant message to what its call reported.

    With `labelled`, messages a client wrote (summaries, notes, injected text) get a source of their own.
    """
    known = usage or {}
    lead = next((i for i, message in enumerate(messages) if message.role not in SYSTEM_ROLES), len(messages))
    builder = _Builder(labelled=labelled)
    for position, message in enumerate(messages[lead:], lead):
        builder.add(message, known.get(position))
    return Story(
        components=_components(messages[:lead]),
        turns=tuple(_finished(turn) for turn in builder.turns),
        steps=((0, 0),) * lead + tuple(builder.steps),
        after=((0, 0),) * (lead + 1) + tuple(builder.after),
    )


def _components(messages: Sequence[RecordedMessage]) -> tuple[Component, ...]:
    return tuple(
        Component(
            name="system" if number == 1 else f"system_{number}", content=message.text, priority=100, truncatable=False
        )
        for number, message in enumerate(messages, 1)
    )


class _Builder:
    """Takes messages one by one; linear, but for results whose call is searched backwards through open calls."""

    def __init__(self, *, labelled: bool) -> None:
        self.turns: list[_Turn] = []
        self.steps: list[Step] = []
        self.after: list[Step] = []
        self._labelled = labelled
        self._open: dict[str, list[tuple[_Round, int]]] = {}

    def add(self, message: RecordedMessage, usage: Usage | None) -> None:
        if message.role == "assistant" and not ({"compact_kept", "compact_summary"} & set(message.marks)):
            step = self._assistant(message, usage)
        else:
            self._input(message)
            step = self._step()
        self.steps.append(step)
        self.after.append(self._step())

    def _step(self) -> Step:
        return (len(self.turns) - 1, len(self.turns[-1].rounds)) if self.turns else (0, 0)

    def _turn(self) -> _Turn:
        if not self.turns:
            self.turns.append(_Turn())
        return self.turns[-1]

    def _input(self, message: RecordedMessage) -> None:
        """A user, system or tool message: its results first (rule 5), then the rest starts a turn (rule 2)."""
        if "compact_kept" in message.marks and self.turns:
            self._keep(message)
            return
        results = message.results
        for result in results:
            self._result(result, message)
        if message.role in ("tool", "function") and results:
            return
        rest = tuple(part for part in message.parts if not isinstance(part, (ResultPart, CallPart)))
        if results and not rest:
            return
        if "client_note" in message.marks and self.turns:
            self.turns[-1].interrupted = True
        source = "system" if message.role in SYSTEM_ROLES else "user"
        if message.role not in ("user", *SYSTEM_ROLES):
            source = message.role
        if self._labelled:
            source = next((_SOURCES[mark] for mark in message.marks if mark in _SOURCES), source)
        resets = any(mark in RESET_MARKS for mark in message.marks)
        content = _content(rest, as_string=message.shape == "string")
        self.turns.append(_Turn(content, source, message.timestamp, resets))

    def _keep(self, message: RecordedMessage) -> None:
        """What a compaction kept beside its summary: it joins the summary's turn and makes none of its own."""
        turn = self.turns[-1]
        kept = tuple(part for part in message.parts if not isinstance(part, (ResultPart, CallPart)))
        turn.user = join_contents([turn.user, _content(kept, as_string=message.shape == "string")])

    def _assistant(self, message: RecordedMessage, usage: Usage | None) -> Step:
        """A message with calls is a round; calls the provider answered itself part it into several."""
        turn = self._turn()
        if turn.answer is not None:
            turn.rounds.append(turn.answer)
            turn.answer = None
        step = self._step()
        pieces = _pieces(message.parts)
        for number, parts in enumerate(pieces, 1):
            calls = [part for part in parts if isinstance(part, CallPart)]
            made = _Round(assistant=_content(parts, as_string=message.shape == "string"))
            made.calls = [ToolCall(id=call.id, name=call.name, arguments=call.arguments) for call in calls]
            if message.shape in ("null", "absent") and not parts:
                made.assistant = None
            if number == len(pieces):
                made.usage = usage
            if not calls:
                turn.answer = made
                continue
            turn.rounds.append(made)
            for index, call in enumerate(calls):
                self._open.setdefault(call.id or "", []).append((made, index))
            for part in parts:
                if isinstance(part, ResultPart):
                    self._result(part, message)
        return step

    def _result(self, part: ResultPart, message: RecordedMessage) -> None:
        """Rule 4: the nearest earlier open call with its id, else by name in the newest round, else unpaired there."""
        name = part.name or message.name
        content = "" if part.content is None else part.content
        result = ToolResult(call_id=part.call_id, name=name, content=content, is_error=part.is_error)
        waiting = self._open.get(part.call_id or "", []) if part.call_id else []
        if waiting:
            home, index = self._nearest(waiting)
            home.answered.add(index)
            home.results.append(result)
            return
        newest = self._newest_round()
        if not part.call_id:
            hit = next(
                (
                    i
                    for i, call in enumerate(newest.calls)
                    if i not in newest.answered and (not name or call.name == name)
                ),
                None,
            )
            if hit is not None:
                newest.answered.add(hit)
                entry = (newest, hit)
                self._open[newest.calls[hit].id or ""].remove(entry)
        newest.results.append(result)

    def _newest_round(self) -> _Round:
        """The last round there is; where there is none, an empty one in this turn."""
        for turn in reversed(self.turns):
            if turn.rounds:
                return turn.rounds[-1]
        turn = self._turn()
        turn.rounds.append(_Round())
        return turn.rounds[-1]

    @staticmethod
    def _nearest(waiting: list[tuple[_Round, int]]) -> tuple[_Round, int]:
        """Takes the newest round with an open call of this id; of several in one round, the first call."""
        home = waiting[-1][0]
        position = next(i for i, entry in enumerate(waiting) if entry[0] is home)
        return waiting.pop(position)


def _pieces(parts: Sequence[RecordedPart]) -> list[list[RecordedPart]]:
    """The parts up to and with each group of results that stands inside the message, then the rest."""
    pieces: list[list[RecordedPart]] = [[]]
    for part in parts:
        if pieces[-1] and isinstance(pieces[-1][-1], ResultPart) and not isinstance(part, ResultPart):
            pieces.append([])
        pieces[-1].append(part)
    return pieces


def _content(parts: Sequence[RecordedPart], *, as_string: bool) -> Content:
    """The parts that are no call and no result, as a turn's content; a lone text stays a string where it was one."""
    kept: list[Part] = []
    for part in parts:
        if isinstance(part, TextPart):
            kept.append(TextPart(text=part.text))
        elif isinstance(part, ThinkingPart):
            kept.append(ThinkingPart(text=part.text, signature=part.signature))
        elif isinstance(part, MediaPart):
            kept.append(MediaPart(type=part.type, media_type=part.media_type, bytes=part.bytes, sha256=part.sha256))
        elif isinstance(part, OtherPart) and part.text and part.fault is None:
            kept.append(TextPart(text=part.text))
    if not kept:
        return ""
    if len(kept) == 1 and isinstance(kept[0], TextPart):
        return kept[0].text
    if as_string and all(isinstance(part, TextPart) for part in kept):
        return "\n".join(part.text for part in kept if isinstance(part, TextPart))
    return tuple(kept)


def _finished(turn: _Turn) -> Turn:
    answer = turn.answer
    return Turn(
        user=turn.user,
        source=turn.source,
        timestamp=turn.timestamp,
        rounds=tuple(
            Round(
                assistant=made.assistant,
                tool_calls=tuple(made.calls),
                tool_results=tuple(made.results),
                usage=made.usage,
            )
            for made in turn.rounds
        ),
        assistant=answer.assistant if answer else None,
        interrupted=turn.interrupted,
        resets_history=turn.resets,
        usage=answer.usage if answer else None,
    )
