"""Trimming by single messages, as many deployed systems do it: orphaned results and lost user messages included.

The result is that of `langchain_core.messages.trim_messages(strategy="last", include_system=True, token_counter=content
only)`, langchain-core 1.8, for every input. The library bisects and counts again at each step; since its counter here
is a sum of non-negative figures, the longest suffix that fits is the same and one walk finds it.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["trim_messages"]


def trim_messages(roles: Sequence[str], tokens: Sequence[int], message_budget: int) -> tuple[int, ...]:
    """Indices of the messages that stay, ascending. `tokens` are of content alone.

    A leading system message always stays and its tokens are taken from the budget first; beside it, and only beside
    it, a negative budget is taken as 0 (so that messages without content may stay).
    """
    first, budget = 0, message_budget
    if roles and roles[0] == "system":
        first, budget = 1, max(0, message_budget - tokens[0])
    start, used = len(roles), 0
    while start > first and used + tokens[start - 1] <= budget:
        start -= 1
        used += tokens[start]
    return (*range(first), *range(start, len(roles)))
