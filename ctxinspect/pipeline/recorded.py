"""The RECORDED view: what the file says was sent, as the trace of a step, without replaying anything.

For a capture it is the recorded call of the step; for a transcript its live chain as the recording tool would send it,
everything since the last reset. Calls and results stand paired; what has no partner stays visible and says so, and
`source_index` leads back to the file's own order.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from ctxinspect.lint import judge
from ctxinspect.model.content import Content, content_text, thinking_texts
from ctxinspect.model.flat_pairing import FlatPairing, Slot, pair_messages
from ctxinspect.model.session import CallPart, RecordedCall, RecordedMessage, ResultPart, Source
from ctxinspect.pipeline.judged import profile_of
from ctxinspect.pipeline.plan import Step, is_hypothetical, reported_usage
from ctxinspect.pipeline.prefix import compare_requests
from ctxinspect.pipeline.rows import session_label, usage_trace
from ctxinspect.readers.turns import RESET_MARKS, SYSTEM_ROLES, turns_from_messages
from ctxinspect.tokens.cost import PRIMING, message_cost
from ctxinspect.trace.types import CounterLabel, Finding, MessageRow, Trace, TraceCall, WindowTrace
from ctxinspect.window import ToolCost, tool_tokens, window_sizes

if TYPE_CHECKING:
    from ctxinspect.pipeline.replay import Replay

__all__ = ["recorded_request", "recorded_trace", "turn_of_message"]

NO_RESULT = "[no result recorded]"
_NOTES = {
    "compact_summary": "summary written by a compaction",
    "compact_kept": "kept by a compaction",
    "client_note": "note written by the client",
    "injected": "text injected by the client",
    "synthetic": "written by the client, not the model",
}


@dataclass(frozen=True, slots=True)
class _Seen:
    """The messages a step saw: the call they are from, and their indexes in its list."""

    call: RecordedCall
    indexes: tuple[int, ...]

    @property
    def messages(self) -> tuple[RecordedMessage, ...]:
        return tuple(self.call.messages[index] for index in self.indexes)


class _ByIdentity:
    """A recorded call that hashes by identity, so that its steps are worked out once."""

    def __init__(self, value: RecordedCall) -> None:
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ByIdentity) and other.value is self.value


@lru_cache(maxsize=64)
def _steps_of(call: _ByIdentity) -> tuple[tuple[int, int], ...]:
    return turns_from_messages(call.value.messages).steps


def _message_steps(call: RecordedCall) -> tuple[tuple[int, int], ...]:
    return _steps_of(_ByIdentity(call))


def turn_of_message(call: RecordedCall, index: int) -> int | None:
    """The turn that message `index` of a recorded call belongs to."""
    steps = _message_steps(call)
    return steps[index][0] if index < len(steps) else None


def _seen_by(replay: Replay, step: Step) -> _Seen:
    """What the recording says this step saw."""
    recorded = replay.session.recorded
    capture = isinstance(replay.session.source, Source) and replay.session.source.family == "capture"
    exact = [call for call in recorded if (call.turn, call.request) == (step.turn, step.request)]
    if exact and capture:
        return _Seen(exact[-1], tuple(range(len(exact[-1].messages))))
    later = [call for call in recorded if (call.turn, call.request) >= (step.turn, step.request)]
    call = min(later, key=lambda c: (c.turn, c.request)) if later else max(recorded, key=lambda c: (c.turn, c.request))
    steps = _message_steps(call)
    at = (step.turn, step.request)
    seen = [
        index
        for index, message in enumerate(call.messages)
        if steps[index] < at or (steps[index] == at and message.role != "assistant")
    ]
    resets = [index for index in seen if any(mark in RESET_MARKS for mark in call.messages[index].marks)]
    if resets:
        lead = next((i for i, m in enumerate(call.messages) if m.role not in SYSTEM_ROLES), 0)
        seen = [index for index in seen if index < lead or index >= resets[-1]]
    return _Seen(call, tuple(seen))


def recorded_request(replay: Replay, step: Step) -> tuple[RecordedCall, tuple[RecordedMessage, ...]]:
    """The recorded call that a step is read from, and the messages the step saw, as they stood in the file."""
    seen = _seen_by(replay, step)
    return seen.call, seen.messages


def recorded_trace(replay: Replay, step: Step) -> Trace:
    """The trace of a step in the recorded view: gate, recall, cover, selected and assembly are null."""
    session = replay.session
    turn = session.turns[step.turn]
    seen = _seen_by(replay, step)
    rows = _rows(replay, seen)
    tools = _tools(replay, seen.call)
    window = _window(replay, rows, tools)
    usage = seen.call.usage if (seen.call.turn, seen.call.request) == (step.turn, step.request) else None
    before = replay.previous(step)
    prefix = None
    if before is not None:
        earlier = _seen_by(replay, before)
        changed = _tools_change(earlier.call, seen.call)
        prefix = compare_requests(
            (before.turn, before.request), _rows(replay, earlier), rows, None, tools_change=changed
        )
    return Trace(
        session=session_label(session),
        view="recorded",
        turn_id=step.turn,
        request=step.request,
        hypothetical=is_hypothetical(turn, step.request),
        query=content_text(turn.user),
        counter=CounterLabel(replay.counter.name, replay.counter.exact),
        gate=None,
        recall=None,
        cover=None,
        selected=None,
        assembly=None,
        window=window,
        messages=rows,
        prefix=prefix,
        usage=usage_trace(reported_usage(turn, step.request) or usage, window.request_tokens + window.tool_tokens),
        ledger=None,
        findings=_findings(replay, seen, step),
    )


def _tools(replay: Replay, call: RecordedCall) -> ToolCost:
    tools = call.tools if call.tools is not None else replay.session.tools
    return tool_tokens(tools, replay.counter)


def _tools_change(before: RecordedCall, after: RecordedCall) -> int | None:
    if before.tools == after.tools or before.tools is None or after.tools is None:
        return None
    return 0


def _window(replay: Replay, rows: Sequence[MessageRow], tools: ToolCost) -> WindowTrace:
    settings = replay.settings.window
    sizes = window_sizes(
        settings.context_limit, settings.strategy, tools.tokens, context_tokens=settings.context_tokens
    )
    return WindowTrace(
        size=sizes.size,
        strategy=sizes.strategy,
        ratio=sizes.ratio,
        unit=settings.unit,
        input_budget=sizes.input_budget,
        tool_tokens=sizes.tool_tokens,
        message_budget=sizes.message_budget,
        request_tokens=sum(row.tokens for row in rows) + PRIMING,
        dropped=(),
        log=(),
    )


def _findings(replay: Replay, seen: _Seen, step: Step) -> tuple[Finding, ...]:
    session, call = replay.session, seen.call
    found = judge(
        seen.messages,
        profile=profile_of(session),
        tools=call.tools if call.tools is not None else (session.tools or None),
        recording=True,
        transcript=isinstance(session.source, Source) and session.source.family == "transcript",
        partial=call.partial is not None,
        thinking=call.thinking,
        model=call.model or session.model,
    )
    steps = _message_steps(call)
    out = []
    for finding in found:
        index = None if finding.message is None else seen.indexes[finding.message]
        turn = step.turn if index is None else steps[index][0]
        out.append(replace(finding, stage="ingest", message=index, turn_id=turn))
    return tuple(out)


def _rows(replay: Replay, seen: _Seen) -> tuple[MessageRow, ...]:
    """The messages as rows: an assistant's calls directly followed by their results, in the order of the calls."""
    messages = seen.messages
    pairing = pair_messages(messages, items=profile_of(replay.session) == "openai-responses")
    maker = _RowMaker(replay, seen, messages, pairing)
    for at in range(len(messages)):
        maker.add(at)
    return tuple(maker.rows)


class _RowMaker:
    """Turns one list of recorded messages into rows, in order."""

    def __init__(self, replay: Replay, seen: _Seen, messages: Sequence[RecordedMessage], pairing: FlatPairing) -> None:
        self._replay = replay
        self._seen = seen
        self._messages = messages
        self._steps = _message_steps(seen.call)
        self._answers = pairing.by_call()
        self._paired = {pair.result for pair in pairing.pairs}
        self._batch_of = {slot: batch for batch in pairing.batches for slot in batch}
        self._done: set[Slot] = set()
        self.rows: list[MessageRow] = []

    def add(self, at: int) -> None:
        """Append the rows of one message: its calls and their results, stray results, its own text."""
        message = self._messages[at]
        calls = [Slot(at, i) for i, part in enumerate(message.parts) if isinstance(part, CallPart)]
        if calls:
            self._add_calls(at, calls)
            return
        for i, part in enumerate(message.parts):
            if isinstance(part, ResultPart) and Slot(at, i) not in self._paired:
                self._append(at, "tool", part.content, call_id=part.call_id, name=part.name, note="no open call")
        content = message.content
        if content_text(content) or thinking_texts(content) or not message.results:
            self._append(at, message.role, content, note=self._note(message))

    def _add_calls(self, at: int, calls: Sequence[Slot]) -> None:
        batch = [slot for slot in self._batch_of.get(calls[0], tuple(calls)) if slot not in self._done]
        if not batch:
            return
        self._done.update(batch)
        parts = [self._part(slot) for slot in batch]
        shown = tuple(TraceCall(p.id, p.name, p.arguments) for p in parts if isinstance(p, CallPart))
        self._append(at, "assistant", self._messages[at].content, calls=shown, note=self._note(self._messages[at]))
        for slot, call in zip(batch, parts, strict=True):
            assert isinstance(call, CallPart)
            pair = self._answers.get(slot)
            if pair is None:
                self._append(at, "tool", NO_RESULT, call_id=call.id, name=call.name, note="call without result")
                continue
            result = self._part(pair.result)
            assert isinstance(result, ResultPart)
            note = "paired by a guess" if pair.guessed else ("paired by name" if pair.by != "id" else None)
            self._append(pair.result.message, "tool", result.content, call_id=call.id, name=call.name, note=note)

    def _part(self, slot: Slot) -> object:
        return self._messages[slot.message].parts[slot.part]

    @staticmethod
    def _note(message: RecordedMessage) -> str | None:
        return next((_NOTES[mark] for mark in message.marks if mark in _NOTES), None)

    def _append(
        self,
        at: int,
        role: str,
        content: Content | None,
        *,
        calls: tuple[TraceCall, ...] = (),
        call_id: str | None = None,
        name: str | None = None,
        note: str | None = None,
    ) -> None:
        index = self._seen.indexes[at]
        stub = note == "call without result"
        settings = self._replay.settings
        tokens = 0
        if not stub:
            tokens = message_cost(
                content,
                calls,
                self._replay.counter,
                overhead=settings.message_overhead,
                image_tokens=settings.image_tokens,
            )
        turn, request = self._steps[index]
        message = self._messages[at]
        in_round = role == "tool" or bool(calls)
        self.rows.append(
            MessageRow(
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
        )
