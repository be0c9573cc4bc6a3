"""The effect of a fork, or of a replay against its recording, on every request: totals, a table, JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ctxinspect.pipeline.compare import settings_changes
from ctxinspect.pipeline.comparison import Comparison
from ctxinspect.pipeline.effects import Effect
from ctxinspect.pipeline.replay import Replay
from ctxinspect.view.diff import comparison_value
from ctxinspect.view.jsonable import jsonable
from ctxinspect.view.pipe_table import pipe_table

__all__ = ["address_ranges", "effect_value", "effects_summary", "effects_table", "session_value", "totals_value"]

_NAMED = 12
"""Stretches of requests that a sentence names; the others are counted."""


def address_ranges(effects: Sequence[Effect], chosen: Sequence[bool]) -> str:
    """The requests for which `chosen` holds, as `t3 to t9r1, t12`; neighbours in the session's order are one stretch."""
    spans: list[list[int]] = []
    for at, wanted in enumerate(chosen):
        if wanted and spans and spans[-1][1] == at - 1:
            spans[-1][1] = at
        elif wanted:
            spans.append([at, at])
    names = [
        effects[low].step.address if low == high else f"{effects[low].step.address} to {effects[high].step.address}"
        for low, high in spans[:_NAMED]
    ]
    left = sum(high - low + 1 for low, high in spans[_NAMED:])
    return ", ".join(names) + (f" and {left} more" if left else "")


def effects_summary(effects: Sequence[Effect]) -> Iterator[str]:
    """How many requests differ and which; what else was decided otherwise; totals over all requests."""
    changed = [effect.changed for effect in effects]
    decided = [effect.stage is not None and not effect.changed for effect in effects]
    if any(changed):
        yield f"{sum(changed)} of {len(effects)} requests differ: {address_ranges(effects, changed)}"
    else:
        yield f"no request differs: the model would see the same in all {len(effects)}"
    if any(decided):
        first = next(effect for effect in effects if effect.stage is not None and not effect.changed)
        yield (
            f"{sum(decided)} more with other decisions and the same messages, "
            f"first {first.step.address} at {first.stage}: {address_ranges(effects, decided)}"
        )
    totals = totals_value(effects)
    parts = []
    for name, (before, after) in totals.items():
        delta = f" ({after - before:+d})" if before != after else ""
        parts.append(f"{name} {before} -> {after}{delta}" if delta else f"{name} {after}")
    yield f"over all requests: {', '.join(parts)}"


def totals_value(effects: Sequence[Effect]) -> dict[str, tuple[int, int]]:
    """Sums over all requests, before and after: tokens, units trimmed, switches (of turns), findings."""
    turns: dict[int, Effect] = {effect.step.turn: effect for effect in effects}

    def total(name: str) -> tuple[int, int]:
        sides = [getattr(effect, name) for effect in effects]
        return sum(side[0] for side in sides), sum(side[1] for side in sides)

    switches = tuple(sum(effect.decisions[side] == "switch" for effect in turns.values()) for side in (0, 1))
    return {
        "tokens": total("tokens"),
        "units trimmed": total("trimmed"),
        "switches": (switches[0], switches[1]),
        "errors": total("errors"),
        "warnings": total("warnings"),
    }


def effects_table(effects: Sequence[Effect]) -> list[str]:
    """One row for every request that differs in messages or decisions; the others are counted below."""
    rows = [
        (
            effect.step.address,
            "yes" if effect.changed else "no",
            str(effect.added),
            str(effect.removed),
            str(effect.edited),
            f"{effect.tokens[0]} -> {effect.tokens[1]} ({effect.delta:+d})",
            f"{effect.errors[0]} -> {effect.errors[1]}",
            f"{effect.warnings[0]} -> {effect.warnings[1]}",
            effect.stage or "-",
        )
        for effect in effects
        if effect.changed or effect.stage is not None
    ]
    if not rows:
        return []
    headers = ("request", "differs", "+", "-", "~", "tokens", "errors", "warnings", "first stage")
    left = len(effects) - len(rows)
    return [*pipe_table(headers, rows), *([f"{left} more requests are the same on both sides"] if left else [])]


def effect_value(effect: Effect) -> dict[str, Any]:
    """One effect as JSON values."""
    value: dict[str, Any] = jsonable(effect)
    return {**value, "step": effect.step.address, "turn_id": effect.step.turn, "request": effect.step.request}


def session_value(a: Replay, b: Replay, effects: Sequence[Effect], first: Comparison | None) -> dict[str, Any]:
    """Two replays of a session (or recording and replay) as JSON values: totals, every effect, the first difference."""
    return {
        "format": "ctxinspect-effects/1",
        "settings": jsonable(settings_changes(a.settings, b.settings)),
        "requests": len(effects),
        "changed": sum(effect.changed for effect in effects),
        "first": None if first is None else first.before.address,
        "totals": {name: list(pair) for name, pair in totals_value(effects).items()},
        "effects": [effect_value(effect) for effect in effects],
        "comparison": None if first is None else comparison_value(first),
    }
