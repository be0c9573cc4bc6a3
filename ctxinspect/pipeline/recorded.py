"""The RECORDED view: what the file says was sent, as the trace of a step, without replaying anything.

For a capture it is the recorded call of the step; for a transcript its live chain as the recording tool would send it,
everything since the last reset. What steps share (rows of messages, findings of one message alone) is made once.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from ctxinspect.lint import Linter
from ctxinspect.model.content import content_text
from ctxinspect.model.session import RecordedCall, RecordedMessage, Session, Source
from ctxinspect.pipeline.judged import profile_of
from ctxinspect.pipeline.plan import Step, is_hypothetical, previous_step, reported_usage
from ctxinspect.pipeline.prefix import compare_requests
from ctxinspect.pipeline.recorded_rows import RowBook
from ctxinspect.pipeline.rows import session_label, usage_trace
from ctxinspect.pipeline.summary import RequestSummary, finding_counts
from ctxinspect.readers.turns import RESET_MARKS, SYSTEM_ROLES, turns_from_messages
from ctxinspect.settings import Settings
from ctxinspect.tokens.cost import PRIMING
from ctxinspect.tokens.counter import Counter
from ctxinspect.trace.types import CounterLabel, Finding, MessageRow, Trace, WindowTrace
from ctxinspect.window import ToolCost, tool_tokens, window_sizes

if TYPE_CHECKING:
    from ctxinspect.pipeline.replay import Replay

__all__ = ["RecordedView", "recorded_request", "turn_of_message"]

_KEPT_CALLS = 16
_KEPT_ROWS = 4


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


class _Sheet:
    """One recorded call with what is worked out once for all the steps that are read from it."""

    def __init__(self, call: RecordedCall, session: Session, settings: Settings, counter: Counter) -> None:
        self.call = call
        self.steps = _message_steps(call)
        self._session = session
        self._counter = counter
        items = profile_of(session) == "openai-responses"
        self.book = RowBook(call, self.steps, settings, counter, items=items)
        self._resets = [
            index for index, message in enumerate(call.messages) if any(mark in RESET_MARKS for mark in message.marks)
        ]

    @cached_property
    def tools(self) -> ToolCost:
        """What the call's tools cost, or the session's where the call does not say (tokens)."""
        tools = self.call.tools if self.call.tools is not None else self._session.tools
        return tool_tokens(tools, self._counter)

    @cached_property
    def linter(self) -> Linter:
        """The judge of this call's messages."""
        session, call = self._session, self.call
        return Linter(
            profile_of(session),
            tools=call.tools if call.tools is not None else (session.tools or None),
            recording=True,
            transcript=isinstance(session.source, Source) and session.source.family == "transcript",
            partial=call.partial is not None,
            thinking=call.thinking,
            model=call.model or session.model,
        )

    def before(self, step: Step) -> tuple[int, ...]:
        """The messages of a longer list that this step saw: everything since the last reset but its own answer."""
        at = (step.turn, step.request)
        messages = self.call.messages
        seen = [
            index
            for index, place in enumerate(self.steps)
            if place < at or (place == at and messages[index].role != "assistant")
        ]
        chosen = set(seen) if self._resets else ()
        resets = [index for index in self._resets if index in chosen]
        if resets:
            lead = next((index for index, message in enumerate(messages) if message.role not in SYSTEM_ROLES), 0)
            seen = [index for index in seen if index < lead or index >= resets[-1]]
        return tuple(seen)


@dataclass(frozen=True, slots=True)
class _Seen:
    """The messages a step saw: the call they are from, and their indexes in its list."""

    sheet: _Sheet
    indexes: tuple[int, ...]

    @property
    def messages(self) -> tuple[RecordedMessage, ...]:
        return tuple(self.sheet.call.messages[index] for index in self.indexes)


class RecordedView:
    """The steps of one session as its file has them. Each answer depends on the session and the step alone."""

    def __init__(self, session: Session, settings: Settings, counter: Counter) -> None:
        self._session = session
        self._settings = settings
        self._counter = counter
        self._sheets: OrderedDict[int, _Sheet] = OrderedDict()
        self._rows: OrderedDict[Step, tuple[MessageRow, ...]] = OrderedDict()

    def trace(self, step: Step) -> Trace:
        """The trace of a step: gate, recall, cover, selected, assembly and ledger are null."""
        session = self._session
        turn = session.turns[step.turn]
        seen = self.seen(step)
        call = seen.sheet.call
        rows = self._rows_of(step, seen)
        window = self._window(rows, seen.sheet.tools)
        usage = call.usage if (call.turn, call.request) == (step.turn, step.request) else None
        before = previous_step(session, step)
        prefix = None
        if before is not None:
            earlier = self.seen(before)
            changed = _tools_change(earlier.sheet.call, call)
            prefix = compare_requests(
                (before.turn, before.request), self._rows_of(before, earlier), rows, None, tools_change=changed
            )
        return Trace(
            session=session_label(session),
            view="recorded",
            turn_id=step.turn,
            request=step.request,
            hypothetical=is_hypothetical(turn, step.request),
            query=content_text(turn.user),
            counter=CounterLabel(self._counter.name, self._counter.exact),
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
            findings=self._findings(seen, step),
        )

    def summary(self, step: Step) -> RequestSummary:
        """The step in a few figures, without its trace and without comparing it with the request before."""
        seen = self.seen(step)
        rows = self._rows_of(step, seen)
        return RequestSummary(
            step=step,
            decision=None,
            request_tokens=sum(row.tokens for row in rows) + PRIMING,
            tool_tokens=seen.sheet.tools.tokens,
            dropped_units=0,
            dropped_components=0,
            cut_components=0,
            handles=sum(row.state == "handle" for row in rows),
            findings=finding_counts(seen.sheet.linter.judge(seen.messages)),
        )

    def seen(self, step: Step) -> _Seen:
        """What the recording says this step saw."""
        recorded = self._session.recorded
        at = (step.turn, step.request)
        capture = isinstance(self._session.source, Source) and self._session.source.family == "capture"
        exact = [call for call in recorded if (call.turn, call.request) == at]
        if exact and capture:
            return _Seen(self._sheet(exact[-1]), tuple(range(len(exact[-1].messages))))
        later = [call for call in recorded if (call.turn, call.request) >= at]
        call = (
            min(later, key=lambda c: (c.turn, c.request)) if later else max(recorded, key=lambda c: (c.turn, c.request))
        )
        sheet = self._sheet(call)
        return _Seen(sheet, sheet.before(step))

    def _sheet(self, call: RecordedCall) -> _Sheet:
        sheet = self._sheets.get(id(call))
        if sheet is None:
            sheet = self._sheets[id(call)] = _Sheet(call, self._session, self._settings, self._counter)
            if len(self._sheets) > _KEPT_CALLS:
                self._sheets.popitem(last=False)
        return sheet

    def _rows_of(self, step: Step, seen: _Seen) -> tuple[MessageRow, ...]:
        rows = self._rows.get(step)
        if rows is None:
            rows = self._rows[step] = seen.sheet.book.rows(seen.indexes)
            if len(self._rows) > _KEPT_ROWS:
                self._rows.popitem(last=False)
        return rows

    def _window(self, rows: Sequence[MessageRow], tools: ToolCost) -> WindowTrace:
        settings = self._settings.window
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

    @staticmethod
    def _findings(seen: _Seen, step: Step) -> tuple[Finding, ...]:
        out = []
        for finding in seen.sheet.linter.judge(seen.messages):
            index = None if finding.message is None else seen.indexes[finding.message]
            turn = step.turn if index is None else seen.sheet.steps[index][0]
            out.append(replace(finding, stage="ingest", message=index, turn_id=turn))
        return tuple(out)


def recorded_request(replay: Replay, step: Step) -> tuple[RecordedCall, tuple[RecordedMessage, ...]]:
    """The recorded call that a step is read from, and the messages the step saw, as they stood in the file."""
    seen = replay.recorded.seen(step)
    return seen.sheet.call, seen.messages


def _tools_change(before: RecordedCall, after: RecordedCall) -> int | None:
    if before is after or before.tools == after.tools or before.tools is None or after.tools is None:
        return None
    return 0
