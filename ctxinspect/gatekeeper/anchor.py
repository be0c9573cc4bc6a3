"""Anchors: the units of text that tell one topic from another. Lexical only; one term has one kind.

Extraction is a pure function of the text and takes time linear in it, whatever it holds.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ctxinspect.text.wordlists import STOP_CHARS, STOP_NGRAMS, STOP_WORDS

__all__ = [
    "CJK",
    "CJK_RUN",
    "WORD_RUN",
    "AnchorKind",
    "Anchors",
    "extract_anchors",
    "find_anchors",
    "three_part_versions",
    "without_cjk",
]

AnchorKind: TypeAlias = Literal["term", "identifier", "ngram", "phrase", "fallback"]

CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002ffff"
"""Kana, Han with extension A and compatibility, and the supplementary ideographs, as a class of a pattern."""
CJK_RUN = re.compile(f"[{CJK}]+")
_WITHOUT_STOP_CHARS = re.compile(f"[^{''.join(sorted(STOP_CHARS))}]{{2,}}")
WORD_RUN = re.compile(r"\w{2,}")
"""A maximal run of two or more word characters; to be searched in a text without CJK."""

# Possessive: a shorter match would be followed by a digit, or a dot and a digit, which the bounds refuse anyway.
_VERSION = re.compile(r"(?<![\w.])v?+[0-9]++(?:\.[0-9]++)++(?!\w|\.[0-9])", re.IGNORECASE)
_THREE_PARTS = re.compile(r"(?<![\w.])v?+[0-9]++\.[0-9]++\.[0-9]++(?!\w|\.[0-9])", re.IGNORECASE)

# An opening quote looks as far as the next quote of its kind or the line's end, so that all together look once.
_QUOTED = (
    *(
        re.compile(f"{opening}([^{opening}{closing}\\r\\n]++){closing}")
        for opening, closing in ('""', "“”", "‘’", "「」", "『』", "《》", "``")
    ),
    re.compile(rf"(?<![\w{CJK}])'([^'\r\n]++)'(?![\w{CJK}])"),
)
_PHRASE_CHARS = range(2, 65)


@dataclass(frozen=True, slots=True)
class Anchors:
    """The anchors of a text: each term's kind, how often the extraction finds it, and the sum of these counts.

    A quoted word is found twice, as phrase and as term.
    """

    kinds: dict[str, AnchorKind]
    counts: dict[str, int]
    total: int


def extract_anchors(text: str) -> dict[str, AnchorKind]:
    """The anchors of a text: term to kind (specification page 5); the order says nothing.

    A phrase wins over an identifier over a term over an n-gram.
    """
    return find_anchors(text).kinds


def find_anchors(text: str) -> Anchors:
    """The anchors of a text with their numbers of occurrences."""
    kinds: dict[str, AnchorKind] = {}
    counts: Counter[str] = Counter()
    grams = _ngrams(text)
    counts.update(grams)
    kinds.update(dict.fromkeys(grams, "ngram"))
    spaced = without_cjk(text)
    identifiers: list[str] = [version.lower() for version in _VERSION.findall(spaced)]
    counts.update(identifiers)
    for word, found in Counter(WORD_RUN.findall(spaced)).items():
        term = word.lower()
        if term not in STOP_WORDS and (word.isalpha() or any(char.isalpha() for char in word)):
            counts[term] += found
            if _is_identifier(word):
                identifiers.append(term)
            else:
                kinds[term] = "term"
    phrases = _phrases(text)
    counts.update(phrases)
    kinds.update(dict.fromkeys(identifiers, "identifier"))
    kinds.update(dict.fromkeys(phrases, "phrase"))
    return Anchors(kinds, dict(counts), counts.total())


def without_cjk(text: str) -> str:
    """The text with every CJK run replaced by a space."""
    return CJK_RUN.sub(" ", text)


def three_part_versions(spaced: str) -> list[str]:
    """Version numbers of exactly three parts, lower-cased, in a text without CJK."""
    return [version.lower() for version in _THREE_PARTS.findall(spaced)]


def _is_identifier(word: str) -> bool:
    """Whether a run holds a digit, an underscore, or a capital after its first character."""
    if word.isalpha() and word[1:].islower():
        return False  # what most words are
    return "_" in word or any(char.isdigit() for char in word) or any(char.isupper() for char in word[1:])


def _ngrams(text: str) -> list[str]:
    """Every 2-gram and 3-gram of every CJK run that is no stop entry and holds no stop character."""
    grams: list[str] = []
    for run in CJK_RUN.findall(text):
        for piece in _WITHOUT_STOP_CHARS.findall(run):
            for size in (2, 3):
                grams += (piece[at : at + size] for at in range(len(piece) - size + 1))
    return [gram for gram in grams if gram not in STOP_NGRAMS]


def _phrases(text: str) -> list[str]:
    """Quoted phrases of 2 to 64 characters, white space folded, lower-cased."""
    folded = (" ".join(inner.split()) for quoted in _QUOTED for inner in quoted.findall(text))
    return [phrase.lower() for phrase in folded if len(phrase) in _PHRASE_CHARS]
