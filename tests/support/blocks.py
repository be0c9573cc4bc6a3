"""Small builders for the gatekeeper: an engine over blocks, decisions and selections at a turn."""

from __future__ import annotations

from typing import Any

from ctxinspect.gatekeeper.engine import Engine
from ctxinspect.gatekeeper.selection import Selection
from ctxinspect.settings import GatekeeperSettings
from ctxinspect.trace.types import GateTrace

__all__ = ["decide", "engine_over", "select_at", "word_cost"]

Block = tuple[str, str]


def word_cost(*texts: str) -> int:
    """One token a word, as a cost that can be checked by eye."""
    return sum(len(text.split()) for text in texts)


def engine_over(*blocks: Block, rules_off: tuple[str, ...] = (), **settings: Any) -> Engine:
    engine = Engine(GatekeeperSettings(**settings), frozenset(rules_off))
    for user, assistant in blocks:
        engine.add_block(user, assistant)
    return engine


def decide(engine: Engine, query: str, t: int | None = None) -> GateTrace:
    """The gate's decision on a query at turn t, the gates of the turns before it decided as they came."""
    t = len(engine) if t is None else t
    start = 0
    for turn_id in range(t):
        start = engine.gate(engine.index.blocks[turn_id].user, turn_id, start).topic_start
    return engine.gate(query, t, start)


def select_at(engine: Engine, query: str, t: int | None = None, *, first_visible: int = 0) -> Selection:
    """The selection for a query at turn t, costs counted in words."""
    t = len(engine) if t is None else t
    blocks = engine.index.blocks
    return engine.select(
        query,
        t,
        decide(engine, query, t),
        first_visible=first_visible,
        event_tokens=lambda b: word_cost(blocks[b].user, blocks[b].assistant),
        pruned_cost=lambda _, user, assistant: word_cost(user, assistant),
    )
