"""Which settings could bring back what a rule took out: the settings that govern that rule, nearest first.

A plan only proposes. Whether a value really keeps the place is found out by replaying the request under it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from ctxinspect.pipeline.fate import Fate, Fates
from ctxinspect.pipeline.occurrences import Occurrence
from ctxinspect.pipeline.sight import sentence_spans
from ctxinspect.settings import STRATEGY_RATIOS, Settings

__all__ = ["Plan", "plans_for"]

_TURN_RULES = frozenset(
    {
        "no_shared_anchor",
        "content_filter",
        "recall_limit",
        "rank",
        "empty_after_prune",
        "no_gain",
        "over_budget",
        "covered",
        "sentence_rank",
        "cover_text_only",
    }
)


_ALPHAS = (0.6, 0.4, 0.2, 0.0, 1.0, 1.2)
"""Exponents of the cost that are tried: smaller ones favour blocks that cover much, larger ones those that cost little."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A setting to vary: `values` are tried in order.

    With `low` and `high` the whole number nearest to the present value that keeps the place is sought between them,
    `values` being guesses at it. `low` is the present side, which does not keep it, and may be the larger number where
    less is what helps.
    """

    path: str
    values: tuple[Any, ...] = ()
    low: int | None = None
    high: int | None = None
    scale: float = 1.0
    """What a whole number of the search stands for: 0.01 searches hundredths."""


def plans_for(fates: Fates, occurrence: Occurrence, fate: Fate) -> tuple[Plan, ...]:
    """The plans for a place that is not whole in the request, those of the rule that decided first."""
    settings = fates.replay.settings
    context = _Context(fates, occurrence, fate, settings)
    makers: dict[str, Maker] = {
        "history_reset": lambda _: [Plan("history_resets", ("ignore",))],
        "what_if_drop": _undrop,
        "trimmed": _window,
        "handle_over_tokens": _handle,
        "orphan": lambda _: [Plan("sequence.orphan_calls", ("stub",))] if occurrence.place.kind == "call" else [],
    }
    if fate.rule in makers:
        return tuple(makers[fate.rule](context))
    if fate.rule in _TURN_RULES:
        return tuple(_turn(context))
    if fate.stage == "assemble" and fate.rule not in ("empty", "filled", "not_rendered"):
        return tuple(_component(context))
    return ()


@dataclass(frozen=True, slots=True)
class _Context:
    fates: Fates
    occurrence: Occurrence
    fate: Fate
    settings: Settings

    def off(self, rule: str) -> Plan:
        return Plan("what_if.rules_off", ([*self.settings.what_if.rules_off, rule],))

    def drop(self, items: Sequence[str]) -> Plan:
        return Plan("what_if.drop", tuple([*self.settings.what_if.drop, item] for item in items))


Maker: TypeAlias = Callable[[_Context], list[Plan]]


def _undrop(context: _Context) -> list[Plan]:
    place = context.occurrence.place
    mine = {f"turn:{place.turn_id}", f"page:{place.page}", f"component:{place.name}"}
    if place.kind not in ("component", "variable"):
        mine -= {f"component:{place.name}"}
    left = [item for item in context.settings.what_if.drop if item not in mine]
    return [Plan("what_if.drop", (left,))]


def _window(context: _Context) -> list[Plan]:
    window, request = context.settings.window, context.fates.request
    ratio = STRATEGY_RATIOS[window.strategy]
    larger = sorted((share, name) for name, share in STRATEGY_RATIOS.items() if share > ratio)
    trace = request.window.trace
    need = _need(context)
    size = math.ceil((need + trace.tool_tokens) / ratio)
    most = math.ceil((request.window.tokens_before + trace.tool_tokens) / ratio) + 2
    plans = [Plan("window.strategy", tuple(name for _, name in larger))] if larger else []
    if window.context_tokens is None:
        guess = math.ceil(size / 1000)
        plans.append(Plan("window.context_limit", (guess,), window.context_limit, most // 1000 + 1))
    plans.append(Plan("window.context_tokens", (size, size + 1), trace.size, most))
    if window.unit == "message":
        plans.append(Plan("window.unit", ("turn",)))
    if context.settings.history == "full":
        plans.append(Plan("history", ("gatekeeper",)))
    over = context.settings.sequence.handle_over_tokens
    if any(m.role == "tool" and m.state == "kept" for m in request.window.messages):
        values = tuple(v for v in (2000, 1000, 500, 200, 100) if over is None or v < over)
        plans.append(Plan("sequence.handle_over_tokens", values))
    return [*plans, context.off("trim")]


def _need(context: _Context) -> int:
    """Tokens the request has if the place's unit and all newer ones stay: an estimate that the search corrects."""
    window, place = context.fates.request.window, context.occurrence.place
    gone = [m for m in window.removed if m.turn_id is not None and m.turn_id >= (place.turn_id or 0)]
    if place.turn_id == context.fates.step.turn:
        gone = [m for m in gone if m.round is not None and place.round is not None and m.round >= place.round]
    return window.trace.request_tokens + sum(m.tokens for m in gone)


def _handle(context: _Context) -> list[Plan]:
    tokens = context.fates.replay.counter(context.occurrence.field)
    limit = context.settings.sequence.handle_over_tokens or 0
    return [
        Plan("sequence.handle_preview_chars", (context.occurrence.end,)),
        Plan("sequence.handle_over_tokens", (tokens,), limit, tokens),
        context.off("handles"),
    ]


def _turn(context: _Context) -> list[Plan]:
    return [*_own_rule(context), *_gate(context), *_come_along(context)]


def _own_rule(context: _Context) -> list[Plan]:
    """Settings of the rule itself."""
    rule, keeper = context.fate.rule, context.settings.gatekeeper
    removed = {verdict.rule for verdict in context.fate.verdicts if not verdict.passed}
    plans: list[Plan] = []
    if rule == "no_shared_anchor":
        floors = sorted(
            {math.floor(cut.idf * 100) / 100 for cut in context.fates.request.gate.anchors_cut}, reverse=True
        )
        if floors:
            plans += [Plan("gatekeeper.idf_floor", tuple(floors)), context.off("idf_floor")]
    if rule == "content_filter":
        plans.append(Plan("gatekeeper.content_filter", (False,)))
    if rule in ("recall_limit", "rank"):
        rank = int((context.fate.decided and context.fate.decided.value) or 0)
        plans.append(
            Plan("gatekeeper.recall_limit", (rank,), keeper.recall_limit, len(context.fates.replay.session.turns))
        )
        if keeper.weight_recency > 0:
            plans.append(Plan("gatekeeper.weight_recency", (0.0,)))
        plans.append(Plan("gatekeeper.lexical", ("idf" if keeper.lexical == "bm25" else "bm25",)))
    if removed & {"sentence_rank", "no_gain", "empty_after_prune"}:
        plans += [_sentences(context), context.off("prune")]
    if rule in ("covered", "over_budget"):
        target = math.floor(keeper.coverage_target * 100)
        plans.append(Plan("gatekeeper.coverage_target", (1.0,), target, 100, 0.01))
        plans.append(context.off("coverage_target"))
        plans.append(Plan("gatekeeper.alpha", tuple(a for a in _ALPHAS if a != keeper.alpha)))
    if rule == "covered":
        plans += _without_rivals(context)
    if rule in ("over_budget", "covered", "sentence_rank", "cover_text_only"):
        plans.append(Plan("gatekeeper.token_budget", (), keeper.token_budget, max(20_000, 8 * keeper.token_budget)))
    return plans


def _without_rivals(context: _Context) -> list[Plan]:
    """For a turn that others cover: fewer candidates, so that it is among them and they are not, or one of them gone."""
    selection = context.fates.request.selection
    turn_id, limit = context.occurrence.place.turn_id, context.settings.gatekeeper.recall_limit
    rank = next((rank for rank, row in enumerate(selection.recall, 1) if row.turn_id == turn_id), limit)
    plans = [Plan("gatekeeper.recall_limit", (), limit, rank)] if rank < limit else []
    if selection.cover.steps:
        plans.append(context.drop([f"turn:{step.turn_id}" for step in selection.cover.steps[:2]]))
    return plans


def _sentences(context: _Context) -> Plan:
    most = context.settings.gatekeeper.max_sentences
    place, turn_id = context.occurrence.place, context.occurrence.place.turn_id
    assert turn_id is not None
    text = context.fates.replay.sequencer.block_texts(turn_id)[0 if place.kind == "user" else 1]
    return Plan("gatekeeper.max_sentences", (), most, max(most + 1, len(sentence_spans(text))))


def _gate(context: _Context) -> list[Plan]:
    """Where the topic switched: the thresholds at which it would have gone on.

    That helps a turn that then comes along as a recent one, and one that only the content filter of a switch removed.
    """
    gate, turn_id = context.fates.request.gate, context.occurrence.place.turn_id
    recent = context.fates.step.turn - context.settings.gatekeeper.recent_turns
    if gate.decision != "switch" or (context.fate.rule != "content_filter" and (turn_id or 0) < recent):
        return []
    below = math.ceil(gate.overlap * 1000) / 1000 - 0.001
    plans = [Plan("gatekeeper.overlap_continue", (round(below, 3),))] if below >= 0 else []
    plans.append(Plan("gatekeeper.overlap_switch", (math.floor(gate.overlap * 1000) / 1000,)))
    if gate.new_ratio < 1:
        plans.append(Plan("gatekeeper.new_ratio_switch", (math.ceil(gate.new_ratio * 1000) / 1000,)))
    return plans


def _come_along(context: _Context) -> list[Plan]:
    """Ways to come along whole: as a recent turn, or with all of history."""
    keeper, step = context.settings.gatekeeper, context.fates.step
    turn_id = context.occurrence.place.turn_id
    assert turn_id is not None
    gate = context.fates.request.gate
    plans: list[Plan] = []
    if gate.decision == "continue" and turn_id >= gate.topic_start:
        age = step.turn - turn_id
        if age > keeper.recent_turns:
            plans.append(Plan("gatekeeper.recent_turns", (age,)))
        else:
            plans.append(Plan("gatekeeper.token_budget", (), keeper.token_budget, max(20_000, 8 * keeper.token_budget)))
    return [*plans, Plan("history", ("full",))]


def _component(context: _Context) -> list[Plan]:
    assembler, assembly = context.settings.assembler, context.fates.request.assembly.trace
    name = context.occurrence.place.name
    row = next((row for row in assembly.components if row.name == name), None)
    whole = math.ceil(assembly.requested_tokens / (1 - assembler.buffer)) + 1
    guess: tuple[int, ...] = ()
    if row is not None and row.state == "dropped":
        guess = (math.ceil((assembly.limit - row.margin) / (1 - assembler.buffer)),)
    plans = [Plan("assembler.max_tokens", guess, assembler.max_tokens, whole)]
    if assembler.buffer > 0:
        plans.append(Plan("assembler.buffer", (), math.ceil(assembler.buffer * 100), 0, 0.01))
    if context.fate.rule == "below_min_useful":
        plans.append(Plan("assembler.min_useful_tokens", (), assembler.min_useful_tokens, 0))
    if context.fate.rule == "after_truncate":
        plans.append(Plan("assembler.after_truncate", ("continue",)))
    others = sorted((r.rendered_tokens, r.name) for r in assembly.components if r.rendered_tokens and r.name != name)
    if others:
        plans.append(context.drop([f"component:{other}" for _, other in others]))
    return plans
