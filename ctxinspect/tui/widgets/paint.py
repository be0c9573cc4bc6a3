"""The one way text reaches the screen: cells become segments, sanitised, in the style of their role. Never markup."""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

from ctxinspect.text.clip import cell_width, clip
from ctxinspect.text.sanitize import sanitize
from ctxinspect.tui.theme import role_styles
from ctxinspect.view.table import Cell, Role

__all__ = ["REVERSE", "paint", "styles_of"]

REVERSE = Style(reverse=True)


def styles_of(widget: Widget) -> dict[Role, Style]:
    """The role styles of the theme the widget is drawn in."""
    return role_styles(ansi=widget.app.native_ansi_color)


def paint(line: Sequence[Cell], width: int, styles: dict[Role, Style], extra: Style | None = None) -> Strip:
    """A line of exactly `width` cells: clipped or padded; `extra` is laid over every style."""
    segments: list[Segment] = []
    left = width
    for text, role in line:
        if left <= 0:
            break
        shown = sanitize(text)
        cells = cell_width(shown)
        if cells > left:
            shown = clip(shown, left)
            cells = cell_width(shown)
        style = styles[role]
        segments.append(Segment(shown, style + extra if extra else style))
        left -= cells
    if left > 0:
        base = styles["text"]
        segments.append(Segment(" " * left, base + extra if extra else base))
    return Strip(segments, width)
