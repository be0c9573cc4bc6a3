"""The nearest known word to a mistyped one, as the end of an error line."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

__all__ = ["nearest"]


def nearest(word: str, known: Sequence[str]) -> str:
    """`; did you mean "x"?` for the known word nearest to this one, or an empty string."""
    close = difflib.get_close_matches(word, known, n=1, cutoff=0.5)
    if not close:
        leaves = {name.rsplit(".", 1)[-1]: name for name in known}
        close = [leaves[hit] for hit in difflib.get_close_matches(word.rsplit(".", 1)[-1], list(leaves), 1, 0.6)]
    return f'did you mean "{close[0]}"?' if close else ""
