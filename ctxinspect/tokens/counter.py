"""Counting: `count(text) -> int` with `count("") == 0`, never raising whatever the text holds.

No counter here is monotone or additive by promise; no rule may rely on either. Every distinct text is counted once per
counter: counts are kept by content, and `texts_counted` says how often the real work was done.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from functools import cache

from ctxinspect.errors import SettingsError
from ctxinspect.settings import COUNTER_NAMES, CounterName
from ctxinspect.text.nearest import nearest
from ctxinspect.tokens import vocab

__all__ = ["Counter", "clean", "is_exact", "is_pieced", "named_counter"]

_SURROGATES = re.compile("[\ud800-\udfff]")
_LONG_RUN = re.compile(r"\s{400000,}")
_PIECE = 102_400
"""Characters of a run of white space counted at once; a multiple of the longest white-space tokens (128)."""


def clean(text: str) -> str:
    """The text with lone surrogates as U+FFFD: what counters and terminals can take."""
    return _SURROGATES.sub("\ufffd", text) if _SURROGATES.search(text) else text


class Counter:
    """A token counter that remembers what it has counted.

    `name` is the counter's name as shown beside every number, `exact` whether it is the session model's own.
    """

    def __init__(self, name: str, measure: Callable[[str], int], *, exact: bool = False) -> None:
        self.name = name
        self.exact = exact
        self.texts_counted = 0
        self._measure = measure
        self._known: dict[str, int] = {"": 0}

    def __call__(self, text: str) -> int:
        """Tokens of `text`, remembered by content."""
        known = self._known.get(text)
        if known is None:
            known = self._known[text] = self.measure(text)
        return known

    def measure(self, text: str) -> int:
        """Tokens of `text`, not remembered: for probes that will not be asked again."""
        if not text:
            return 0
        self.texts_counted += 1
        return self._measure(clean(text))

    def labelled(self, *, exact: bool) -> Counter:
        """This counter under the other label; counts stay shared."""
        twin = Counter(self.name, self._measure, exact=exact)
        twin._known = self._known
        return twin


def _encode_length(name: vocab.EncodingName, text: str) -> int:
    """Tokens by tiktoken, special-token text as ordinary text.

    tiktoken's splitter overflows its stack, and panics with a BaseException, on about a million blanks or tabs before
    other text. Runs half as long are cut into pieces that end where a white-space token would end anyway, so that the
    count stays that of the whole; it is still called approximate (see `is_pieced`).
    """
    encode = vocab.encoding(name).encode_ordinary
    total, start = 0, 0
    for run in _LONG_RUN.finditer(text) if is_pieced(text) else ():
        pieces = range(run.start(), run.end() - _PIECE, _PIECE)
        if pieces:
            total += len(encode(text[start : run.start()]))
            total += sum(len(encode(text[at : at + _PIECE])) for at in pieces)
            start = pieces[-1] + _PIECE
    return total + len(encode(text[start:]))


def is_pieced(text: str) -> bool:
    """Whether a tiktoken count of this text is made in pieces, and so may be off by a token per piece."""
    return len(text) >= 4 * _PIECE and _LONG_RUN.search(text) is not None


def _bytes_bound(text: str) -> int:
    return min(len(text.encode("utf-8")), 2 * len(text))


_MEASURES: dict[str, Callable[[str], int]] = {
    "cl100k_base": lambda text: _encode_length("cl100k_base", text),
    "o200k_base": lambda text: _encode_length("o200k_base", text),
    "chars/4": lambda text: len(text) // 4,
    "chars*1.5": lambda text: math.ceil(len(text) * 1.5),
    "bytes-bound": _bytes_bound,
}


@cache
def named_counter(name: CounterName) -> Counter:
    """The counter of this name, one per process. Raises SettingsError for an unknown name."""
    if name not in _MEASURES:
        msg = (
            f"counter {name!r}: no such counter; {nearest(name, COUNTER_NAMES) or 'known: ' + ', '.join(COUNTER_NAMES)}"
        )
        raise SettingsError(msg)
    return Counter(name, _MEASURES[name])


def is_exact(name: str, model: str | None) -> bool:
    """Whether this counter is exact for this model: tiktoken's own model map gives this encoding."""
    return bool(model) and name in vocab.SHA256 and vocab.encoding_of_model(model or "") == name
