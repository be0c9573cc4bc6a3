"""Colour on lines of text for a terminal: the sixteen ANSI names only, laid on after the text was made harmless.

Colour repeats what a letter or a word says already. A painter takes a line as it will be shown and gives it back with
colour; what it does not know it leaves alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable

__all__ = ["Painter", "paint_finding", "paint_hit", "painter_of_mark"]

Painter = Callable[[str], str]

_RED, _YELLOW, _CYAN, _GRAY, _PLAIN = "\x1b[1;31m", "\x1b[33m", "\x1b[36m", "\x1b[90m", "\x1b[0m"
_MARKS = {"-": "\x1b[31m", "+": _CYAN, "~": _YELLOW, "cause": "\x1b[35m"}
_FINDING = re.compile(r"^(.*?: ?(?:t\d+(?:r\d+)?\.)?[a-z]+ )([EWI])( [a-z0-9-]+)")
_LETTERS = {"E": _RED, "W": _YELLOW, "I": _GRAY}


def paint_hit(line: str) -> str:
    """A line that begins with an address."""
    address, blank, rest = line.partition(" ")
    return f"{_CYAN}{address}{_PLAIN}{blank}{rest}"


def paint_finding(line: str) -> str:
    """A line of lint: the letter of the severity and the rule."""
    return _FINDING.sub(lambda match: f"{match[1]}{_LETTERS[match[2]]}{match[2]}{match[3]}{_PLAIN}", line, count=1)


def painter_of_mark(mark: str) -> Painter | None:
    """What lays colour on a line of a comparison with this mark; unchanged lines and headings stay plain."""
    color = _MARKS.get(mark)
    return None if color is None else lambda line: f"{color}{line}{_PLAIN}"
