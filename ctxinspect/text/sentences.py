"""Sentences as exact slices: joined again they always give the text back, whatever it holds.

Splitting takes time linear in the text. A slice may be white space only, at the start of a text; such a slice is no
sentence, but it is kept so that nothing is lost.
"""

from __future__ import annotations

import re

from ctxinspect.text.wordlists import ABBREVIATIONS

__all__ = ["split_sentences"]

# A run starts only where no mark of its own kind stands before it: a failed run is not tried again from its middle.
_END = re.compile(
    r"""(?P<wide>[。！？；]++[”’」』》）]*+)\s*+"""
    r"""|(?<![.!?])(?P<narrow>[.!?]++["'”’)\]]*+)(?=\s)\s*+"""
    r"""|\n\s*+"""
)
_LETTERS_AND_DOTS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.")


def split_sentences(text: str) -> tuple[str, ...]:
    """The text as consecutive slices; empty for an empty text (specification page 5, rule 5).

    A slice ends after a run of `。！？；` and its closing marks, after a run of `.!?` and its closing marks where white
    space follows (not after the dot of an abbreviation), and after a newline. White space behind belongs to it.
    """
    slices: list[str] = []
    start = 0
    for end in _END.finditer(text):
        if end["narrow"] == "." and _abbreviation_before(text, start, end.start()):
            newline = text.find("\n", end.start(), end.end())
            if newline < 0:
                continue
        slices.append(text[start : end.end()])
        start = end.end()
    if start < len(text):
        slices.append(text[start:])
    return tuple(slices)


def _abbreviation_before(text: str, start: int, dot: int) -> bool:
    """Whether the word that ends at `dot`, in the sentence that begins at `start`, is an abbreviation."""
    first = dot
    while first > start and text[first - 1] in _LETTERS_AND_DOTS:
        first -= 1
    return text[first:dot].lstrip(".").lower() in ABBREVIATIONS
