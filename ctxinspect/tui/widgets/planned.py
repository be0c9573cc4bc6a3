"""A layout that puts every child where a plan says; a child without an area is not drawn."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual.geometry import NULL_OFFSET, NULL_SPACING, Region, Size
from textual.layout import ArrangeResult, Layout, WidgetPlacement

from ctxinspect.tui.layout import Area

if TYPE_CHECKING:
    from textual.widget import Widget

__all__ = ["PlannedLayout"]


class PlannedLayout(Layout):
    """Asks `plan` for the areas of a size and gives each child the area named like its id."""

    name = "planned"

    def __init__(self, plan: Callable[[int, int], tuple[Area, ...]]) -> None:
        self._plan = plan

    def arrange(self, parent: Widget, children: list[Widget], size: Size, greedy: bool = True) -> ArrangeResult:  # noqa: FBT001, FBT002 - the toolkit's signature
        """Placements of the children that have an area at this size."""
        del parent, greedy
        areas = {area.name: area for area in self._plan(size.width, size.height)}
        placements = []
        for child in children:
            area = areas.get(child.id or "")
            if area is not None and area.width > 0 and area.height > 0:
                region = Region(area.x, area.y, area.width, area.height)
                placements.append(WidgetPlacement(region, NULL_OFFSET, NULL_SPACING, child))
        return placements
