"""A whole session in numbers: one row a request, with what it was made of, what the gate decided, what a cache keeps.

Every number is the trace's own; rows are in the session's order, in one view.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ctxinspect.pipeline.replay import Replay, View
from ctxinspect.trace.types import Trace

__all__ = ["Overview", "RequestRow", "request_row", "session_overview"]


@dataclass(frozen=True, slots=True)
class RequestRow:
    """One request; all sizes in tokens. `history` is of earlier turns, `current` of its own; `common` null for the first.

    `request` is the sum of the messages and the priming of the reply, so it is a little more than their parts.
    """

    turn: int
    request_number: int
    size: int
    input_budget: int
    message_budget: int
    tools: int
    system: int
    history: int
    current: int
    request: int
    dropped: int
    decision: str | None
    topic_start: int | None
    common: int | None
    errors: int
    warnings: int

    @property
    def address(self) -> str:
        """Its address, such as `t4r1`."""
        return f"t{self.turn}r{self.request_number}" if self.request_number else f"t{self.turn}"

    @property
    def total(self) -> int:
        """Everything that is sent: messages and tools."""
        return self.request + self.tools


@dataclass(frozen=True, slots=True)
class Overview:
    """A session's requests in numbers."""

    title: str
    view: View
    rows: tuple[RequestRow, ...]


def session_overview(replay: Replay, *, view: View, progress: Callable[[int, int], None] | None = None) -> Overview:
    """Every request of the session in one view; `progress` is told (requests done, requests in all)."""
    rows = []
    for done, step in enumerate(replay.steps, 1):
        rows.append(request_row(replay.trace(step.turn, step.request, view=view, ledger=False)))
        if progress is not None:
            progress(done, len(replay.steps))
    title = replay.session.title or getattr(replay.session.source, "file", None) or "session"
    return Overview(str(title), view, tuple(rows))


def request_row(trace: Trace) -> RequestRow:
    """One request in numbers. A message without a turn is the system's, whatever its role."""
    window, parts = trace.window, {"system": 0, "history": 0, "current": 0}
    for message in trace.messages:
        if message.role == "system" and message.turn_id is None:
            parts["system"] += message.tokens
        else:
            parts["current" if message.turn_id in (None, trace.turn_id) else "history"] += message.tokens
    gate = trace.gate
    return RequestRow(
        trace.turn_id,
        trace.request,
        window.size,
        window.input_budget,
        window.message_budget,
        window.tool_tokens,
        parts["system"],
        parts["history"],
        parts["current"],
        window.request_tokens,
        sum(unit.tokens for unit in window.dropped),
        gate.decision if gate is not None else None,
        gate.topic_start if gate is not None else None,
        trace.prefix.common_tokens if trace.prefix is not None else None,
        sum(finding.severity == "error" for finding in trace.findings),
        sum(finding.severity == "warning" for finding in trace.findings),
    )
