"""Approved contexts: a session as readable text, and the differences of two such texts by cause.

The text depends on the session and its settings alone: no path, no line number, no version of this program. The first
line names the format; what is written under another one is refused, never guessed at.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator

from ctxinspect.errors import InputError
from ctxinspect.pipeline.replay import Replay
from ctxinspect.trace.types import Trace
from ctxinspect.view.jsonable import dump

__all__ = ["FORMAT", "compare", "snapshot_text"]

FORMAT = "ctxinspect-snapshot/1"
_HEAD = "== "


def snapshot_text(replay: Replay) -> str:
    """Every request in the session's order: settings first, then gate, components, tokens, messages, findings."""
    lines = [FORMAT, f"{_HEAD}settings"]
    lines += _settings("", replay.settings.model_dump(mode="json"))
    for step in replay.steps:
        lines += _request(replay.trace(step.turn, step.request, view=replay.default_view, ledger=False))
    return "\n".join(lines) + "\n"


def _settings(path: str, value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for key in sorted(value):
            yield from _settings(f"{path}.{key}" if path else str(key), value[key])
    else:
        yield f"setting {path} = {json.dumps(value)}"


def _request(trace: Trace) -> Iterator[str]:
    yield f"{_HEAD}t{trace.turn_id}r{trace.request}"
    if trace.gate is not None:
        yield f"gate {trace.gate.decision} by {trace.gate.rule} topic {trace.gate.topic_start}"
    for row in trace.assembly.components if trace.assembly is not None else ():
        sizes = f"{row.rendered_tokens} of {row.requested_tokens} tokens"
        yield f"component {dump(row.name)} {row.state} by {row.rule}: {sizes}"
    window = trace.window
    yield f"window {window.strategy}: {window.request_tokens} of {window.message_budget} tokens"
    for dropped in window.dropped:
        yield f"window dropped {dropped.kind} turn {dropped.turn_id} round {dropped.round}: {dropped.tokens} tokens"
    for index, message in enumerate(trace.messages):
        calls = "".join(
            f" call {dump(call.id)} {dump(call.name)} {dump(call.arguments)}" for call in message.tool_calls
        )
        answer = f" answers {dump(message.tool_call_id)}" if message.tool_call_id is not None else ""
        head = f"message {index} {message.role} turn {message.turn_id} {message.state} {message.tokens} tokens"
        yield head + answer + calls
        for line in message.content.split("\n"):
            yield f"  | {dump(line)[1:-1]}"
    for finding in trace.findings:
        subject = finding.call_id or finding.component
        yield f"finding {finding.severity} {finding.id} in {finding.stage}" + (f" {dump(subject)}" if subject else "")


def compare(approved: str, actual: str, name: str) -> list[str]:
    """Lines that say what differs, by cause: setting, then per request the stage, component or turn; empty if equal.

    Raises InputError where `approved` is of another format.
    """
    found = approved.split("\n", 1)[0]
    if found != FORMAT:
        msg = f"{name}: its format is {found[:40]!r}, expected {FORMAT}; approve anew with `ctxinspect snapshot update`"
        raise InputError(msg)
    old, new = _sections(approved), _sections(actual)
    out: list[str] = []
    for place in dict.fromkeys([*old, *new]):
        if place not in old or place not in new:
            out.append(f"{place}: {'no longer there' if place in old else 'new'}")
            continue
        changes = list(difflib.unified_diff(old[place], new[place], lineterm="", n=0))[2:]
        out += [f"{place} {_cause(line[1:])}: {line[0]} {line[1:]}" for line in changes if not line.startswith("@@")]
    return out


def _sections(text: str) -> dict[str, list[str]]:
    sections: dict[str, list[str]] = {}
    place = ""
    for line in text.split("\n")[1:]:
        if line.startswith(_HEAD):
            place = line.removeprefix(_HEAD)
            sections[place] = []
        elif line:
            sections.setdefault(place, []).append(line)
    return sections


def _cause(line: str) -> str:
    word = line.split(" ", 1)[0]
    return word if word in ("setting", "gate", "component", "window", "message", "finding") else "message"
