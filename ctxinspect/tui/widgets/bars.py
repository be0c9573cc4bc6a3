"""One-line bars: cells with roles, exactly as wide as the screen."""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

from ctxinspect.text.sanitize import one_line
from ctxinspect.tui.theme import role_style
from ctxinspect.view.table import Cell

__all__ = ["Bar"]


class Bar(Widget):
    """A line of cells; what does not fit is cut at the right edge."""

    DEFAULT_CSS = """
    Bar { height: 1; width: 1fr; }
    """

    def __init__(self, id: str, *, reverse: bool = False) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.cells: Sequence[Cell] = ()
        self._reverse = reverse

    def show(self, cells: Sequence[Cell]) -> None:
        """Show these cells; nothing is drawn where they are the same."""
        if tuple(cells) != tuple(self.cells):
            self.cells = tuple(cells)
            self.refresh()

    def render_line(self, y: int) -> Strip:  # noqa: ARG002 - a bar has one line
        """The line."""
        theme = self.app.theme
        extra = Style(reverse=True) if self._reverse else Style()
        segments = [Segment(one_line(text) if "\n" in text else text, role_style(role, theme) + extra) for text, role in self.cells]
        return Strip(segments).adjust_cell_length(self.size.width, extra)
