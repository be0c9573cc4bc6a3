"""The one plain sentence on top of every request: what came along, what did not and why, what is wrong."""

from __future__ import annotations

from collections import Counter

from ctxinspect.text.clip import cell_width
from ctxinspect.trace.types import STAGES, Trace
from ctxinspect.view.fates import TurnFates, turn_fates
from ctxinspect.view.inspection import turn_text
from ctxinspect.view.reasons import reason

__all__ = ["request_sentence", "wrong_part"]


def request_sentence(
    trace: Trace,
    first_visible: int = 0,
    fates: TurnFates | None = None,
    *,
    width: int | None = None,
) -> str:
    """For example `12 of 40 turns in; t7 out: no content word in common; 2 errors, first at window`.

    `fates` are those of `turn_fates` where they are known already. Where it is longer than `width` cells, a shorter
    form is taken: the most telling words go last, what came along and what is wrong never.
    """
    known = turn_fates(trace, first_visible) if fates is None else fates
    first, last = _came_along(trace), wrong_part(trace)
    parts, handles = _components_out(trace), _handles(trace)
    merged = [f"{len(parts)} components cut or left out"] if len(parts) > 1 else parts
    long, short = _turns_out(trace, known), _turns_out(trace, known, brief=True)
    merged_two = parts if len(parts) <= 2 else [*parts[:2], f"{len(parts) - 2} more cut or left out"]
    forms = [
        [first, *long, *merged_two, *handles, last],
        [first, *long, *merged, *handles, last],
        [first, *short, *merged, *handles, last],
        [first, *short, *merged, last],
        [first, *short, last],
        [first, last],
    ]
    texts = ["; ".join(part for part in form if part) for form in forms]
    return next((text for text in texts if width is None or cell_width(text) <= width), texts[-1])


def _count(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def _came_along(trace: Trace) -> str:
    if trace.view == "recorded":
        return f"{_count(len(trace.messages), 'message')} as recorded"
    if trace.turn_id == 0:
        return "first turn, nothing earlier"
    present = {message.turn_id for message in trace.messages if message.turn_id is not None} - {trace.turn_id}
    return f"{len(present)} of {_count(trace.turn_id, 'turn')} in"


def _turns_out(trace: Trace, fates: TurnFates, *, brief: bool = False) -> list[str]:
    if trace.view == "recorded":
        return []
    worst = fates.worst()
    if worst is None:
        return []
    rules = fates.dropped_rules()
    alike, out = rules[worst.rule], sum(rules.values())
    name = turn_text(worst.turn, trace.session.turns)
    also = f" (and {alike - 1} more)" if alike > 1 else ""
    rest = out - alike
    others = f", {rest} for other reasons" if rest else ""
    return [f"{name} out: {worst.why}" if brief else f"{name} out: {worst.why}{also}{others}"]


def _components_out(trace: Trace) -> list[str]:
    if trace.assembly is None:
        return []
    parts = []
    for row in trace.assembly.components:
        if row.state == "truncated":
            parts.append(f"{row.name} cut to {row.rendered_tokens} of {row.requested_tokens} tokens")
        elif row.state == "dropped" and row.rule != "empty":
            parts.append(f"{row.name} left out: {reason(row.rule)}")
    return parts


def _handles(trace: Trace) -> list[str]:
    handles = sum(message.state == "handle" for message in trace.messages)
    rounds = sum(unit.kind != "turn" for unit in trace.window.dropped)
    parts = [f"{_count(handles, 'tool result')} as handle{'' if handles == 1 else 's'}"] if handles else []
    return [*parts, f"{_count(rounds, 'older round')} trimmed"] if rounds else parts


def wrong_part(trace: Trace) -> str:
    """`2 errors, first at window`, `1 warning`, or `nothing wrong`."""
    counts: Counter[str] = Counter(finding.severity for finding in trace.findings)
    if not counts["error"] and not counts["warning"]:
        return "nothing wrong"
    level = "error" if counts["error"] else "warning"
    first = min(STAGES.index(finding.stage) for finding in trace.findings if finding.severity == level)
    text = f"{_count(counts[level], level)}, first at {STAGES[first]}"
    return f"{text}, {_count(counts['warning'], 'warning')}" if level == "error" and counts["warning"] else text
