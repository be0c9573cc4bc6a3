"""What input may cost: the window, the share of it that a strategy gives to input, and what tools leave for messages.

All figures are tokens. A message budget may be negative: tools larger than the input budget are a fact to show, not to
hide.
"""

from __future__ import annotations

from dataclasses import dataclass

from ctxinspect.errors import SettingsError
from ctxinspect.settings import STRATEGY_RATIOS
from ctxinspect.text.nearest import nearest
from ctxinspect.tokens.counter import named_counter

__all__ = [
    "DEFAULT_STRATEGY",
    "STRATEGY_RATIOS",
    "WindowSizes",
    "count_tokens",
    "input_budget",
    "strategy_ratio",
    "window_size",
    "window_sizes",
]

DEFAULT_STRATEGY = "balanced"


@dataclass(frozen=True, slots=True)
class WindowSizes:
    """The window of a request; `message_budget = input_budget - tool_tokens`."""

    size: int
    strategy: str
    ratio: float
    input_budget: int
    tool_tokens: int
    message_budget: int


def count_tokens(text: str) -> int:
    """Tokens of `text` in cl100k_base; special-token text is ordinary text."""
    return named_counter("cl100k_base")(text)


def window_size(context_limit: object, context_tokens: int | None = None) -> int:
    """The window in tokens: `context_limit * 1000`, or `context_tokens` where given.

    Raises SettingsError, a ValueError that names the value, where `context_limit` is missing, no integer (a bool is
    none) or not positive.
    """
    if context_tokens is not None:
        return context_tokens
    if context_limit is None:
        raise SettingsError("context_limit is missing (None): expected a positive integer, in K tokens")
    if isinstance(context_limit, bool) or not isinstance(context_limit, int) or context_limit <= 0:
        msg = f"context_limit {context_limit!r}: expected a positive integer, in K tokens"
        raise SettingsError(msg)
    return context_limit * 1000


def strategy_ratio(strategy: str) -> float:
    """The share of the window that input may use. Raises SettingsError for an unknown strategy."""
    ratio = STRATEGY_RATIOS.get(strategy)
    if ratio is None:
        known = list(STRATEGY_RATIOS)
        msg = f"strategy {strategy!r}: no such strategy; {nearest(strategy, known) or 'known: ' + ', '.join(known)}"
        raise SettingsError(msg)
    return ratio


def input_budget(context_limit: int, strategy: str = DEFAULT_STRATEGY, *, context_tokens: int | None = None) -> int:
    """Tokens that input may cost: `int(size * ratio)`. Raises as `window_size` and `strategy_ratio` do."""
    return int(window_size(context_limit, context_tokens) * strategy_ratio(strategy))


def window_sizes(
    context_limit: object, strategy: str, tool_tokens: int, *, context_tokens: int | None = None
) -> WindowSizes:
    """All sizes of a window whose tool schemas cost `tool_tokens`."""
    size, ratio = window_size(context_limit, context_tokens), strategy_ratio(strategy)
    budget = int(size * ratio)
    return WindowSizes(size, strategy, ratio, budget, tool_tokens, budget - tool_tokens)
