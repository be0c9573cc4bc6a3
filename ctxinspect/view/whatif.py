"""What a fork does, in lines: to the request shown, and to the session as far as it has been worked out."""

from __future__ import annotations

from collections.abc import Sequence

from ctxinspect.pipeline.comparison import Comparison
from ctxinspect.pipeline.effects import Effect
from ctxinspect.pipeline.plan import Step
from ctxinspect.trace.types import Trace
from ctxinspect.view.effects import totals_value
from ctxinspect.view.inspection import position_text

__all__ = ["alone_text", "here_line", "session_line"]


def _pair(name: str, before: int, after: int) -> str:
    return f"{name} {before} -> {after} ({after - before:+d})" if before != after else f"{name} {after} ="


def _findings(trace: Trace) -> tuple[int, int]:
    errors = sum(finding.severity == "error" for finding in trace.findings)
    return errors, sum(finding.severity == "warning" for finding in trace.findings)


def _tokens(trace: Trace) -> int:
    return trace.window.request_tokens + trace.window.tool_tokens


def here_line(before: Trace, after: Trace, comparison: Comparison) -> str:
    """The request shown: tokens, messages, gate, units dropped, findings, and where it first decides otherwise."""
    parts = [_pair("tokens", _tokens(before), _tokens(after))]
    counts = comparison.counts
    parts.append(f"messages +{counts['+']} -{counts['-']} ~{counts['~']}")
    if before.gate and after.gate and before.gate.decision != after.gate.decision:
        parts.append(f"gate {before.gate.decision} -> {after.gate.decision}")
    if len(before.window.dropped) != len(after.window.dropped):
        parts.append(_pair("trimmed", len(before.window.dropped), len(after.window.dropped)))
    old, new = _findings(before), _findings(after)
    if old != new:
        parts.append(f"lint {old[0]}E{old[1]}W -> {new[0]}E{new[1]}W")
    parts.append(f"first at {comparison.stage}" if comparison.stage else "no decision differs")
    return "here     " + "   ".join(parts)


def alone_text(before: Trace, after: Trace) -> str:
    """What one knob does here by itself, in a few words."""
    delta = _tokens(after) - _tokens(before)
    parts = [f"{delta:+d} tok" if delta else "= tok"]
    messages = len(after.messages) - len(before.messages)
    parts += [f"{messages:+d} msg"] if messages else []
    if before.gate and after.gate and before.gate.decision != after.gate.decision:
        parts.append(f"gate {after.gate.decision}")
    return " ".join(parts)


def session_line(effects: Sequence[Effect], done: int, total: int, turns: int, spared: int) -> str:
    """The session so far: requests changed (a + while not all are known), first divergence, totals.

    `spared` requests lie before the first turn the settings can reach; they count as looked at.
    """
    changed = [effect for effect in effects if effect.changed]
    over = done >= total
    count = f"changed {len(changed)}{'' if over else '+'}/{total}"
    if not over:
        count += f", {done} looked at"
    first = min(changed, key=lambda effect: effect.step, default=None)
    where = "no request differs" if over and not changed else ""
    if first is not None:
        where = f"first {'' if over else 'so far '}{_place(first.step, turns)}.{first.stage}"
    sums = totals_value(effects)
    parts = [count, where]
    if effects:
        parts.append(_pair("tokens", *sums["tokens"]))
        parts += [
            _pair(name, *sums[name]) for name in ("units trimmed", "errors", "warnings") if len(set(sums[name])) > 1
        ]
    if spared and over:
        parts.append(f"{spared} before it cannot change")
    return "session  " + "   ".join(part for part in parts if part)


def _place(step: Step, turns: int) -> str:
    return position_text(step, turns)
