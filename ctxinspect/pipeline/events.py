"""The events that predicates speak of: what happened in one request, by kind, with the fields of its part of the trace.

Topic, recall, cover, trunc and drop are the replay's; text, finding, pair, budget and change are of the session's own
view. Fields with several values are tuples: a condition holds where one of them meets it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ctxinspect.pipeline.plan import Step
from ctxinspect.pipeline.replay import Replay
from ctxinspect.trace.types import Finding, Trace

__all__ = ["EVENTS", "KINDS", "PAIRING", "Event", "Kind", "finding_event"]

PAIRING = frozenset({"ambiguous-pair", "duplicate-call-id", "duplicate-result", "missing-call-id", "missing-result",
                     "orphan-result", "result-not-adjacent"})  # fmt: skip


class Kind(NamedTuple):
    """A kind of event: the stage it belongs to, what it means without conditions, its fields."""

    stage: str
    alone: str
    fields: tuple[str, ...]


KINDS: dict[str, Kind] = {
    "topic": Kind(
        "gate",
        "a decided switch",
        ("margin", "decision", "rule", "overlap", "new_ratio", "topic_start", "blocks", "deictic"),
    ),
    "recall": Kind("recall", "a candidate turn dropped", ("turn", "score", "state", "rule", "exact", "recency")),
    "cover": Kind("cover", "an anchor left uncovered", ("coverage", "stop", "steps", "uncovered")),
    "trunc": Kind("assemble", "a component cut", ("component", "priority", "requested", "rendered", "cut", "rule")),
    "drop": Kind(
        "assemble, window", "a component or unit dropped", ("unit", "role", "turn", "round", "component", "tokens")
    ),
    "budget": Kind(
        "window", "the request over its budget", ("used", "request_tokens", "message_budget", "tool_tokens", "size")
    ),
    "text": Kind("render", "(needs a text)", ("text", "role", "turn", "state", "tokens")),
    "change": Kind("render", "the previous request is no prefix", ("part", "id", "message", "common_tokens")),
    "finding": Kind("lint", "any finding", ("id", "severity", "stage", "message", "turn", "call", "component", "text")),
    "pair": Kind(
        "lint",
        "a call or result that does not pair",
        ("id", "severity", "stage", "message", "turn", "call", "component", "text"),
    ),
    "at": Kind("ingest", "(needs a turn)", ("turn", "request")),
    "fork": Kind("render", "a request that would differ without overrides", ("diverges",)),
}


@dataclass(frozen=True, slots=True)
class Event:
    """One event: its stage and number there, its fields, one line of text; `notable` where the bare kind means it."""

    stage: str
    fields: dict[str, Any] = field(default_factory=dict)
    text: str = ""
    number: int | None = None
    notable: bool = True
    per_turn: bool = False

    @property
    def pairing(self) -> bool:
        """Whether it is a finding about calls and results."""
        return self.fields.get("id") in PAIRING

    def address(self, step: Step) -> str:
        """Where it is; events of a whole turn have no request."""
        place = f"t{step.turn}" + (f"r{step.request}" if step.request and not self.per_turn else "")
        place += f".{self.stage}" if self.stage else ""
        return place + (f"#{self.number}" if self.number is not None else "")


def _own(replay: Replay, step: Step) -> Trace:
    return replay.trace(step.turn, step.request, view=replay.default_view, ledger=False)


def _topic(replay: Replay, step: Step) -> Iterator[Event]:
    gate = replay.gate(step.turn)
    m = gate.margins
    compared = gate.rule in ("overlap", "new_topic", "middle")
    margin = min(abs(m.overlap_continue), abs(m.overlap_switch), abs(m.new_ratio_switch)) if compared else None
    fields = {"margin": margin, "decision": gate.decision, "rule": gate.rule, "overlap": gate.overlap,
              "new_ratio": gate.new_ratio, "topic_start": gate.topic_start, "blocks": gate.blocks,
              "deictic": gate.deictic}  # fmt: skip
    text = f"{gate.decision} by {gate.rule}: overlap {gate.overlap:.4f}, new {gate.new_ratio:.4f}"
    text += f", margin {margin:.4f}" if margin is not None else ""
    yield Event("gate", fields, text, notable=gate.decision == "switch", per_turn=True)


def _recall(replay: Replay, step: Step) -> Iterator[Event]:
    for number, row in enumerate(replay.selection(step.turn).recall or ()):
        fields = {"turn": row.turn_id, "score": row.score, "state": row.state, "rule": row.rule, "exact": row.exact,
                  "recency": row.recency}  # fmt: skip
        text = f"turn {row.turn_id} {row.state} by {row.rule}, score {row.score:.4f}"
        yield Event("recall", fields, text, number, row.state == "dropped", per_turn=True)


def _cover(replay: Replay, step: Step) -> Iterator[Event]:
    cover = replay.selection(step.turn).cover
    if cover is not None:
        fields = {"coverage": cover.coverage, "stop": cover.stop, "steps": len(cover.steps),
                  "uncovered": cover.uncovered}  # fmt: skip
        text = f"coverage {cover.coverage}, stopped by {cover.stop}; uncovered: {', '.join(cover.uncovered) or 'none'}"
        yield Event("cover", fields, text, notable=bool(cover.uncovered), per_turn=True)


def _trunc(replay: Replay, step: Step) -> Iterator[Event]:
    for number, row in enumerate(replay.assembly(step.turn).trace.components):
        if row.state == "truncated":
            cut = 1 - row.rendered_tokens / row.requested_tokens if row.requested_tokens else 0.0
            fields = {"component": row.name, "priority": row.priority, "requested": row.requested_tokens,
                      "rendered": row.rendered_tokens, "cut": cut, "rule": row.rule}  # fmt: skip
            text = f"component {row.name} cut from {row.requested_tokens} to {row.rendered_tokens} tokens"
            yield Event("assemble", fields, text, number, per_turn=True)


def _drop(replay: Replay, step: Step) -> Iterator[Event]:
    request = replay.request(step)
    for number, row in enumerate(request.assembly.trace.components):
        if row.state == "dropped":
            fields: dict[str, Any] = {"unit": "component", "role": "system", "component": row.name,
                                      "tokens": row.requested_tokens}  # fmt: skip
            yield Event("assemble", fields, f"component {row.name} dropped by {row.rule}", number, per_turn=True)
    removed = request.window.removed
    for number, gone in enumerate(request.window.trace.dropped):
        roles = tuple(
            dict.fromkeys(m.role for m in removed if m.turn_id == gone.turn_id and gone.round in (None, m.round))
        )
        fields = {"unit": gone.kind, "role": roles, "turn": gone.turn_id, "round": gone.round, "tokens": gone.tokens}
        where = f"turn {gone.turn_id}" + (f" round {gone.round}" if gone.round is not None else "")
        yield Event("window", fields, f"{gone.kind} dropped: {where}, {gone.tokens} tokens", number)


def _budget(replay: Replay, step: Step) -> Iterator[Event]:
    window = _own(replay, step).window
    used = window.request_tokens / window.message_budget if window.message_budget > 0 else None
    fields = {"used": used, "request_tokens": window.request_tokens, "message_budget": window.message_budget,
              "tool_tokens": window.tool_tokens, "size": window.size}  # fmt: skip
    text = f"{window.request_tokens} of {window.message_budget} tokens"
    yield Event("window", fields, text, notable=window.request_tokens > window.message_budget)


def _text(replay: Replay, step: Step) -> Iterator[Event]:
    for number, row in enumerate(_own(replay, step).messages):
        fields = {"text": row.content, "role": row.role, "turn": row.turn_id, "state": row.state, "tokens": row.tokens}
        yield Event("render", fields, f"message {number} ({row.role}) of turn {row.turn_id}", number)


def _change(replay: Replay, step: Step) -> Iterator[Event]:
    prefix = _own(replay, step).prefix
    if prefix is not None and prefix.first_change is not None:
        change = prefix.first_change
        fields = {"part": change.part, "id": change.id, "message": change.message,
                  "common_tokens": prefix.common_tokens}  # fmt: skip
        yield Event("render", fields, f"first change: {change.part} {change.id} at message {change.message}")


def finding_event(finding: Finding) -> Event:
    """A finding as an event."""
    fields = {"id": finding.id, "severity": finding.severity, "stage": finding.stage, "message": finding.message,
              "turn": finding.turn_id, "call": finding.call_id, "component": finding.component,
              "text": finding.text}  # fmt: skip
    return Event(finding.stage, fields, f"{finding.severity} {finding.id}: {finding.text}")


def _finding(replay: Replay, step: Step) -> Iterator[Event]:
    yield from (finding_event(finding) for finding in _own(replay, step).findings)


def _pair(replay: Replay, step: Step) -> Iterator[Event]:
    yield from (event for event in _finding(replay, step) if event.pairing)


def _at(replay: Replay, step: Step) -> Iterator[Event]:
    del replay
    yield Event("", {"turn": step.turn, "request": step.request}, f"turn {step.turn} request {step.request}")


def _fork(replay: Replay, step: Step) -> Iterator[Event]:
    base = replay.base
    if base is not None:
        differs = replay.request(step).window.messages != base.request(step).window.messages
        yield Event("render", {"diverges": "yes" if differs else "no"}, "differs from the unforked replay",
                    notable=differs)  # fmt: skip


EVENTS: dict[str, Callable[[Replay, Step], Iterator[Event]]] = {
    "topic": _topic,
    "recall": _recall,
    "cover": _cover,
    "trunc": _trunc,
    "drop": _drop,
    "budget": _budget,
    "text": _text,
    "change": _change,
    "finding": _finding,
    "pair": _pair,
    "at": _at,
    "fork": _fork,
}
