"""Approved contexts: a session as readable text, one section a request, that depends on session and settings alone.

No path, no line number, no version and no clock is in it; what changes from run to run is replaced before the replay by
the rules of `volatile`. The first line names the format, the last one says that it is whole. A text is written in full
where it first stands; later its digest stands for it.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence

from ctxinspect.model.session import arguments_text
from ctxinspect.pipeline.plan import Step
from ctxinspect.pipeline.replay import Replay
from ctxinspect.trace.types import MessageRow, Trace
from ctxinspect.view.volatile import without_volatile

__all__ = ["END", "FORMAT", "HEAD", "digest_of", "snapshot_text"]

FORMAT = "ctxinspect-snapshot/1"
HEAD = "== "
END = "== end"
_ESCAPED = re.compile(
    "[\\\\\x00-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]| $"
)


def snapshot_text(replay: Replay) -> str:
    """Every request in the session's order: gate, turns, components, window, messages, findings; it ends in a newline."""
    session, replaced = without_volatile(replay.session)
    calm = Replay(session) if replaced else replay
    lines = [FORMAT, f"{HEAD}session", *_session(calm, replaced), f"{HEAD}settings"]
    lines += _settings("", calm.settings.model_dump(mode="json"))
    writer = _Messages()
    for step in calm.steps:
        trace = calm.trace(step.turn, step.request, view=replay.default_view, ledger=False)
        lines += [f"{HEAD}{step.address}", *_request(trace), *writer.lines(trace, step), *_findings(trace)]
    return "\n".join([*lines, END]) + "\n"


def _session(replay: Replay, replaced: dict[str, int]) -> Iterator[str]:
    session = replay.session
    yield f"title: {_quoted(session.title)}"
    yield f"view: {replay.default_view}"
    yield f"counter: {replay.counter.name}, {'exact' if replay.counter.exact else 'estimated'}"
    for tool in session.tools:
        digest = digest_of([tool.description, json.dumps(tool.parameters, sort_keys=True)])
        yield f"tool {_quoted(tool.name)}: #{digest}"
    for name, number in replaced.items():
        yield f"volatile {name}: {number} replaced"


def _settings(path: str, value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for key in sorted(value):
            yield from _settings(f"{path}.{key}" if path else str(key), value[key])
    else:
        yield f"setting {path}: {json.dumps(value)}"


def _request(trace: Trace) -> Iterator[str]:
    if trace.hypothetical:
        yield "request: hypothetical, the turn has no answer"
    if trace.gate is not None:
        yield f"gate: {trace.gate.decision} by {trace.gate.rule}, topic from t{trace.gate.topic_start}"
    for chosen in trace.selected or ():
        yield f"turn t{chosen.turn_id}: {chosen.via}"
    for row in trace.assembly.components if trace.assembly is not None else ():
        sizes = f"{row.rendered_tokens} of {row.requested_tokens} tokens"
        yield f"component {_quoted(row.name)}: {row.state} by {row.rule}, {sizes}, #{digest_of([row.content])}"
    window = trace.window
    yield f"window size: {window.size} tokens, {window.strategy} {window.ratio:g}, by {window.unit}"
    yield f"window tools: {window.tool_tokens} tokens"
    yield f"window budget: {window.message_budget} tokens for messages"
    yield f"window request: {window.request_tokens} tokens"
    for gone in window.dropped:
        turn = "" if gone.turn_id is None else f" t{gone.turn_id}"
        yield f"dropped {gone.kind}{turn}{'' if gone.round is None else f' r{gone.round}'}: {gone.tokens} tokens"


def _findings(trace: Trace) -> Iterator[str]:
    for finding in trace.findings:
        subject = finding.call_id or finding.component or finding.path
        yield f"finding {finding.id}{f' {_quoted(subject)}' if subject else ''}: {finding.severity} in {finding.stage}"


class _Messages:
    """Writes the messages of one request after the other: what begins like the request before is one line."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}
        """The request in which a text stands in full, by its digest."""
        self._before: list[str] = []
        self._place = ""
        self._known: dict[int, tuple[MessageRow, str, list[str]]] = {}

    def lines(self, trace: Trace, step: Step) -> Iterator[str]:
        """The messages of this request."""
        written = [self._written(message) for message in trace.messages]
        self._known = {id(entry[0]): entry for entry in written}
        heads = [head for _, head, _ in written]
        same = 0
        while same < min(len(heads), len(self._before)) and heads[same] == self._before[same]:
            same += 1
        if same > 1:
            yield f"messages 0 to {same - 1}: as in {self._place}"
        else:
            same = 0
        for _, head, body in written[same:]:
            digest = head.rpartition("#")[2]
            known = self._texts.get(digest)
            yield head + (f", text in {known}" if known is not None and body else "")
            if known is None:
                self._texts[digest] = step.address
                yield from body
        self._before, self._place = heads, step.address

    def _written(self, message: MessageRow) -> tuple[MessageRow, str, list[str]]:
        known = self._known.get(id(message))
        if known is None or known[0] is not message:
            body = _message_body(message)
            known = (message, _message_head(message, digest_of(body)), body)
        return known


def _message_body(message: MessageRow) -> list[str]:
    body = _body("|", message.content) if message.content else []
    body += [line for text in message.thinking for line in _body("~", text)]
    for call in message.tool_calls:
        body.append(f"  > {_quoted(call.name)} {_quoted(call.id)}")
        body += _body(">", arguments_text(call.arguments))
    return body


def _message_head(message: MessageRow, digest: str) -> str:
    words = [message.role]
    words += [f"t{message.turn_id}"] if message.turn_id is not None else []
    words += [f"r{message.round}"] if message.round is not None else []
    words += [f"answers {_quoted(message.tool_call_id)}"] if message.tool_call_id is not None else []
    words += [f"as {message.synthetic}"] if message.synthetic else []
    return f"message {' '.join(words)}: {message.state}, {message.tokens} tokens, #{digest}"


def _body(mark: str, text: str) -> list[str]:
    return [f"  {mark} {_escaped(line)}".rstrip() for line in text.split("\n")]


def digest_of(texts: Sequence[str]) -> str:
    """Eight characters that stand for these texts or lines."""
    data = "\x00".join(texts).encode("utf-8", errors="surrogatepass")
    return hashlib.sha256(data).hexdigest()[:8]


def _quoted(text: str | None) -> str:
    return "null" if text is None else '"' + _escaped(text).replace('"', '\\"') + '"'


def _escaped(line: str) -> str:
    """A line as it can be compared and read: backslashes, what does not show, and a blank at the end as escapes."""
    return _ESCAPED.sub(lambda match: "\\\\" if match.group() == "\\" else f"\\u{ord(match.group()):04x}", line)
