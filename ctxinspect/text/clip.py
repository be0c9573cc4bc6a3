"""Measuring, cutting and wrapping in terminal cells.

No cut ever halves a wide character or parts a base from its marks, joiners or variation selector, and a cut that loses
text always shows its marker. Widths are those of `text.cells`. Texts are expected sanitised: control characters count
no cell here.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache

from ctxinspect.text.cells import NARROW_TO_WIDE, WIDE, ZERO

__all__ = ["MARKER", "cell_width", "clip", "clip_middle", "fit", "graphemes", "hanging", "skip_cells", "take", "wrap"]

MARKER = "..."
"""What stands for text that a cut left out."""
_LABELS = re.compile(r"(?:\S+(?: \S+){0,4} {2,}){0,2}")
"""Up to two labels: words with two or more blanks behind them."""
_DEEPEST = 32
"""Cells up to which what continues a line stands behind its labels."""
_JOINER, _SELECTOR = "\u200d", "\ufe0f"


def _ranges(table: str) -> tuple[list[int], list[int]]:
    pairs = [(low, high or low) for low, _, high in (item.partition("-") for item in table.split())]
    return [int(low, 16) for low, _ in pairs], [int(high, 16) for _, high in pairs]


_ZERO, _WIDE, _SELECTED = _ranges(ZERO), _ranges(WIDE), _ranges(NARROW_TO_WIDE)


def _within(code: int, ranges: tuple[list[int], list[int]]) -> bool:
    starts, ends = ranges
    at = bisect_right(starts, code) - 1
    return at >= 0 and code <= ends[at]


@lru_cache(maxsize=8192)
def _char_width(char: str) -> int:
    """Cells of one code point: 0, 1 or 2."""
    code = ord(char)
    if code < 0x20 or 0x7F <= code < 0xA0 or _within(code, _ZERO):
        return 0
    return 2 if _within(code, _WIDE) else 1


def cell_width(text: str) -> int:
    """Cells that `text` takes on one terminal line."""
    if text.isascii() and text.isprintable():
        return len(text)
    if _JOINER not in text and _SELECTOR not in text:
        return sum(map(_char_width, text))
    return sum(width for _, width in graphemes(text))


def graphemes(text: str) -> list[tuple[str, int]]:
    """What must stay together, with its cells: a base and the marks, joiners and selectors behind it."""
    units: list[tuple[str, int]] = []
    measured: str | None = None
    at = 0
    while at < len(text):
        char = text[at]
        at += 1
        if char == _JOINER and units:
            joined = text[at : at + 1]
            at += 1
            units[-1] = (units[-1][0] + char + joined, units[-1][1])
        elif char == _SELECTOR and units:
            wider = measured is not None and _within(ord(measured), _SELECTED)
            measured = None if wider else measured
            units[-1] = (units[-1][0] + char, units[-1][1] + wider)
        elif width := 0 if char in (_JOINER, _SELECTOR) else _char_width(char):
            measured = char
            units.append((char, width))
        elif units:
            units[-1] = (units[-1][0] + char, units[-1][1])
        else:
            units.append((char, 0))
    return units


def take(text: str, width: int) -> str:
    """The longest start of `text` that takes at most `width` cells."""
    if width <= 0:
        return ""
    head = text[: width + 1]
    if head.isascii() and head.isprintable():
        return text[:width]
    used, kept = 0, []
    for unit, cells in graphemes(text[: 8 * width + 64]):
        if used + cells > width:
            break
        used += cells
        kept.append(unit)
    return "".join(kept)


def skip_cells(text: str, cells: int) -> str:
    """What stands behind the first `cells` cells; a character that the edge halves leaves a blank."""
    if cells <= 0:
        return text
    if text.isascii() and text.isprintable():
        return text[cells:]
    units = graphemes(text)
    used = 0
    for at, (_, width) in enumerate(units):
        if used >= cells:
            return " " * (used - cells) + "".join(unit for unit, _ in units[at:])
        used += width
    return " " * max(0, used - cells)


def clip(text: str, width: int, marker: str = MARKER) -> str:
    """`text` in at most `width` cells; where it is cut, `marker` ends it (itself cut where even it does not fit)."""
    if cell_width(text[: 8 * max(width, 0) + 64]) <= width and cell_width(text) <= width:
        return text
    return take(text, width - cell_width(marker)) + take(marker, width)


def clip_middle(text: str, width: int, marker: str = MARKER) -> str:
    """`text` in at most `width` cells, cut in the middle: for paths and ids whose end tells them apart."""
    if cell_width(text) <= width:
        return text
    room = width - cell_width(marker)
    if room < 2:
        return clip(text, width, marker)
    tail: list[str] = []
    used = 0
    for unit, cells in reversed(graphemes(text[-4 * width :])):
        if used + cells > room // 2:
            break
        used += cells
        tail.append(unit)
    return take(text, room - used) + marker + "".join(reversed(tail))


def fit(text: str, width: int, align: str = "<", marker: str = MARKER) -> str:
    """`text` in exactly `width` cells: clipped, or padded with blanks (`<` left, `>` right aligned)."""
    shown = clip(text, width, marker)
    blanks = " " * (width - cell_width(shown))
    return blanks + shown if align == ">" else shown + blanks


def wrap(line: str, width: int) -> list[str]:
    """One line as rows of at most `width` cells whose concatenation is the line; broken after blanks where possible."""
    if width <= 0:
        return [line]
    if len(line) <= width and cell_width(line) <= width:
        return [line]
    rows: list[str] = []
    rest = line
    while rest:
        row = take(rest, width)
        if not row:  # one character wider than the row: shown alone, the terminal clips it
            row = graphemes(rest[:16])[0][0]
        if len(row) < len(rest):
            row = _break_after_blank(row, rest)
        rows.append(row)
        rest = rest[len(row) :]
    return rows


def _break_after_blank(row: str, rest: str) -> str:
    """The row up to its last blank, unless that would leave most of it empty or the text goes on with a blank anyway."""
    blank = row.rfind(" ")
    return row if rest[len(row)] == " " or blank < len(row) // 3 else row[: blank + 1]


def hanging(line: str, width: int) -> list[str]:
    """A line of prose as rows of at most `width` cells, the further ones indented behind the labels that begin it.

    Blanks at the breaks are left out.
    """
    inner = line.lstrip(" ")
    indent = len(line) - len(inner)
    labels = _LABELS.match(inner)
    deep = indent + (cell_width(labels[0]) if labels and labels[0] else 2)
    if deep > _DEEPEST or deep >= width // 2:
        deep = min(indent + 2, width // 2)
    first, *rest = wrap(line, width)
    rows = wrap("".join(rest).lstrip(" "), width - deep) if rest else []
    return [first.rstrip(" ") if rest else first, *(" " * deep + row.strip(" ") for row in rows)]
