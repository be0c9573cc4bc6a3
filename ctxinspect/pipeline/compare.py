"""Two requests compared: what the model saw in each, which decisions differ, and the cause chain that connects them.

Pure: reads two traces (and, where two replays are compared, their settings) and computes nothing anew. The text of a
changed message is compared only when it is asked for (`message_diff`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ctxinspect.pipeline.causes import cause_chain, turn_changes
from ctxinspect.pipeline.comparison import Comparison, FigureChange, MessageChange, SettingChange, Side
from ctxinspect.pipeline.matching import match_components, match_findings, match_messages
from ctxinspect.pipeline.plan import Step
from ctxinspect.pipeline.replay import Replay, View
from ctxinspect.pipeline.text_diff import TextDiff, diff_texts
from ctxinspect.pipeline.turn_ways import History, Ways, history_of
from ctxinspect.settings import Settings, setting_paths
from ctxinspect.trace.recall_rows import stayed_rows
from ctxinspect.trace.types import MessageRow, Stage, Trace

__all__ = ["compare", "compare_steps", "message_diff", "settings_changes"]


def compare(
    a: Trace,
    b: Trace,
    *,
    settings: tuple[SettingChange, ...] = (),
    histories: tuple[History | None, History | None] = (None, None),
    visible: tuple[int, int] = (0, 0),
) -> Comparison:
    """What `b` has that `a` has not, and the other way round; `settings` are those that differ, for whoever reads it.

    `histories` says where each side's earlier turns come from, where the caller knows the settings; else it is read
    from the traces. `visible` are the first turns that no reset hides. A ledger in both adds the numbers of turns that
    are out. Linear in messages and turns.
    """
    one, other = histories[0] or history_of(a), histories[1] or history_of(b)
    known: tuple[History, History] = (one or other or "gatekeeper", other or one or "gatekeeper")
    if one is None and other == "recorded":
        known = ("gatekeeper", other)
    elif other is None and one == "recorded":
        known = (one, "gatekeeper")
    messages = match_messages(a.messages, b.messages)
    components = match_components(a, b) if a.view == b.view else ()
    findings = match_findings(a, b) if a.view == b.view else ()
    turns = turn_changes(a, b, (Ways(a, known[0], visible[0]), Ways(b, known[1], visible[1])))
    return Comparison(
        before=_side(a),
        after=_side(b),
        settings=settings,
        messages=messages,
        components=components,
        turns=turns,
        figures=tuple(_figures(a, b)),
        findings=findings,
        causes=cause_chain(a, b, known, turns, components, messages, findings, settings),
    )


def compare_steps(
    a: Replay,
    step_a: Step,
    b: Replay,
    step_b: Step,
    *,
    views: tuple[View, View] = ("replay", "replay"),
    ledger: bool = True,
) -> Comparison:
    """Two requests of one session, or of two replays of it, with the settings in which the replays differ.

    Without `ledger` the numbers of turns that are out are left out of the causes; that spares work linear in the turns.
    """
    before = a.trace(*step_a, view=views[0], ledger=ledger)
    after = b.trace(*step_b, view=views[1], ledger=ledger)
    return compare(
        before,
        after,
        settings=settings_changes(a.settings, b.settings) if a is not b else (),
        histories=(_history(a, views[0]), _history(b, views[1])),
        visible=(a.first_visible(step_a.turn), b.first_visible(step_b.turn)),
    )


def _history(replay: Replay, view: View) -> History:
    return "recorded" if view == "recorded" else replay.settings.history


def settings_changes(a: Settings, b: Settings) -> tuple[SettingChange, ...]:
    """Every setting with another value, in declaration order; values as JSON."""
    old, new = a.model_dump(mode="json"), b.model_dump(mode="json")
    changes = []
    for path in setting_paths():
        before, after = _leaf(old, path), _leaf(new, path)
        if before != after:
            changes.append(SettingChange(path, before, after))
    return tuple(changes)


def _leaf(data: Any, path: str) -> Any:
    for name in path.split("."):
        data = data[name]
    return data


def message_diff(change: MessageChange) -> TextDiff:
    """The text of a message on both sides compared: its content, then each call on lines of its own."""
    return diff_texts(_text(change.before), _text(change.after))


def _text(row: MessageRow | None) -> str:
    if row is None:
        return ""
    parts = [row.content] if row.content or not row.tool_calls else []
    for call in row.tool_calls:
        given = call.arguments
        arguments = given if isinstance(given, str) else json.dumps(given, ensure_ascii=False, indent=2)
        parts.append(f"call {call.name} {call.id}\n{arguments}")
    return "\n".join(parts)


def _side(trace: Trace) -> Side:
    window = trace.window
    return Side(
        address=Step(trace.turn_id, trace.request).address,
        view=trace.view,
        messages=len(trace.messages),
        request_tokens=window.request_tokens,
        tool_tokens=window.tool_tokens,
        message_budget=window.message_budget,
        counter=trace.counter.name,
    )


def _figures(a: Trace, b: Trace) -> Iterator[FigureChange]:
    old, new = _measured(a), _measured(b)
    for stage, name in {**old, **new}:
        before, after = old.get((stage, name)), new.get((stage, name))
        if _rounded(before) != _rounded(after) and (stage, name) in old and (stage, name) in new:
            yield FigureChange(stage, name, before, after)


def _rounded(value: Any) -> Any:
    return round(value, 9) if isinstance(value, float) else value


def _measured(trace: Trace) -> dict[tuple[Stage, str], Any]:
    """The figures of every stage that ran, in pipeline order."""
    figures: dict[tuple[Stage, str], Any] = {("ingest", "counter"): trace.counter.name}
    gate, cover, assembly, window = trace.gate, trace.cover, trace.assembly, trace.window
    if gate is not None:
        figures["gate", "decision"], figures["gate", "rule"] = gate.decision, gate.rule
        figures["gate", "overlap"], figures["gate", "new_ratio"] = gate.overlap, gate.new_ratio
        figures["gate", "topic_start"] = gate.topic_start
        figures["gate", "anchors"], figures["gate", "anchors_cut"] = len(gate.anchors), len(gate.anchors_cut)
    if trace.recall is not None and trace.selected is not None:
        figures["recall", "recent"] = sum(row.via == "recent" for row in trace.selected)
        figures["recall", "candidates"], figures["recall", "recalled"] = (
            len(trace.recall),
            len(stayed_rows(trace.recall)),
        )
    if cover is not None:
        figures["cover", "chosen"], figures["cover", "coverage"] = len(cover.steps), cover.coverage
        figures["cover", "uncovered"], figures["cover", "stop"] = len(cover.uncovered), cover.stop
    if assembly is not None:
        for name in ("budget", "limit", "requested_tokens", "rendered_tokens", "overflow", "unused_tokens"):
            figures["assemble", name] = getattr(assembly, name)
    for name in ("size", "strategy", "ratio", "unit", "input_budget", "tool_tokens", "message_budget"):
        figures["window", name] = getattr(window, name)
    figures["window", "dropped"] = len(window.dropped)
    figures["window", "request_tokens"] = window.request_tokens
    return figures
