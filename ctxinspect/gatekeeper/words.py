"""Content words: what a query is about, in whole words, versions and pieces of Chinese clauses.

Used only when a topic switches: a block that holds none of them belongs to another topic, whatever n-grams it shares.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ctxinspect.gatekeeper.anchor import CJK_RUN, WORD_RUN, three_part_versions, without_cjk
from ctxinspect.text.wordlists import LONGEST_NGRAM, STOP_CHARS, STOP_NGRAMS, STOP_WORDS

__all__ = ["CONTENT_WORD_MIN_LEN", "ContentWords", "content_words"]

CONTENT_WORD_MIN_LEN = 4
"""Letters of a word, or characters of a CJK piece, from which it counts as content."""


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
    pieces = {piece.lower() for run in CJK_RUN.findall(query) for piece in _pieces(run)}
    long_pieces = (piece for piece in pieces if len(piece) >= CONTENT_WORD_MIN_LEN)
    return ContentWords(tuple(sorted(whole)), tuple(sorted(long_pieces)))


def _pieces(run: str) -> Iterator[str]:
    """A CJK run split from left to right, at each place at the longest stop entry, else at a stop character."""
    start = at = 0
    while at < len(run):
        skipped = _stop_length(run, at)
        if skipped:
            yield run[start:at]
            start = at + skipped
        at += skipped or 1
    yield run[start:]


def _stop_length(run: str, at: int) -> int:
    """Characters of the stop entry or stop character that begins here, or 0."""
    for length in range(min(LONGEST_NGRAM, len(run) - at), 0, -1):
        if run[at : at + length] in STOP_NGRAMS:
            return length
    return int(run[at] in STOP_CHARS)
