"""Content words: what a query is about, in whole words, versions and pieces of Chinese clauses.

Used only when a topic switches: a block that holds none of them belongs to another topic, whatever n-grams it shares.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ctxinspect.gatekeeper.anchor import CJK_RUN, WORD_RUN, three_part_versions, without_cjk
from ctxinspect.text.wordlists import STOP_CHARS, STOP_NGRAMS, STOP_WORDS

__all__ = ["CONTENT_WORD_MIN_LEN", "ContentWords", "content_words"]

CONTENT_WORD_MIN_LEN = 4
"""Letters of a word, or characters of a CJK piece, from which it counts as content."""

_STOP = re.compile("|".join([*sorted(STOP_NGRAMS, key=lambda entry: (-len(entry), entry)), *sorted(STOP_CHARS)]))
"""Where a CJK run is split: at each place at the longest stop entry, else at a stop character."""


@dataclass(frozen=True, slots=True)
class ContentWords:
    """Content words of a query, lower-cased, each list sorted and without repeats.

    `whole` (words and three-part versions) must stand in a block as whole ones, `pieces` (CJK) as substrings.
    """

    whole: tuple[str, ...]
    pieces: tuple[str, ...]

    def __bool__(self) -> bool:
        return bool(self.whole or self.pieces)


def content_words(query: str) -> ContentWords:
    """The content words of a query (specification page 5, selection rule 3)."""
    spaced = without_cjk(query)
    whole = set(three_part_versions(spaced))
    for run in WORD_RUN.findall(spaced):
        if len(run) >= CONTENT_WORD_MIN_LEN and run.isalpha() and run.lower() not in STOP_WORDS:
            whole.add(run.lower())
    pieces = {piece.lower() for run in CJK_RUN.findall(query) for piece in _STOP.split(run)}
    long_pieces = (piece for piece in pieces if len(piece) >= CONTENT_WORD_MIN_LEN)
    return ContentWords(tuple(sorted(whole)), tuple(sorted(long_pieces)))
