"""Single lines around the panels: each draws the cells it was last given; rules are one column or one row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from textual.geometry import Region
from textual.strip import Strip

from ctxinspect.text.clip import wrap
from ctxinspect.tui.widgets.paint import changed_span, paint, styles_of
from ctxinspect.tui.widgets.quiet import Quiet
from ctxinspect.view.table import Cell

__all__ = ["LineRow", "Rule"]


class LineRow(Quiet):
    """One line of cells; given a single cell and more than one row, it wraps."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.line: tuple[Cell, ...] = ()
        self._strip: Strip | None = None

    def show(self, line: Sequence[Cell]) -> None:
        """Draw another line, if it is another: only the part of it that changed."""
        if tuple(line) == self.line:
            return
        before = self._strip
        self.line = tuple(line)
        if self.size.height != 1:
            self.refresh()
            return
        start, end = changed_span(before, self.render_line(0))
        if end:
            self.refresh(Region(start, 0, end - start, 1))

    def render_line(self, y: int) -> Strip:
        """The line, or the `y`-th row of it where it wraps."""
        width, styles = self.size.width, styles_of(self)
        if len(self.line) == 1 and self.size.height > 1:
            rows = wrap(self.line[0].text, max(1, width))
            if y == self.size.height - 1 and len(rows) > self.size.height:
                return paint([Cell("".join(rows[y:]), self.line[0].role)], width, styles)
            return paint([Cell(rows[y], self.line[0].role)] if y < len(rows) else [], width, styles)
        strip = paint(self.line if y == 0 else (), width, styles)
        if y == 0:
            self._strip = strip
        return strip


class Rule(Quiet):
    """A rule: `|` down a column, or `-` along a row."""

    def render_line(self, y: int) -> Strip:
        """One row of the rule."""
        del y
        width = self.size.width
        return paint([Cell("|" if width == 1 else "-" * width, "dim")], width, styles_of(self))
