"""Two texts compared: line by line first, then word by word inside a changed line, within a budget that never stalls.

Lines end at a line feed only. Nothing is lost: the lines of one side, and the words of a line, joined again give the
text. What the budget did not pay for stands as removed and added, and `capped` says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from ctxinspect.pipeline.alignment import Budget, align
from ctxinspect.pipeline.prefix import first_difference

__all__ = ["LONG_LINE", "LineEdit", "Mark", "TextDiff", "Word", "diff_texts"]

Mark = Literal["=", "+", "-", "~"]
LONG_LINE = 20_000
"""Characters of a line beyond which only its common start and end are found, not its words."""
_ALIKE = 0.3
"""Share of common characters from which two lines are one changed line, not one removed and one added."""
_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0002ffff]|\w+|\s+|[^\w\s]")


class Word(NamedTuple):
    """A piece of a changed line: on both sides (`=`), only before (`-`), only after (`+`)."""

    mark: Mark
    text: str


@dataclass(frozen=True, slots=True)
class LineEdit:
    """A line of the comparison: the same (`=`), added, removed, or changed (`~`) with its words; no line feeds."""

    mark: Mark
    before: str | None
    after: str | None
    words: tuple[Word, ...] = ()


@dataclass(frozen=True, slots=True)
class TextDiff:
    """All lines of both texts in order; `capped` where the budget did not pay for the finest comparison."""

    edits: tuple[LineEdit, ...]
    capped: bool


def diff_texts(before: str, after: str, budget: Budget | None = None) -> TextDiff:
    """Compare two texts; at most `alignment.PAIRS` matching pairs are looked at, lines and words together."""
    budget = Budget() if budget is None else budget
    old, new = before.split("\n"), after.split("\n")
    edits: list[LineEdit] = []
    for run in align(old, new, budget):
        if run.same:
            edits += [LineEdit("=", line, line) for line in old[run.a0 : run.a1]]
            continue
        edits += _changed(old[run.a0 : run.a1], new[run.b0 : run.b1], budget)
    return TextDiff(tuple(edits), budget.spent)


def _changed(old: Sequence[str], new: Sequence[str], budget: Budget) -> Iterator[LineEdit]:
    """Lines without partner, paired in order where they are alike; removed ones stand before added ones."""
    gone: list[LineEdit] = []
    come: list[LineEdit] = []
    for before, after in zip(old, new, strict=False):
        words = _words(before, after, budget)
        common = sum(len(word.text) for word in words if word.mark == "=")
        if common >= _ALIKE * max(len(before), len(after)):
            yield from (*gone, *come, LineEdit("~", before, after, words))
            gone, come = [], []
        else:
            gone.append(LineEdit("-", before, None))
            come.append(LineEdit("+", None, after))
    yield from gone
    yield from (LineEdit("-", line, None) for line in old[len(new) :])
    yield from come
    yield from (LineEdit("+", None, line) for line in new[len(old) :])


def _words(before: str, after: str, budget: Budget) -> tuple[Word, ...]:
    if max(len(before), len(after)) > LONG_LINE:
        budget.spent = True
        return _ends(before, after)
    old, new = _WORD.findall(before), _WORD.findall(after)
    words: list[Word] = []
    for run in align(old, new, budget):
        gone, come = "".join(old[run.a0 : run.a1]), "".join(new[run.b0 : run.b1])
        if run.same:
            words.append(Word("=", gone))
        else:
            words += [Word(mark, text) for mark, text in (("-", gone), ("+", come)) if text]  # type: ignore[arg-type]
    return tuple(words)


def _ends(before: str, after: str) -> tuple[Word, ...]:
    """The common start and end of two long lines, and what stands between."""
    start = first_difference(before, after)
    rest_a, rest_b = before[start:], after[start:]
    end = first_difference(rest_a[::-1], rest_b[::-1])
    pieces = (
        ("=", before[:start]),
        ("-", rest_a[: len(rest_a) - end]),
        ("+", rest_b[: len(rest_b) - end]),
        ("=", rest_a[len(rest_a) - end :]),
    )
    return tuple(Word(mark, text) for mark, text in pieces if text)  # type: ignore[arg-type]
