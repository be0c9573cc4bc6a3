"""`{{name}}` placeholders: filled once, from left to right; text inside a value is never filled again.

A value that is null or missing is never left as a hole: a sentence in round brackets stands in its place, so that the
model is told that nothing is known (specification page 2 rule 1).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["TOPOLOGY", "Filled", "Piece", "fill", "filled_pieces", "missing_text"]

TOPOLOGY = "topology_info"
"""The placeholder of system 2's seed; the pre-model hook fills this one only."""

_PLACEHOLDER = re.compile(r"\{\{(\w+)\}\}")
_MISSING = {TOPOLOGY: "(No topology information available)"}


@dataclass(frozen=True, slots=True)
class Filled:
    """A filled text, the distinct names it held and those of them without a value, in order of appearance."""

    text: str
    names: tuple[str, ...]
    unfilled: tuple[str, ...]


def missing_text(name: str) -> str:
    """What stands for a variable without a value: `(No user name available)` for `user_name`."""
    return _MISSING.get(name, f"(No {name.replace('_', ' ')} available)")


def fill(text: str, variables: Mapping[str, str | None]) -> Filled:
    """The text with every `{{name}}` (word characters, no spaces) replaced by its variable's value."""
    if "{{" not in text:
        return Filled(text, (), ())
    names: dict[str, None] = {}

    def value_of(found: re.Match[str]) -> str:
        name = found[1]
        names[name] = None
        value = variables.get(name)
        return missing_text(name) if value is None else value

    filled = _PLACEHOLDER.sub(value_of, text)
    return Filled(filled, tuple(names), tuple(name for name in names if variables.get(name) is None))


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a text and where it stands once filled: characters `start` to `end` become `filled` to `filled_end`.

    `name` is the variable where the piece is its placeholder, null where it is text that stays.
    """

    start: int
    end: int
    filled: int
    filled_end: int
    name: str | None


def filled_pieces(text: str, variables: Mapping[str, str | None]) -> tuple[Piece, ...]:
    """The text's pieces in order, so that a place in it can be found in `fill(text, variables).text` and back."""
    pieces: list[Piece] = []
    at = shift = 0
    for found in _PLACEHOLDER.finditer(text):
        start, end = found.span()
        if start > at:
            pieces.append(Piece(at, start, at + shift, start + shift, None))
        value = variables.get(found[1])
        length = len(missing_text(found[1]) if value is None else value)
        pieces.append(Piece(start, end, start + shift, start + shift + length, found[1]))
        shift += length - (end - start)
        at = end
    if at < len(text):
        pieces.append(Piece(at, len(text), at + shift, len(text) + shift, None))
    return tuple(pieces)
