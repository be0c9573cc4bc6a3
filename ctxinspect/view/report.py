"""A trace as a report: titled sections of notes, tables and whole contents, in pipeline order. Texts are raw.

Every part of the trace has its section; a part that a view does not have is left out, an empty one says so.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from ctxinspect.trace.types import ComponentRow, GateTrace, MessageRow, Trace
from ctxinspect.view.sentence import request_sentence
from ctxinspect.view.table import ratio, signed

__all__ = ["Body", "Grid", "Note", "Section", "report_sections"]


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence of the program's own."""

    text: str


@dataclass(frozen=True, slots=True)
class Grid:
    """A table; every cell is text."""

    headers: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Body:
    """Content of the session, whole, under a caption."""

    caption: str
    text: str


@dataclass(frozen=True, slots=True)
class Section:
    """A title and what stands under it."""

    title: str
    parts: tuple[Note | Grid | Body, ...]


def report_sections(trace: Trace) -> tuple[Section, ...]:
    """The sections of one request, in pipeline order."""
    title = f"t{trace.turn_id}r{trace.request} of {trace.session.title or trace.session.source or 'session'}"
    counter = f"{trace.counter.name}, {'exact' if trace.counter.exact else 'estimated'}"
    named = f"{trace.view} view; tokens by {counter}" + ("; hypothetical request" if trace.hypothetical else "")
    head = Section(title, (Note(request_sentence(trace)), Note(named), Body("query", trace.query)))
    return (head, *_gatekeeper(trace), *_assembly(trace), *_window(trace), *_outcome(trace))


def _number(value: float | None) -> str:
    if value is None:
        return "-"
    return str(int(value)) if float(value).is_integer() and abs(value) < 1e15 else ratio(value)


def _margin(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{int(value):+d}" if float(value).is_integer() else signed(value)


def _or_note(grid: Grid, empty: str) -> Note | Grid:
    return grid if grid.rows else Note(empty)


def _gatekeeper(trace: Trace) -> Iterator[Section]:
    if trace.gate is not None:
        yield _gate(trace.gate)
    if trace.recall is not None:
        rows = tuple(
            (
                f"t{row.turn_id}",
                ratio(row.lex_user),
                ratio(row.lex_assistant),
                str(row.exact),
                ratio(row.recency),
                ratio(row.score),
                row.state,
                row.rule,
                ", ".join(row.content_words) or "-",
            )
            for row in trace.recall
        )
        headers = ("turn", "user", "assistant", "exact", "recency", "score", "state", "rule", "content words")
        yield Section("recall", (_or_note(Grid(headers, rows), "no candidate"),))
    if trace.cover is not None:
        cover = trace.cover
        steps = tuple(
            (f"t{s.turn_id}", ratio(s.gain), str(s.cost), ratio(s.coverage), str(s.budget_left), ", ".join(s.newly))
            for s in cover.steps
        )
        names = ("turn", "gain", "tokens", "coverage", "budget left", "newly covered")
        ended = f"stopped: {cover.stop}; coverage {_number(cover.coverage)}"
        left = f"uncovered: {', '.join(cover.uncovered) or 'none'}; coverable: {', '.join(cover.coverable) or 'none'}"
        yield Section("cover", (_or_note(Grid(names, steps), "no step"), Note(ended), Note(left)))
    if trace.selected is not None:
        chosen = tuple((f"t{row.turn_id}", row.via, _number(row.score)) for row in trace.selected)
        yield Section("selected turns", (_or_note(Grid(("turn", "via", "score"), chosen), "no turn selected"),))


def _gate(gate: GateTrace) -> Section:
    margins = gate.margins
    measured = (
        ("overlap continues", gate.overlap, margins.overlap_continue),
        ("overlap switches", gate.overlap, margins.overlap_switch),
        ("new ratio switches", gate.new_ratio, margins.new_ratio_switch),
    )
    rows = tuple((name, ratio(value), ratio(value - margin), signed(margin)) for name, value, margin in measured)
    decided = f"{gate.decision} by {gate.rule}; topic starts at t{gate.topic_start}; {gate.blocks} blocks"
    deictic = f"deictic: {gate.deictic}" if gate.deictic is not None else "deictic: no pattern matched"
    anchors = tuple(
        (a.term, a.kind, str(a.df), ratio(a.idf), "active topic" if a.in_topic else "new") for a in gate.anchors
    )
    cut = tuple((a.term, "ngram", str(a.df), ratio(a.idf), "cut: below the IDF floor") for a in gate.anchors_cut)
    return Section(
        "gate",
        (
            Note(decided),
            Note(deictic),
            Grid(("rule", "value", "threshold", "margin"), rows),
            _or_note(Grid(("anchor", "kind", "df", "idf", "in topic"), (*anchors, *cut)), "no anchor"),
        ),
    )


def _assembly(trace: Trace) -> Iterator[Section]:
    assembly = trace.assembly
    if assembly is None:
        return
    rows = tuple(
        (
            row.name,
            str(row.priority),
            row.state,
            row.rule,
            str(row.requested_tokens),
            str(row.rendered_tokens),
            str(row.remaining),
            f"{row.margin:+d}",
            "-" if row.position is None else str(row.position),
        )
        for row in assembly.components
    )
    headers = ("component", "priority", "state", "rule", "requested", "rendered", "remaining", "margin", "position")
    total = (
        f"budget {assembly.budget}, limit {assembly.limit}; requested {assembly.requested_tokens}, "
        f"rendered {assembly.rendered_tokens}, overflow {assembly.overflow}, unused {assembly.unused_tokens} tokens"
    )
    bodies = [part for row in assembly.components for part in _cut(row)]
    yield Section(
        "components", (_or_note(Grid(headers, rows), "no component"), Note(total), *bodies, Body("text", assembly.text))
    )


def _cut(row: ComponentRow) -> Iterator[Body]:
    """What of a component is not in the request: the rest behind the cut, or all of it."""
    if row.state == "truncated":
        lost = row.content[row.rendered_chars :]
        yield Body(f"{row.name}: left out behind the cut at character {row.rendered_chars} of {len(row.content)}", lost)
    elif row.state == "dropped" and row.content:
        yield Body(f"{row.name}: left out whole", row.content)


def _left(name: str, tokens: int, what: str, over: str) -> tuple[str, int, str]:
    """What is left; where it is less than nothing, nothing, and how much is missing."""
    return (name, tokens, what) if tokens >= 0 else (name, 0, f"{-tokens} missing: {over}")


def _window(trace: Trace) -> Iterator[Section]:
    window = trace.window
    waterfall = (
        ("window", window.size, f"strategy {window.strategy}"),
        ("input budget", window.input_budget, f"{ratio(window.ratio)} of the window"),
        ("tools", window.tool_tokens, "tool schemas"),
        _left("message budget", window.message_budget, "input budget less tools", "tools are over the input budget"),
        ("request", window.request_tokens, "messages as sent"),
        _left(
            "left",
            window.message_budget - window.request_tokens,
            "message budget less request",
            "tools and request are over the input budget",
        ),
    )
    dropped = tuple(
        (
            unit.kind,
            "-" if unit.turn_id is None else f"t{unit.turn_id}",
            "-" if unit.round is None else str(unit.round),
            str(unit.tokens),
        )
        for unit in window.dropped
    )
    yield Section(
        "window",
        (
            Grid(("part", "tokens", "what"), tuple((name, str(tokens), what) for name, tokens, what in waterfall)),
            _or_note(Grid(("trimmed", "turn", "round", "tokens"), dropped), "nothing trimmed"),
        ),
    )
    rows = tuple(_message(at, row) for at, row in enumerate(trace.messages))
    headers = ("#", "role", "tokens", "turn", "round", "state", "calls", "answers", "mark")
    bodies = tuple(part for at, row in enumerate(trace.messages) for part in _contents(at, row))
    yield Section("messages", (_or_note(Grid(headers, rows), "no message"), *bodies))


def _message(at: int, row: MessageRow) -> tuple[str, ...]:
    return (
        str(at),
        row.role,
        str(row.tokens),
        "-" if row.turn_id is None else f"t{row.turn_id}",
        "-" if row.round is None else str(row.round),
        row.state,
        ", ".join(f"{call.name} {call.id}" for call in row.tool_calls) or "-",
        row.tool_call_id or "-",
        ", ".join(mark for mark in (row.synthetic, row.note) if mark) or "-",
    )


def _contents(at: int, row: MessageRow) -> Iterator[Body]:
    for text in row.thinking:
        yield Body(f"#{at} {row.role} thinking", text)
    if row.content or not row.tool_calls:
        answers = f" answers {row.tool_call_id}" if row.tool_call_id else ""
        yield Body(f"#{at} {row.role}{answers}", row.content)
    for call in row.tool_calls:
        given = call.arguments
        arguments = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False, indent=2)
        yield Body(f"#{at} {row.role} calls {call.name} {call.id}", arguments)


def _outcome(trace: Trace) -> Iterator[Section]:
    if trace.prefix is not None:
        prefix, change = trace.prefix, trace.prefix.first_change
        same = (
            f"same as t{prefix.previous[0]}r{prefix.previous[1]} for {prefix.common_messages} messages, "
            f"{prefix.common_tokens} tokens"
        )
        where = "no change before its end"
        if change is not None:
            where = f"first change: {change.part} {change.id} at message {change.message}, character {change.character}"
        yield Section("prefix", (Note(same), Note(where)))
    if trace.usage is not None:
        usage = trace.usage
        rows = tuple(
            (name, _number(value))
            for name, value in (
                ("reported input", usage.reported.input),
                ("reported cached", usage.reported.cached),
                ("reported output", usage.reported.output),
                ("counted", usage.counted),
                ("not in this file", usage.not_in_file),
            )
        )
        yield Section("usage", (Grid(("what", "tokens"), rows),))
    found = tuple(
        (
            f.severity,
            f.stage,
            f.id,
            "-" if f.message is None else f"#{f.message}",
            "-" if f.turn_id is None else f"t{f.turn_id}",
            f.call_id or "-",
            "-" if f.line is None else str(f.line),
            f.text,
        )
        for f in trace.findings
    )
    headers = ("severity", "stage", "rule", "message", "turn", "call", "line", "text")
    yield Section("findings", (_or_note(Grid(headers, found), "nothing found"),))
    if trace.ledger is not None:
        fates = tuple(
            (e.kind, str(e.id), e.stage, e.state, e.rule, _number(e.value), _number(e.threshold), _margin(e.margin))
            for e in trace.ledger
        )
        headers = ("kind", "id", "stage", "state", "rule", "value", "threshold", "margin")
        yield Section("ledger", (_or_note(Grid(headers, fates), "no candidate"),))
    yield Section("log", tuple(Note(line) for line in trace.window.log) or (Note("nothing logged"),))
