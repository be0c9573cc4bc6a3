"""The gatekeeper as a library: add turns as they come, ask which of them are worth their tokens for a query.

`select`, `build_prompt` and `anchors` change nothing; a query is judged as the next turn.
"""

from __future__ import annotations

import warnings
from typing import Any

from ctxinspect.gatekeeper.engine import Engine
from ctxinspect.gatekeeper.selection import Selection
from ctxinspect.settings import CounterName, GatekeeperSettings, Settings
from ctxinspect.tokens.cost import message_cost
from ctxinspect.tokens.counter import named_counter

__all__ = ["ContextGatekeeper"]

_DEFAULTS = Settings()


class ContextGatekeeper:
    """Selects earlier turns for a query within `token_budget` tokens, counted by `counter`.

    Raises SettingsError for an unknown counter, and ValueError for a negative budget.
    """

    def __init__(self, token_budget: int, counter: CounterName = "cl100k_base") -> None:
        self._engine = Engine(GatekeeperSettings(token_budget=token_budget))
        self._count = named_counter(counter)
        self._topic_start = 0

    def add_turn(self, user_text: str, assistant_text: str) -> int:
        """Append a turn, decide its gate, and return its id, from 0. Warns where it alone exceeds the budget."""
        turn_id = len(self._engine)
        self._topic_start = self._engine.gate(user_text, turn_id, self._topic_start).topic_start
        self._engine.add_block(user_text, assistant_text)
        tokens = self._cost(user_text, assistant_text)
        budget = self._engine.settings.token_budget
        if tokens > budget:
            warnings.warn(f"turn {turn_id} costs {tokens} tokens, more than the budget of {budget}", stacklevel=2)
        return turn_id

    def select(self, query: str) -> list[dict[str, Any]]:
        """The turns worth their tokens, in turn order; empty where there is none.

        Each has `turn_id`, `user` and `assistant` (pruned where it was recalled), `score` (None for a recent turn) and
        `covered_ids`: positions of the anchors it newly covers among the query's, by IDF descending, then term.
        """
        return [
            {
                "turn_id": row.turn_id,
                "user": row.user,
                "assistant": row.assistant,
                "score": row.score,
                "covered_ids": list(row.covered_ids),
            }
            for row in self._selection(query).selected
        ]

    def build_prompt(self, query: str) -> str:
        """The selected turns and the query as one text: `User: …` and `Assistant: …` lines, a blank line between turns.

        An empty side makes no line.
        """
        turns = [
            "\n".join(
                f"{speaker}: {text}" for speaker, text in (("User", row.user), ("Assistant", row.assistant)) if text
            )
            for row in self._selection(query).selected
        ]
        return "\n\n".join([*(turn for turn in turns if turn), f"User: {query}"])

    def anchors(self, text: str) -> dict[str, float]:
        """The text's anchors as a query now: term to IDF, by IDF descending, then term; without what the floor cuts."""
        anchors = self._engine.anchors(text, len(self._engine), self._topic_start)
        return {anchor.term: anchor.idf for anchor in anchors}

    def _selection(self, query: str) -> Selection:
        t = len(self._engine)
        blocks = self._engine.index.blocks
        return self._engine.select(
            query,
            t,
            self._engine.gate(query, t, self._topic_start),
            first_visible=0,
            event_tokens=lambda turn_id: self._cost(blocks[turn_id].user, blocks[turn_id].assistant),
            pruned_cost=lambda _, user, assistant: self._cost(user, assistant),
        )

    def _cost(self, user: str, assistant: str) -> int:
        """Tokens of a turn's messages; an empty text makes none."""
        return sum(
            message_cost(
                text, (), self._count, overhead=_DEFAULTS.message_overhead, image_tokens=_DEFAULTS.image_tokens
            )
            for text in (user, assistant)
            if text
        )
