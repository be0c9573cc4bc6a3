"""`assert_context`: what a request must hold, must not hold, and may cost; a failure says which stage decided.

Nothing is printed and nothing is written: it passes and returns the trace, or raises AssertionError.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from ctxinspect.errors import UsageError
from ctxinspect.model.session import arguments_text
from ctxinspect.pipeline.predicate import finding_matches, parse
from ctxinspect.pipeline.replay import Replay, View
from ctxinspect.testing.absence import where_it_stands
from ctxinspect.testing.opened import SessionLike, replay_of
from ctxinspect.text.sanitize import one_line
from ctxinspect.trace.codes import rule_named
from ctxinspect.trace.types import Finding, MessageRow, Trace

__all__ = ["Texts", "assert_context"]

Text: TypeAlias = str | re.Pattern[str]
Texts: TypeAlias = Text | Iterable[Text]
Unwanted: TypeAlias = bool | str | Iterable[str]
_LEVELS = {"error": 2, "warning": 1, "info": 0}
_LISTED = 8
"""Places, messages or findings that a failure lists; more are counted."""


def assert_context(
    session: SessionLike,
    *,
    turn: int | None = None,
    request: int | None = None,
    view: View | None = None,
    settings: Mapping[str, Any] | None = None,
    contains: Texts = (),
    excludes: Texts = (),
    max_tokens: int | None = None,
    no_findings: Unwanted = False,
) -> Trace:
    """Assert what one request of a session holds; returns its trace for whatever else is to be asserted.

    `turn` counts from 0, negative ones from the end (default: the last), `request` likewise in the turn. `view` is
    `replay`, or `recorded` for a foreign file (its default unless `settings` are given). `settings` override by dotted
    path: `{"window.strategy": "conservative"}`. `contains` and `excludes`: texts (exactly as written) or compiled
    patterns, each in or in no message (thinking counts as not sent). `max_tokens`: messages and tools as counted.
    `no_findings`: True for no error and no warning; a severity for none at or above it; rule codes (or one), or a
    predicate such as `finding severity>=warning and finding id!=low-headroom`, for none of these.

    Raises AssertionError with every expectation that fails, and UsageError, SettingsError or InputError where what was
    asked for does not exist.
    """
    __tracebackhide__ = True
    replay = replay_of(session, settings)
    trace = _trace(replay, turn, request, view or ("replay" if settings else replay.default_view))
    failures = [
        f"does not contain {_shown(text)}\n{where_it_stands(replay, trace, text)}"
        for text in _listed(contains)
        if not any(_holds(text, message) for message in trace.messages)
    ]
    for text in _listed(excludes):
        holding = [(at, row) for at, row in enumerate(trace.messages) if _holds(text, row)]
        if holding:
            failures.append(
                f"contains {_shown(text)}\n{_held_by(holding, text)}\n{where_it_stands(replay, trace, text)}"
            )
    if max_tokens is not None:
        failures += _over(trace, max_tokens)
    failures += _found(trace, no_findings)
    if failures:
        name = trace.session.title or "the session"
        place = f"t{trace.turn_id}r{trace.request} of {one_line(name)} ({trace.view})"
        raise AssertionError("\n".join(f"{place} {failure}" for failure in failures))
    return trace


def _trace(replay: Replay, turn: int | None, request: int | None, view: View) -> Trace:
    turns = len(replay.session.turns)
    if turns == 0:
        msg = "the session has no turns, so no request was made"
        raise UsageError(msg)
    at = turns - 1 if turn is None else turn + turns if turn < 0 else turn
    number = request
    if request is not None and request < 0:
        number = request + replay.last_request(at) + 1
    if view == "recorded" and not replay.session.foreign:
        msg = "view recorded: a native session has no recording; its replay is the only view"
        raise UsageError(msg)
    return replay.trace(at, number, view=view, ledger=False)


def _listed(texts: Texts) -> list[Text]:
    return [texts] if isinstance(texts, (str, re.Pattern)) else list(texts)


def _shown(text: Text) -> str:
    return f"/{text.pattern}/" if isinstance(text, re.Pattern) else repr(text)


def _stands_in(text: Text, whole: str) -> bool:
    return text.search(whole) is not None if isinstance(text, re.Pattern) else text in whole


def _holds(text: Text, message: MessageRow) -> bool:
    return any(_stands_in(text, part) for part in _parts(message))


def _parts(message: MessageRow) -> list[str]:
    """Everything of a message that the model reads: its text, and its calls with their arguments."""
    calls = [part for call in message.tool_calls for part in (call.name, arguments_text(call.arguments))]
    return [message.content, *calls]


def _held_by(holding: list[tuple[int, MessageRow]], text: Text) -> str:
    lines = []
    for at, row in holding[:_LISTED]:
        turn = "" if row.turn_id is None else f" of turn {row.turn_id}"
        part = next(part for part in _parts(row) if _stands_in(text, part))
        found = re.search(text if isinstance(text, re.Pattern) else re.escape(text), part)
        start = max(0, found.start() - 20) if found else 0
        lines.append(f"  message {at} ({row.role}{turn}): {one_line(part[start : start + 80])}")
    return "\n".join([*lines, *_rest(len(holding))])


def _over(trace: Trace, most: int) -> list[str]:
    total = trace.window.request_tokens + trace.window.tool_tokens
    if total <= most:
        return []
    sizes = [(row.tokens, f"message {at} ({_whose(row)})") for at, row in enumerate(trace.messages)]
    sizes += [(trace.window.tool_tokens, "tool schemas")] if trace.window.tool_tokens else []
    for row in trace.assembly.components if trace.assembly else ():
        sizes.append((row.rendered_tokens, f"  of the system message: component {row.name}"))
    largest = sorted(sizes, key=lambda size: (-size[0], size[1]))[:_LISTED]
    lines = [f"  {tokens:>7} {what}" for tokens, what in largest]
    return ["\n".join([f"counts {total} tokens, {total - most} over max_tokens={most}; the largest:", *lines])]


def _whose(row: MessageRow) -> str:
    return row.role if row.turn_id is None else f"{row.role} of turn {row.turn_id}"


def _found(trace: Trace, unwanted: Unwanted) -> list[str]:
    found = [finding for finding in trace.findings if _is_unwanted(finding, unwanted)]
    if not found:
        return []
    lines = []
    for finding in found[:_LISTED]:
        subject = finding.call_id or finding.component
        where = f"{finding.stage}{'' if finding.message is None else f', message {finding.message}'}"
        lines.append(
            f"  {finding.severity} {finding.id}{f' {subject}' if subject else ''} ({where}): {one_line(finding.text)}"
        )
    hint = f"  `ctxinspect explain {found[0].id}` says how it happens and how to fix it"
    count = f"{len(found)} finding{'' if len(found) == 1 else 's'}"
    return ["\n".join([f"has {count} that may not be:", *lines, *_rest(len(found)), hint])]


def _is_unwanted(finding: Finding, unwanted: Unwanted) -> bool:
    if isinstance(unwanted, bool):
        return unwanted and finding.severity != "info"
    if isinstance(unwanted, str):
        if unwanted in _LEVELS:
            return _LEVELS[finding.severity] >= _LEVELS[unwanted]
        if " " in unwanted.strip() or unwanted in ("finding", "pair"):
            return finding_matches(parse(unwanted), finding)
        unwanted = (unwanted,)
    return finding.id in {rule_named(code).code for code in unwanted}


def _rest(number: int) -> list[str]:
    return [f"  and {number - _LISTED} more"] if number > _LISTED else []
