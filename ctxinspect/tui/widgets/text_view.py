"""Text of any length in one widget: lines are wrapped when the width is known, drawn when they are visible.

Text is sanitised before it is wrapped and is never parsed as markup. What is over the cap is left out and said.
"""

from __future__ import annotations

from rich.segment import Segment
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from ctxinspect.text.clip import fit, wrap
from ctxinspect.text.sanitize import sanitize_lines
from ctxinspect.tui.theme import role_style
from ctxinspect.view.table import Cell, Detail

__all__ = ["TextView"]

CAP = 400_000
"""Characters of one block that are shown; a screen cap, not a budget."""


class TextView(ScrollView, can_focus=True):
    """A detail, whole: its title, then its blocks."""

    DEFAULT_CSS = """
    TextView { height: 1fr; width: 1fr; min-width: 8; scrollbar-size: 1 1; overflow-x: hidden; }
    """

    def __init__(self, id: str) -> None:  # noqa: A002 - Textual's name
        super().__init__(id=id)
        self.detail = Detail("")
        self._lines: list[Cell] = []
        self._width = 0

    def show(self, detail: Detail) -> None:
        """Show a detail from its start."""
        self.detail = detail
        self._wrap()
        self.scroll_to(y=0, animate=False)
        self.refresh()

    def on_resize(self) -> None:
        """Wrap again where the width changed."""
        if self.size.width != self._width:
            self._wrap()
            self.refresh()

    def _wrap(self) -> None:
        self._width = width = self.size.width
        lines: list[Cell] = []
        if width > 0:
            for block in self.detail.blocks:
                text = block.text
                over = len(text) - CAP
                for line in sanitize_lines(text[:CAP]).split("\n"):
                    lines += [Cell(piece, block.role) for piece in wrap(line, width - 1)] or [Cell("", block.role)]
                if over > 0:
                    lines.append(Cell(f"... +{over} characters, not shown here; ctxinspect trace prints them", "warn"))
        self._lines = lines
        self.virtual_size = Size(width, len(lines) + 1)

    def render_line(self, y: int) -> Strip:
        """One visible line; the first one is the title and stays."""
        width, theme = self.size.width, self.app.theme
        if width <= 0:
            return Strip.blank(0)
        if y == 0:
            shown = self.scroll_offset.y + self.size.height - 1
            rest = len(self._lines) - shown
            more = f"  {min(shown, len(self._lines))}/{len(self._lines)} lines" if rest > 0 or self.scroll_offset.y else ""
            title = fit(sanitize_lines(self.detail.title).replace("\n", " "), max(0, width - len(more))) + more
            return Strip([Segment(fit(title, width), role_style("title", theme))], width)
        at = y - 1 + self.scroll_offset.y
        if at >= len(self._lines):
            return Strip.blank(width)
        text, role = self._lines[at]
        return Strip([Segment(fit(text, width), role_style(role, theme))], width)
