"""The events that predicates speak of: what happened in one request, by kind, with the fields of its part of the trace.

Topic, recall, cover, trunc and drop are the replay's; text, finding, pair, budget and change are of the view asked for,
by default the session's own (a fork: the replay). Fields with several values are tuples; null fields meet no condition.
Numbers of events are those of `#` in addresses: a component, a candidate, a message, a dropped unit, a finding.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeAlias

from ctxinspect.pipeline.effects import effects
from ctxinspect.pipeline.plan import Step
from ctxinspect.pipeline.replay import Replay, Request, View
from ctxinspect.trace.types import STAGES, Finding, MessageRow, Trace

__all__ = ["EVENTS", "KINDS", "PAIRING", "Event", "FieldType", "Kind", "Moment", "finding_event"]

PAIRING = frozenset({"ambiguous-pair", "duplicate-call-id", "duplicate-result", "missing-call-id", "missing-result",
                     "orphan-result", "result-not-adjacent"})  # fmt: skip
FieldType: TypeAlias = Literal["number", "text"] | tuple[str, ...]
"""What a field holds: a number, any text, or one of these words."""

_START = 72
"""Characters of a message that its line shows."""
_ROLES = ("system", "user", "assistant", "tool")
_SEVERITIES = ("info", "warning", "error")


class Kind(NamedTuple):
    """A kind of event: the stage it belongs to, what it means without conditions, its fields (the first: the main one)."""

    stage: str
    alone: str
    types: dict[str, FieldType]

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of its fields."""
        return tuple(self.types)


_FINDING: dict[str, FieldType] = {"id": "text", "severity": _SEVERITIES, "stage": STAGES, "message": "number",
                                  "turn": "number", "call": "text", "component": "text", "text": "text"}  # fmt: skip
KINDS: dict[str, Kind] = {
    "topic": Kind(
        "gate",
        "a decided switch",
        {
            "margin": "number",
            "decision": ("start", "continue", "switch"),
            "rule": ("no_history", "deictic", "no_anchors", "overlap", "new_topic", "middle"),
            "overlap": "number",
            "new_ratio": "number",
            "topic_start": "number",
            "blocks": "number",
            "deictic": "text",
        },
    ),
    "recall": Kind(
        "recall",
        "a candidate turn dropped",
        {"turn": "number", "score": "number", "state": ("kept", "pruned", "dropped"), "rule": "text",
         "exact": "number", "recency": "number"},
    ),
    "cover": Kind(
        "cover",
        "an anchor left uncovered",
        {"coverage": "number", "stop": ("target", "no_gain", "budget", "no_candidates"), "steps": "number",
         "uncovered": "text"},
    ),
    "trunc": Kind(
        "assemble",
        "a component cut",
        {"component": "text", "priority": "number", "requested": "number", "rendered": "number", "cut": "number",
         "rule": "text"},
    ),
    "drop": Kind(
        "assemble, window",
        "a component (no empty one) or a unit dropped",
        {"unit": ("component", "turn", "round", "message"), "role": _ROLES, "turn": "number", "round": "number",
         "component": "text", "tokens": "number", "rule": "text"},
    ),
    "budget": Kind(
        "window",
        "the request over its budget",
        {"used": "number", "request_tokens": "number", "message_budget": "number", "tool_tokens": "number",
         "size": "number"},
    ),
    "text": Kind(
        "render",
        "(needs a text)",
        {"text": "text", "role": "text", "turn": "number",
         "state": ("kept", "pruned", "handle", "stub"), "tokens": "number", "call": "text"},
    ),
    "change": Kind(
        "render",
        "the previous request is no prefix",
        {"part": ("tools", "component", "turn"), "id": "text", "message": "number", "common_tokens": "number"},
    ),
    "finding": Kind("lint", "any finding", _FINDING),
    "pair": Kind("lint", "a call or result that does not pair", _FINDING),
    "at": Kind("any", "(needs a turn)", {"turn": "number", "request": "number", "stage": STAGES}),
    "fork": Kind("any", "a request that overrides change", {"diverges": ("no", "yes"), "stage": STAGES}),
}  # fmt: skip


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


class Moment:
    """One request as predicates look at it: what it holds of each kind, worked out once, when first asked for."""

    def __init__(self, replay: Replay, step: Step, view: View | None = None) -> None:
        self.replay = replay
        self.step = step
        self.view: View = view or ("replay" if replay.base is not None else replay.default_view)
        self._events: dict[str, tuple[Event, ...]] = {}

    def events(self, kind: str) -> tuple[Event, ...]:
        """The events of this kind, in the order of their numbers."""
        known = self._events.get(kind)
        if known is None:
            known = self._events[kind] = tuple(EVENTS[kind](self))
        return known

    @cached_property
    def trace(self) -> Trace:
        """The request's trace in the view asked for, without ledger."""
        return self.replay.trace(self.step.turn, self.step.request, view=self.view, ledger=False)

    @property
    def several(self) -> bool:
        """Whether the turn made more requests than one, so that an address names the request."""
        return bool(self.replay.session.turns[self.step.turn].rounds)


def _topic(moment: Moment) -> Iterator[Event]:
    gate = moment.replay.gate(moment.step.turn)
    m = gate.margins
    compared = gate.rule in ("overlap", "new_topic", "middle")
    margin = min(abs(m.overlap_continue), abs(m.overlap_switch), abs(m.new_ratio_switch)) if compared else None
    fields = {"margin": margin, "decision": gate.decision, "rule": gate.rule, "overlap": gate.overlap,
              "new_ratio": gate.new_ratio, "topic_start": gate.topic_start, "blocks": gate.blocks,
              "deictic": gate.deictic}  # fmt: skip
    text = f"{gate.decision} by {gate.rule}: overlap {gate.overlap:.4f}, new {gate.new_ratio:.4f}"
    text += f", margin {margin:.4f}" if margin is not None else ""
    text += f", deictic {gate.deictic!r}" if gate.deictic is not None else ""
    yield Event("gate", fields, text, notable=gate.decision == "switch", per_turn=True)


def _recall(moment: Moment) -> Iterator[Event]:
    for number, row in enumerate(moment.replay.selection(moment.step.turn).recall or ()):
        fields = {"turn": row.turn_id, "score": row.score, "state": row.state, "rule": row.rule, "exact": row.exact,
                  "recency": row.recency}  # fmt: skip
        text = f"turn {row.turn_id} {row.state} by {row.rule}, score {row.score:.4f}"
        yield Event("recall", fields, text, number, row.state == "dropped", per_turn=True)


def _cover(moment: Moment) -> Iterator[Event]:
    cover = moment.replay.selection(moment.step.turn).cover
    if cover is not None:
        fields = {"coverage": cover.coverage, "stop": cover.stop, "steps": len(cover.steps),
                  "uncovered": cover.uncovered}  # fmt: skip
        share = "nothing to cover" if cover.coverage is None else f"coverage {cover.coverage:.4f}"
        text = f"{share}, stopped by {cover.stop}; uncovered: {', '.join(cover.uncovered) or 'none'}"
        yield Event("cover", fields, text, notable=bool(cover.uncovered), per_turn=True)


def _trunc(moment: Moment) -> Iterator[Event]:
    for number, row in enumerate(moment.replay.assembly(moment.step.turn).trace.components):
        if row.state == "truncated":
            cut = 1 - row.rendered_tokens / row.requested_tokens if row.requested_tokens else 0.0
            fields = {"component": row.name, "priority": row.priority, "requested": row.requested_tokens,
                      "rendered": row.rendered_tokens, "cut": cut, "rule": row.rule}  # fmt: skip
            text = f"component {row.name} cut from {row.requested_tokens} to {row.rendered_tokens} tokens"
            yield Event("assemble", fields, text, number, per_turn=True)


def _drop(moment: Moment) -> Iterator[Event]:
    request = moment.replay.request(moment.step)
    for number, row in enumerate(request.assembly.trace.components):
        if row.state == "dropped":
            fields: dict[str, Any] = {"unit": "component", "role": "system", "component": row.name,
                                      "tokens": row.requested_tokens, "rule": row.rule}  # fmt: skip
            text = f"component {row.name} dropped by {row.rule}, {row.requested_tokens} tokens"
            yield Event("assemble", fields, text, number, row.rule != "empty", per_turn=True)
    removed = request.window.removed
    for number, gone in enumerate(request.window.trace.dropped):
        roles = tuple(
            dict.fromkeys(m.role for m in removed if m.turn_id == gone.turn_id and gone.round in (None, m.round))
        )
        fields = {"unit": gone.kind, "role": roles, "turn": gone.turn_id, "round": gone.round, "tokens": gone.tokens,
                  "rule": "trimmed"}  # fmt: skip
        where = f"turn {gone.turn_id}" + (f" round {gone.round}" if gone.round is not None else "")
        yield Event("window", fields, f"{gone.kind} dropped: {where}, {gone.tokens} tokens", number)


def _budget(moment: Moment) -> Iterator[Event]:
    window = moment.trace.window
    used = window.request_tokens / window.message_budget if window.message_budget > 0 else None
    fields = {"used": used, "request_tokens": window.request_tokens, "message_budget": window.message_budget,
              "tool_tokens": window.tool_tokens, "size": window.size}  # fmt: skip
    share = f" ({used:.1%})" if used is not None else ""
    text = f"{window.request_tokens} of {window.message_budget} tokens{share}"
    yield Event("window", fields, text, notable=window.request_tokens > window.message_budget)


def _spoken(row: MessageRow) -> tuple[str, ...]:
    """Every text of a message: its content, its thinking, the arguments of its calls (an object: as JSON)."""
    arguments = (
        call.arguments if isinstance(call.arguments, str) else json.dumps(call.arguments, ensure_ascii=False)
        for call in row.tool_calls
    )
    return (row.content, *row.thinking, *arguments)


def _text(moment: Moment) -> Iterator[Event]:
    for number, row in enumerate(moment.trace.messages):
        names = tuple(call.name for call in row.tool_calls) or row.name
        fields = {"text": _spoken(row), "role": row.role, "turn": row.turn_id, "state": row.state,
                  "tokens": row.tokens, "call": names}  # fmt: skip
        of = f" of turn {row.turn_id}" if row.turn_id is not None else ""
        start = row.content[:_START] or ", ".join(f"call {call.name}" for call in row.tool_calls)
        yield Event("render", fields, f"message {number} ({row.role}){of}: {start}", number)


def _change(moment: Moment) -> Iterator[Event]:
    prefix = moment.trace.prefix
    if prefix is not None and prefix.first_change is not None:
        change = prefix.first_change
        fields = {"part": change.part, "id": change.id, "message": change.message,
                  "common_tokens": prefix.common_tokens}  # fmt: skip
        yield Event("render", fields, f"first change: {change.part} {change.id} at message {change.message}")


def finding_event(finding: Finding, number: int | None = None) -> Event:
    """A finding as an event; `number` is its place among the request's findings."""
    fields = {"id": finding.id, "severity": finding.severity, "stage": finding.stage, "message": finding.message,
              "turn": finding.turn_id, "call": finding.call_id, "component": finding.component,
              "text": finding.text}  # fmt: skip
    text = f"{finding.severity} {finding.id} after {finding.stage}: {finding.text}"
    return Event("lint", fields, text, number)


def _finding(moment: Moment) -> Iterator[Event]:
    yield from (finding_event(finding, number) for number, finding in enumerate(moment.trace.findings))


def _pair(moment: Moment) -> Iterator[Event]:
    yield from (event for event in moment.events("finding") if event.pairing)


def _at(moment: Moment) -> Iterator[Event]:
    turn, request = moment.step
    for stage in ("", *STAGES):
        fields = {"turn": turn, "request": request, "stage": stage}
        where = f"turn {turn} request {request}" + (f", {stage}" if stage else "")
        yield Event(stage, fields, where)


def _sent(request: Request) -> list[tuple[Any, ...]]:
    return [(m.role, m.text, m.calls, m.call_id) for m in request.window.messages]


def _fork(moment: Moment) -> Iterator[Event]:
    base = moment.replay.base
    if base is None:
        return
    old, new = base.request(moment.step), moment.replay.request(moment.step)
    if _sent(old) == _sent(new):
        yield Event("window", {"diverges": "no"}, "as in the unforked replay", notable=False)
    else:
        effect = next(effects(base, moment.replay, [moment.step]))
        stage = effect.stage or "render"
        yield Event(stage, {"diverges": "yes", "stage": stage}, f"differs from the unforked replay, first at {stage}")


EVENTS: dict[str, Callable[[Moment], Iterator[Event]]] = {
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
