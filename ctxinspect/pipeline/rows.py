"""Parts of a trace that every view builds the same way: labels, message rows, usage."""

from __future__ import annotations

from ctxinspect.model.content import thinking_texts
from ctxinspect.model.messages import Message
from ctxinspect.model.session import Session, Source, Usage
from ctxinspect.trace.types import MessageRow, ReportedUsage, SessionLabel, TraceCall, UsageTrace

__all__ = ["message_row", "session_label", "source_text", "usage_trace"]


def source_text(session: Session) -> str | None:
    """Format and file a session was read from, as one text."""
    if isinstance(session.source, Source):
        return f"{session.source.format} {session.source.file}".strip()
    return session.source


def session_label(session: Session) -> SessionLabel:
    """Title, source and number of turns."""
    return SessionLabel(session.title, source_text(session), len(session.turns))


def message_row(message: Message, tokens: int) -> MessageRow:
    """A rendered message as a row of the trace, at the given cost in tokens."""
    return MessageRow(
        role=message.role,
        content=message.text,
        tool_calls=tuple(TraceCall(call.id, call.name, call.arguments) for call in message.calls),
        tool_call_id=message.call_id,
        name=message.name,
        tokens=tokens,
        turn_id=message.turn_id,
        round=message.round,
        synthetic=message.synthetic,
        state=message.state,
        thinking=thinking_texts(message.content),
    )


def usage_trace(usage: Usage | None, counted: int) -> UsageTrace | None:
    """Counted, reported, and what is in the provider's figure but not in this file; null without usage (tokens)."""
    if usage is None:
        return None
    reported = ReportedUsage(usage.input, usage.cached, usage.output)
    return UsageTrace(reported, counted, None if usage.input is None else usage.input - counted)
