"""A reading of a foreign file becomes a session: one thread opened, every other one named, nothing merged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ctxinspect.errors import InputError, UsageError
from ctxinspect.model.session import Problem, RecordedCall, Session, Source, Thread, Usage
from ctxinspect.readers.container import Recording
from ctxinspect.readers.defaults import foreign_settings
from ctxinspect.readers.reading import Conversation, Reading, Tale
from ctxinspect.readers.turns import Story, turns_from_messages

__all__ = ["chosen", "session_of"]


@dataclass(frozen=True, slots=True)
class _Opened:
    conversation: Conversation
    tale: Tale
    story: Story


def session_of(reading: Reading, recording: Recording, format_name: str, thread: str | None = None) -> Session:
    """The session of one thread (the asked one, else the reader's own choice, else the longest main one).

    Raises UsageError where the thread does not exist, InputError where the file holds no conversation at all.
    """
    conversation = chosen(reading, recording.name, thread)
    tale = conversation.tell()
    opened = _Opened(conversation, tale, turns_from_messages(tale.messages, tale.usage))
    model = tale.model or next((call.model for call in reversed(tale.calls) if call.model), None)
    return Session(
        title=reading.title or conversation.title or None,
        model=model,
        source=_source(reading, recording, format_name, opened),
        context=foreign_settings(model),
        components=opened.story.components,
        tools=tale.tools or (),
        turns=opened.story.turns,
        recorded=_recorded(opened),
    )


def chosen(reading: Reading, file: str, thread: str | None) -> Conversation:
    """The conversation to open."""
    found = reading.conversations
    if not found:
        raise InputError("no message in it", file=file, remedy="expected at least one message of a conversation")
    if thread is None:
        default = next((known for known in found if known.id == reading.default), None)
        return default or max(found, key=lambda known: (known.kind == "main", known.messages))
    exact = [known for known in found if known.id == thread]
    close = exact or [known for known in found if known.id.startswith(thread)]
    if len(close) == 1 or exact:
        return close[0]
    names = ", ".join(known.id for known in (close or found)[:8])
    many = "several threads begin so" if close else "no such thread"
    msg = f"--thread {thread}: {many}; threads of {file}: {names}"
    raise UsageError(msg)


def _recorded(opened: _Opened) -> tuple[RecordedCall, ...]:
    tale, story = opened.tale, opened.story
    if tale.calls:
        return tuple(
            call.model_copy(update=dict(zip(("turn", "request"), story.after[length], strict=True)))
            for call, length in zip(tale.calls, tale.call_lengths, strict=True)
        )
    turn, request = _last_step(story)
    return (
        RecordedCall(
            turn=turn,
            request=request,
            messages=tale.messages,
            tools=tale.tools,
            usage=_last_usage(story),
            model=tale.model,
            thinking=tale.thinking,
            partial=tale.partial,
        ),
    )


def _last_step(story: Story) -> tuple[int, int]:
    return (len(story.turns) - 1, len(story.turns[-1].rounds)) if story.turns else (0, 0)


def _last_usage(story: Story) -> Usage | None:
    """What the last request of a transcript reported; null where its answer is not in the file (calls still open)."""
    return story.turns[-1].usage if story.turns else None


def _source(reading: Reading, recording: Recording, format_name: str, opened: _Opened) -> Source:
    return Source(
        format=format_name,
        file=recording.name,
        dialect=reading.dialect,
        family=reading.family,
        container=recording.container,
        records_read=max(0, recording.records_read if reading.records_read is None else reading.records_read),
        records_skipped=recording.records_skipped,
        problems=_in_file_order([*recording.problems, *reading.problems, *opened.tale.problems]),
        missing=reading.missing,
        threads=tuple(_thread(known, opened) for known in reading.conversations),
        unknown_kinds=_passed_by(reading, recording),
        masked=recording.masked_kinds(),
    )


def _passed_by(reading: Reading, recording: Recording) -> dict[str, int]:
    other = {"record of no model call": recording.records_passed} if recording.records_passed else {}
    return dict(sorted({**other, **reading.unknown_kinds}.items()))


def _in_file_order(problems: Sequence[Problem]) -> tuple[Problem, ...]:
    return tuple(sorted(problems, key=lambda problem: (problem.line is None, problem.line or 0)))


def _thread(known: Conversation, opened: _Opened) -> Thread:
    selected = known is opened.conversation
    return Thread(
        id=known.id,
        kind=known.kind,
        title=known.title,
        messages=len(opened.tale.messages) if selected else known.messages,
        turns=len(opened.story.turns) if selected else known.turns,
        file=known.file,
        parent=known.parent,
        selected=selected,
    )
