"""Which panels are on the screen at which size: a pure function, so that every size can be tested without a terminal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = ["Layout", "SizeClass", "layout_for"]

SizeClass = Literal["tiny", "narrow", "std", "wide"]
_LEFT = (1, 2, 9)
_STD = (1, 2, 3, 4, 5, 6, 7, 8)


@dataclass(frozen=True, slots=True)
class Layout:
    """Panels shown by digit, whether the detail pane, the tab row, the other view and the footer are."""

    size: SizeClass
    panels: tuple[int, ...]
    detail: bool
    tabs: bool
    other: bool
    footer: bool
    chrome: bool


def layout_for(width: int, height: int, focused: int, *, zoomed: bool, other: bool) -> Layout:
    """The layout of a terminal of this size in cells, with panel `focused` (1 to 9) in front."""
    if width < 80 or height < 20:
        enough = width >= 40 and height >= 10
        return Layout("tiny", (focused,), detail=False, tabs=False, other=False, footer=False, chrome=enough)
    if zoomed:
        return Layout("narrow", (focused,), detail=False, tabs=True, other=False, footer=True, chrome=True)
    if width < 120 or height < 34:
        return Layout("narrow", (focused,), detail=True, tabs=True, other=False, footer=True, chrome=True)
    panels = _STD if focused != 9 else (1, 9, *_STD[2:])
    wide = width >= 160
    return Layout(
        "wide" if wide else "std", panels, detail=True, tabs=False, other=wide and other, footer=True, chrome=True
    )
