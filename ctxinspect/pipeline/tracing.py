"""The trace of a replayed request: what its stages returned, put together as page 6 of the specification has it.

A message's row is made once however many requests hold it, so that two requests are compared by identity first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ctxinspect.model.content import content_text
from ctxinspect.model.messages import Message
from ctxinspect.model.session import Session
from ctxinspect.pipeline.judged import Judge
from ctxinspect.pipeline.ledger import build_ledger
from ctxinspect.pipeline.plan import Step, is_hypothetical, previous_step, reported_usage
from ctxinspect.pipeline.prefix import compare_requests, lost_tokens
from ctxinspect.pipeline.rows import message_row, session_label, usage_trace
from ctxinspect.pipeline.stages import Request, Stages
from ctxinspect.pipeline.summary import RequestSummary, finding_counts
from ctxinspect.trace.types import STAGES, CounterLabel, Finding, MessageRow, PrefixTrace, SelectedRow, Trace

__all__ = ["Tracer"]

_KEPT_ROWS = 200_000
"""Message rows that are remembered; beyond them all are made anew."""


class Tracer:
    """Traces and findings of the replayed requests of one session."""

    def __init__(self, session: Session, stages: Stages) -> None:
        self._session = session
        self._stages = stages
        self._judge = Judge(stages.session)
        self._rows: dict[int, tuple[Message, MessageRow]] = {}

    def trace(self, step: Step, *, ledger: bool) -> Trace:
        """The whole trace of one request."""
        stages, request = self._stages, self._stages.request(step)
        turn = self._session.turns[step.turn]
        rows = self._message_rows(request)
        prefix, lost = self._prefix(request, rows)
        counted = request.window.trace.request_tokens + request.window.trace.tool_tokens
        return Trace(
            session=session_label(self._session),
            view="replay",
            turn_id=step.turn,
            request=step.request,
            hypothetical=is_hypothetical(turn, step.request),
            query=content_text(turn.user),
            counter=CounterLabel(stages.counter.name, stages.counter.exact),
            gate=request.gate,
            recall=request.selection.recall,
            cover=request.selection.cover,
            selected=self._selected(request),
            assembly=request.assembly.trace,
            window=request.window.trace,
            messages=rows,
            prefix=prefix,
            usage=usage_trace(reported_usage(turn, step.request), counted),
            ledger=build_ledger(stages, request) if ledger else None,
            findings=self._in_order(request, self._found(request, self._judge), prefix, lost),
        )

    def findings(self, step: Step, judge: Judge | None = None) -> tuple[Finding, ...]:
        """Findings of one replayed request, in pipeline order; `judge` decides by another provider's rules."""
        request = self._stages.request(step)
        prefix, lost = self._prefix(request, self._message_rows(request))
        return self._in_order(request, self._found(request, judge or self._judge), prefix, lost)

    def summary(self, step: Step) -> RequestSummary:
        """One request in a few figures, without its trace and without comparing it with the request before."""
        request = self._stages.request(step)
        components = request.assembly.trace.components
        return RequestSummary(
            step=step,
            decision=request.gate.decision,
            request_tokens=request.window.trace.request_tokens,
            tool_tokens=request.window.trace.tool_tokens,
            dropped_units=len(request.window.trace.dropped),
            dropped_components=sum(row.state == "dropped" for row in components),
            cut_components=sum(row.state == "truncated" for row in components),
            handles=sum(message.state == "handle" for message in request.window.messages),
            findings=finding_counts(self._found(request, self._judge)),
        )

    def _selected(self, request: Request) -> tuple[SelectedRow, ...]:
        """The selected turns with their opening text as rendered, label included."""
        turn = request.step.turn
        rows = []
        for chosen in request.selection.selected:
            rendered = (
                self._stages.sequencer.history(chosen.turn_id, turn)
                if chosen.via == "recent"
                else self._stages.block(request.selection, chosen)
            )
            opening = next((m for m in rendered.messages if m.role in ("user", "system")), None)
            rows.append(replace(chosen, user=opening.text if opening else ""))
        return tuple(rows)

    def _message_rows(self, request: Request) -> tuple[MessageRow, ...]:
        return tuple(self._row(message) for message in request.window.messages)

    def _row(self, message: Message) -> MessageRow:
        """A message's row, made once; in message mode it costs what its content counts alone (tokens)."""
        known = self._rows.get(id(message))
        if known is None or known[0] is not message:
            if len(self._rows) > _KEPT_ROWS:
                self._rows.clear()
            by_message = self._stages.settings.window.unit == "message"
            tokens = self._stages.content_tokens(message) if by_message else message.tokens
            known = self._rows[id(message)] = (message, message_row(message, tokens))
        return known[1]

    def _prefix(self, request: Request, rows: Sequence[MessageRow]) -> tuple[PrefixTrace | None, int]:
        """The comparison with the request before, and the tokens of that one which cannot be reused."""
        before = previous_step(self._session, request.step)
        if before is None:
            return None, 0
        old = self._message_rows(self._stages.request(before))
        prefix = compare_requests((before.turn, before.request), old, rows, request.assembly.trace)
        return prefix, lost_tokens(old, prefix)

    def _found(self, request: Request, judge: Judge) -> list[Finding]:
        """What the stages found, and what the rendered messages show; all but the comparison with the request before."""
        findings: list[Finding] = [*self._stages.selection_findings(request.step.turn), *request.assembly.findings]
        kept_turns = {message.turn_id for message in request.window.messages}
        for rendered in (*request.history, request.current):
            if rendered.findings and (rendered.turn_id in kept_turns or rendered is request.current):
                findings += rendered.findings
        findings += request.window.findings
        findings = list(judge.regraded(findings))
        findings += judge.findings(request.window.rendered, request.window.messages, request.step)
        return findings

    @staticmethod
    def _in_order(
        request: Request, findings: list[Finding], prefix: PrefixTrace | None, lost: int
    ) -> tuple[Finding, ...]:
        """The findings in pipeline order, each with its turn; `lost` tokens of the prefix are one more."""
        if lost and request.gate.decision != "switch":
            text = f"{lost} tokens of the previous request cannot be reused from its cache"
            change = prefix.first_change if prefix else None
            if change is not None:
                text += f"; first change: {change.part} {change.id} at message {change.message}"
            message = change.message if change else None
            findings = [*findings, Finding("cache-prefix-break", "info", "lint", message=message, text=text)]
        turn_id = request.step.turn
        return tuple(
            finding if finding.turn_id is not None else replace(finding, turn_id=turn_id)
            for finding in sorted(findings, key=lambda finding: STAGES.index(finding.stage))
        )
