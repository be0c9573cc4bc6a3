"""Where a component is cut: a bisection on the real counter, then back to the last word (page 2 rule 6).

No counter is monotone by promise, so the result is what these probes find, in this order, and no other way is taken.
"""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["cut_length"]


def cut_length(content: str, fits: Callable[[str], bool]) -> int | None:
    """How many characters of `content` are kept, or None where the cut would be a drop.

    `fits(kept)` says whether the whole text, with this much of the content and the mark in its place, is within the
    limit. The cut moves back to before the last white-space character where that costs at most a tenth.
    """
    low, high = 0, len(content)
    while low < high:
        middle = (low + high + 1) // 2
        if fits(content[:middle]):
            low = middle
        else:
            high = middle - 1
    length = _before_last_word(content, low)
    kept = content[:length]
    return length if kept.strip() and fits(kept) else None


def _before_last_word(content: str, length: int) -> int:
    """The index of the last white space in the first `length` characters if it is at or after 0.9 of them."""
    for index in range(length - 1, -1, -1):
        if 10 * index < 9 * length:
            break
        if content[index].isspace():
            return index
    return length
