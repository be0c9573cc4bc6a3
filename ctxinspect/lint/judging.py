"""Judging a list of messages: every rule is asked, every fault becomes a finding with its severity and place.

The same judge serves recordings, as they stood in their file, and replays. Findings are in the order of their place:
message, part, then the order of the registry.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ctxinspect.lint.profiles import Profile, profile_named
from ctxinspect.lint.registry import MESSAGE_RULES, SEQUENCE_RULES
from ctxinspect.lint.rule import Context, Conversation, Fault
from ctxinspect.model.session import RecordedMessage, ToolSchema
from ctxinspect.trace.codes import RULES
from ctxinspect.trace.types import Finding, Severity

__all__ = ["Linter", "judge"]

_CODES = (*(rule.code for rule in SEQUENCE_RULES), *(rule.code for rule in MESSAGE_RULES))
_ORDER = {code: place for place, code in enumerate(_CODES)}


class Linter:
    """A judge of many lists that share messages: what depends on one message alone is asked once per message."""

    def __init__(
        self,
        profile: Profile | str,
        *,
        tools: Sequence[ToolSchema] | None = None,
        recording: bool = True,
        transcript: bool = False,
        partial: bool = False,
        thinking: bool = False,
        model: str | None = None,
        ends_open: bool = True,
        items: bool | None = None,
    ) -> None:
        self._profile = profile_named(profile)
        self._context = Context(
            profile=self._profile,
            tools={tool.name: tool for tool in tools} if tools else None,
            recording=recording,
            transcript=transcript,
            partial=partial,
            thinking=thinking,
            model=model,
            ends_open=ends_open,
        )
        self._items = items
        self._known: dict[int, tuple[RecordedMessage, tuple[tuple[str, Fault], ...]]] = {}

    def judge(self, messages: Sequence[RecordedMessage]) -> tuple[Finding, ...]:
        """Findings of one list, by place; `message` is the index in it."""
        found: list[tuple[str, Fault, int | None]] = []
        conversation = Conversation(messages, items=self._are_items(messages))
        for rule in SEQUENCE_RULES:
            found += [(rule.code, fault, fault.message) for fault in rule.check(conversation, self._context)]
        for index, message in enumerate(messages):
            found += [(code, fault, index) for code, fault in self._of_message(message)]
        findings = sorted(found, key=_place)
        return tuple(self._findings(findings, messages))

    def _are_items(self, messages: Sequence[RecordedMessage]) -> bool:
        if self._items is not None:
            return self._items
        return self._profile.name == "openai-responses" or any("item" in message.marks for message in messages)

    def _of_message(self, message: RecordedMessage) -> tuple[tuple[str, Fault], ...]:
        known = self._known.get(id(message))
        if known is not None and known[0] is message:
            return known[1]
        faults = tuple((rule.code, fault) for rule in MESSAGE_RULES for fault in rule.check(message, self._context))
        self._known[id(message)] = (message, faults)
        return faults

    def _findings(
        self, found: Sequence[tuple[str, Fault, int | None]], messages: Sequence[RecordedMessage]
    ) -> Iterator[Finding]:
        for code, fault, index in found:
            severity: Severity | None = self._profile.severity(code, fault.case)
            if severity is None:
                continue
            message = messages[index] if index is not None else None
            part = message.parts[fault.part] if message is not None and fault.part is not None else None
            yield Finding(
                code,
                severity,
                RULES[code].stage,
                message=index,
                path=(part.path if part else None) or (message.path if message else None),
                line=(part.line if part else None) or (message.line if message else None),
                call_id=fault.call_id or None,
                text=fault.text,
            )


def judge(
    messages: Sequence[RecordedMessage],
    *,
    profile: Profile | str,
    tools: Sequence[ToolSchema] | None = None,
    recording: bool = True,
    transcript: bool = False,
    partial: bool = False,
    thinking: bool = False,
    model: str | None = None,
    ends_open: bool = True,
    items: bool | None = None,
) -> tuple[Finding, ...]:
    """Findings of a list of messages under a provider profile.

    `tools` None or empty: not known, so no call is unknown. `transcript`: the list is a whole story, whose last answer
    was never sent back. `partial`: earlier context is kept on a server. `ends_open`: nothing follows the list, so calls
    left open by its last batch are in flight. `items`: every call and result is an item of its own (default: under
    `openai-responses`, and where a message is marked `item`). Raises UsageError for an unknown profile.
    """
    linter = Linter(
        profile,
        tools=tools,
        recording=recording,
        transcript=transcript,
        partial=partial,
        thinking=thinking,
        model=model,
        ends_open=ends_open,
        items=items,
    )
    return linter.judge(messages)


def _place(found: tuple[str, Fault, int | None]) -> tuple[int, int, int, str]:
    code, fault, index = found
    return (
        index if index is not None else -1,
        fault.part if fault.part is not None else -1,
        _ORDER[code],
        fault.call_id or "",
    )
