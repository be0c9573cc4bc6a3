"""The one way text reaches the screen: cells become segments, sanitised, in the style of their role. Never markup.

Neighbours in one style are one segment, and of a line that is another now only the part that changed is drawn again:
what a step sends to a slow terminal is what it changed.
"""

from __future__ import annotations

from collections.abc import Sequence

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

from ctxinspect.text.clip import cell_width, clip, graphemes
from ctxinspect.text.sanitize import sanitize
from ctxinspect.tui.theme import role_styles
from ctxinspect.view.table import Cell, Role

__all__ = ["REVERSE", "changed_span", "marked", "paint", "styles_of"]

REVERSE = Style(reverse=True)


def styles_of(widget: Widget) -> dict[Role, Style]:
    """The role styles of the theme the widget is drawn in."""
    return role_styles(widget.app.current_theme)


def paint(line: Sequence[Cell], width: int, styles: dict[Role, Style], extra: Style | None = None) -> Strip:
    """A line of exactly `width` cells: clipped or padded; `extra` is laid over the style of text, which all get."""
    pieces: list[tuple[str, Role]] = []
    left = width
    for text, role in line:
        if left <= 0:
            break
        shown = sanitize(text)
        cells = cell_width(shown)
        if cells > left:
            shown = clip(shown, left)
            cells = cell_width(shown)
        pieces.append((shown, role))
        left -= cells
    if left > 0:
        pieces.append((" " * left, "text"))
    return Strip(_segments(pieces, styles, extra), width)


def _segments(pieces: Sequence[tuple[str, Role]], styles: dict[Role, Style], extra: Style | None) -> list[Segment]:
    """Neighbours in one style joined; blanks take the style before them, which looks the same.

    With something laid over them all are one: a bar has one colour, its words tell the states.
    """
    if extra is not None:
        return [Segment("".join(text for text, _ in pieces), styles["text"] + extra)]
    merged: list[tuple[str, Style]] = []
    for text, role in pieces:
        style = styles[role]
        if merged and (merged[-1][1] == style or (not text.strip(" ") and not merged[-1][1].underline)):
            merged[-1] = (merged[-1][0] + text, merged[-1][1])
        else:
            merged.append((text, style))
    return [Segment(text, style) for text, style in merged]


def marked(strip: Strip, start: int, end: int) -> Strip:
    """A line with the characters from `start` to `end` (exclusive; -1: to its end) in reverse video."""
    text = strip.text.rstrip()
    first = cell_width(text[:start])
    last = cell_width(text if end < 0 else text[:end])
    if last <= first:
        return strip
    before, chosen, after = strip.divide([first, last, strip.cell_length])
    turned = [Segment(piece, (style or Style()) + REVERSE) for piece, style, _ in chosen]
    return Strip([*before, *turned, *after], strip.cell_length)


def changed_span(old: Strip | None, new: Strip) -> tuple[int, int]:
    """From which cell to which (exclusive) a line is another now; both ends 0 where it is the same."""
    if old is None or old.cell_length != new.cell_length:
        return 0, new.cell_length
    if old == new:
        return 0, 0
    before, after = _cells(old), _cells(new)
    if len(before) != len(after):
        return 0, new.cell_length
    differ = [at for at, (one, other) in enumerate(zip(before, after, strict=True)) if one != other]
    return (differ[0], differ[-1] + 1) if differ else (0, 0)


def _cells(strip: Strip) -> list[tuple[str, Style | None]]:
    """What stands in each cell; the second cell of a wide character holds an empty text."""
    found: list[tuple[str, Style | None]] = []
    for text, style, _ in strip:
        if text.isascii():
            found += [(char, style) for char in text]
            continue
        for unit, width in graphemes(text):
            found += [(unit, style), *[("", style)] * (width - 1)] if width else []
    return found
