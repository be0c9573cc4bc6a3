"""Long text as rows of a given width, found without wrapping more than is looked at.

Wrapped, the rows of all blocks concatenate to the blocks' lines: lines up to `_FAIR` characters break after blanks;
longer ones break at the width, so that a megabyte in one line costs no more than its screenful. Not wrapped, a row is
a line, looked at from an offset on.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from ctxinspect.text.clip import cell_width, skip_cells, wrap
from ctxinspect.text.sanitize import sanitize, sanitize_lines
from ctxinspect.view.table import Cell, Role

__all__ = ["TextRows"]

_FAIR = 4000
"""Characters of a line up to which it is broken between words, and measured in cells."""


class TextRows:
    """Rows of blocks of text at a width in cells."""

    def __init__(self, blocks: Sequence[Cell], width: int, *, wrapped: bool = True) -> None:
        self.width = max(1, width)
        self._lines: list[tuple[str, Role]] = []
        for text, role in blocks:
            self._lines += [(line, role) for line in text.split("\n")]
        counts = (self._count(line) if wrapped else 1 for line, _ in self._lines)
        self._ends = list(accumulate(counts))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    def row(self, at: int) -> Cell:
        """The row at this index (0 to len - 1), ready to draw."""
        line_at = bisect_right(self._ends, at)
        start = self._ends[line_at - 1] if line_at else 0
        line, role = self._lines[line_at]
        return Cell(self._rows(line, at - start), role)

    def begins_line(self, at: int) -> bool:
        """Whether a line of the text begins with this row, rather than goes on in it."""
        line_at = bisect_right(self._ends, at)
        return at == (self._ends[line_at - 1] if line_at else 0)

    def line(self, at: int, left: int) -> Cell:
        """The line at this index, from the cell `left` on, ready to draw.

        In a line of more than `_FAIR` characters `left` counts characters: none is ever passed over.
        """
        text, role = self._lines[at]
        if len(text) > _FAIR:
            return Cell(sanitize(text[left : left + self.width + 1]), role)
        return Cell(skip_cells(sanitize_lines(text), left), role)

    def reach(self, first: int, count: int) -> int:
        """Cells of the longest of `count` lines, for lines of more than `_FAIR` characters their number."""
        lines = [text for text, _ in self._lines[first : first + count]]
        return max((len(text) if len(text) > _FAIR else cell_width(sanitize_lines(text)) for text in lines), default=0)

    def _step(self, line: str) -> int:
        return self.width if line.isascii() else max(1, self.width // 2)

    def _count(self, line: str) -> int:
        if len(line) <= _FAIR:
            return len(self._wrapped(line))
        step = self._step(line)
        return -(-len(line) // step)

    def _rows(self, line: str, at: int) -> str:
        if len(line) <= _FAIR:
            return self._wrapped(line)[at]
        step = self._step(line)
        return sanitize(line[at * step : (at + 1) * step])

    def _wrapped(self, line: str) -> list[str]:
        shown = sanitize_lines(line)
        if len(shown) <= self.width and cell_width(shown) <= self.width:
            return [shown]
        return wrap(shown, self.width)
