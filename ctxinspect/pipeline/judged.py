"""Lint of a replayed request, with the guilty stage named: the first after which a fault holds.

Rendered messages are judged in the same neutral form as recordings. What depends on one message alone was there when
the session was read (`ingest`) or when the system prompt was assembled; what depends on the sequence appears with
`render`, or with `window` where trimming made it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from ctxinspect.lint import Linter
from ctxinspect.lint.profiles import profile_named
from ctxinspect.model.content import MediaPart, TextPart, ThinkingPart
from ctxinspect.model.messages import Message
from ctxinspect.model.session import (
    CallPart,
    MediaBlock,
    RecordedMessage,
    RecordedPart,
    ResultPart,
    Session,
    Source,
    TextBlock,
    ThinkingBlock,
)
from ctxinspect.pipeline.plan import Step
from ctxinspect.trace.types import Finding, Stage

__all__ = ["Judge", "as_recorded", "profile_of"]

_CONTENT_RULES = frozenset(
    {
        "bad-arguments-json",
        "bad-call-id",
        "bad-tool-name",
        "call-copies-differ",
        "empty-arguments",
        "hidden-characters",
        "lone-surrogate",
        "secret-in-context",
        "unknown-tool",
    }
)
"""Rules that look at one message alone: what they find was there before any trimming."""
_OF_THE_SEQUENCE = frozenset(
    {
        "ambiguous-pair",
        "duplicate-call-id",
        "missing-call-id",
        "results-reordered",
    }
)
"""Rules that the sequence system itself reports, from what it paired: not judged again on what it rendered."""


def profile_of(session: Session) -> str:
    """The session's own dialect as a profile, else `openai`."""
    source = session.source
    return (source.dialect if isinstance(source, Source) else None) or "openai"


def as_recorded(message: Message, index: int = 0) -> RecordedMessage:
    """A rendered message in the neutral form that rules judge."""
    blocks: list[RecordedPart] = []
    if message.role != "tool":
        content = (TextPart(text=message.content),) if isinstance(message.content, str) else message.content
        for part in content:
            if isinstance(part, TextPart) and part.text:
                blocks.append(TextBlock(text=part.text))
            elif isinstance(part, MediaPart):
                blocks.append(MediaBlock(**part.model_dump()))
            elif isinstance(part, ThinkingPart):
                blocks.append(ThinkingBlock(**part.model_dump()))
        blocks += [CallPart(id=call.id, name=call.name, arguments=call.arguments) for call in message.calls]
    else:
        blocks.append(
            ResultPart(call_id=message.call_id, name=message.name, content=message.content, is_error=message.is_error)
        )
    shape: Literal["string", "parts"] = "string" if isinstance(message.content, str) else "parts"
    return RecordedMessage(
        role=message.role, index=index, shape=shape, parts=tuple(blocks), name=message.name, path=message.path
    )


_REGRADED = frozenset({"duplicate-call-id", "missing-call-id"})
"""Rules of the sequence stage whose severity is the provider's to decide."""


class Judge:
    """Judges the requests of one session; a message is converted once however many requests hold it."""

    def __init__(self, session: Session, profile: str | None = None) -> None:
        self._profile = profile_named(profile or profile_of(session))
        self._linter = Linter(self._profile, tools=session.tools or None, recording=False)
        self._last_turn = len(session.turns) - 1
        self._known: dict[int, tuple[Message, RecordedMessage]] = {}

    def findings(self, rendered: Sequence[Message], sent: Sequence[Message], step: Step) -> tuple[Finding, ...]:
        """Findings of the messages as sent; those that `rendered` (before the window) has not are the window's."""
        found = self._judge(sent)
        before: set[tuple[str, int | None, str | None]] = set()
        trimmed = len(rendered) != len(sent)
        if trimmed and any(finding.id not in _CONTENT_RULES for finding in found):
            before = {self._key(finding, rendered) for finding in self._judge(rendered)}
        out = []
        for finding in found:
            message = sent[finding.message] if finding.message is not None else None
            stage: Stage = "render"
            if finding.id in _CONTENT_RULES:
                stage = "assemble" if message is not None and message.role == "system" else "ingest"
            elif trimmed and self._key(finding, sent) not in before:
                stage = "window"
            elif finding.id == "history-in-system":
                stage = "assemble"
            turn = message.turn_id if message is not None and message.turn_id is not None else step.turn
            out.append(replace(finding, stage=stage, turn_id=turn))
        return tuple(out)

    def regraded(self, findings: Sequence[Finding]) -> tuple[Finding, ...]:
        """Findings of the sequence stage, as grave as this profile has them; what is nothing there is left out.

        That stage calls a duplicate id inside one message an error already: the second case of the profiles.
        """
        out = []
        for finding in findings:
            if finding.id in _REGRADED:
                graver = finding.id == "duplicate-call-id" and finding.severity == "error"
                severity = self._profile.severity(finding.id, 1 if graver else 0)
                if severity is not None:
                    out.append(replace(finding, severity=severity))
            else:
                out.append(finding)
        return tuple(out)

    def _judge(self, messages: Sequence[Message]) -> tuple[Finding, ...]:
        found = self._linter.judge([self._recorded(message) for message in messages])
        return tuple(finding for finding in found if finding.id not in _OF_THE_SEQUENCE)

    def _recorded(self, message: Message) -> RecordedMessage:
        known = self._known.get(id(message))
        if known is None or known[0] is not message:
            known = self._known[id(message)] = (message, as_recorded(message))
        return known[1]

    @staticmethod
    def _key(finding: Finding, messages: Sequence[Message]) -> tuple[str, int | None, str | None]:
        message = messages[finding.message] if finding.message is not None else None
        return finding.id, id(message) if message is not None else None, finding.call_id
