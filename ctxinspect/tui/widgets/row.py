"""Single lines around the panels: each draws the cells it was last given; rules are one column or one row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from textual.strip import Strip
from textual.widget import Widget

from ctxinspect.text.clip import wrap
from ctxinspect.tui.widgets.paint import paint, styles_of
from ctxinspect.view.table import Cell

__all__ = ["LineRow", "Rule"]


class LineRow(Widget):
    """One line of cells; given a single cell and more than one row, it wraps."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.line: tuple[Cell, ...] = ()

    def show(self, line: Sequence[Cell]) -> None:
        """Draw another line, if it is another."""
        if tuple(line) != self.line:
            self.line = tuple(line)
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """The line, or the `y`-th row of it where it wraps."""
        width, styles = self.size.width, styles_of(self)
        if len(self.line) == 1 and self.size.height > 1:
            rows = wrap(self.line[0].text, max(1, width))
            if y == self.size.height - 1 and len(rows) > self.size.height:
                return paint([Cell("".join(rows[y:]), self.line[0].role)], width, styles)
            return paint([Cell(rows[y], self.line[0].role)] if y < len(rows) else [], width, styles)
        return paint(self.line if y == 0 else (), width, styles)


class Rule(Widget):
    """A rule: `|` down a column, or `-` along a row."""

    def render_line(self, y: int) -> Strip:
        """One row of the rule."""
        del y
        width = self.size.width
        return paint([Cell("|" if width == 1 else "-" * width, "dim")], width, styles_of(self))
