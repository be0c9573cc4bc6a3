"""Which part of the screen belongs to what, as a pure function of size, focus and zoom.

Areas never overlap and never leave the screen, at any size down to 1x1; what has no room has no area.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

__all__ = ["STEPS", "Area", "SizeClass", "plan", "size_class"]

SizeClass: TypeAlias = Literal["mini", "tiny", "narrow", "std", "wide"]
_NO_CAPS: Mapping[str, int] = {}
MIN_WIDTH, MIN_HEIGHT = 40, 10
"""Below this size (cells, rows) only one line is shown."""
STEPS = (80, 120, 200)
"""Columns from which the narrow, the standard and the wide layout are used, unless the configuration has others."""
SIDE_BY_SIDE = 160
"""Width from which the messages of two views stand side by side."""
_LEFT = 40
"""Cells of the left column; half as much again in the wide layout, where it has room for what was asked."""


@dataclass(frozen=True, slots=True)
class Area:
    """A named rectangle, in cells and rows."""

    name: str
    x: int
    y: int
    width: int
    height: int


def size_class(width: int, height: int, steps: tuple[int, int, int] = STEPS) -> SizeClass:
    """Which layout a terminal of this size gets; `steps` are the columns where the next one begins."""
    narrow, standard, wide = steps
    if width < MIN_WIDTH or height < MIN_HEIGHT:
        return "mini"
    if width < narrow or height < 20:
        return "tiny"
    if width < standard or height < 34:
        return "narrow"
    return "wide" if width >= wide and height >= 50 else "std"


def plan(
    width: int,
    height: int,
    *,
    focus: int,
    zoom: bool = False,
    compare: bool = False,
    caps: Mapping[str, int] = _NO_CAPS,
    steps: tuple[int, int, int] = STEPS,
) -> tuple[Area, ...]:
    """All areas of the screen.

    `compare` says whether there is another view to stand beside this one, `caps` the rows that a panel or a row of
    panels can use; it never gets more.
    """
    kind = size_class(width, height, steps)
    if kind == "mini":
        return (Area("hint", 0, 0, width, min(1, height)),) if width > 0 and height > 0 else ()
    if kind == "tiny":
        return _tiny(width, height, focus)
    if kind == "narrow" or zoom:
        return _narrow(width, height, focus, zoom=zoom)
    frame = _frame(width, height, tabs=False)
    top, bottom = 4, height - 2
    if kind == "wide":
        return (*frame, *_wide(width, top, bottom, focus, compare=compare, caps=caps))
    compare = compare and width >= SIDE_BY_SIDE
    return (*frame, *_standard(width, top, bottom, focus, compare=compare, caps=caps))


def _frame(width: int, height: int, *, tabs: bool) -> list[Area]:
    names = ["header", "sentence", "timeline", "stages", *(["tabs"] if tabs else [])]
    rows = [Area(name, 0, y, width, 1) for y, name in enumerate(names)]
    return [*rows, Area("log", 0, height - 2, width, 1), Area("footer", 0, height - 1, width, 1)]


def _tiny(width: int, height: int, focus: int) -> tuple[Area, ...]:
    sentence = min(2, height // 6)
    top = 1 + sentence
    return (
        Area("header", 0, 0, width, 1),
        Area("sentence", 0, 1, width, sentence),
        Area(f"panel-{focus}", 0, top, width, height - top - 1),
        Area("log", 0, height - 1, width, 1),
    )


def _narrow(width: int, height: int, focus: int, *, zoom: bool) -> tuple[Area, ...]:
    frame = _frame(width, height, tabs=True)
    room = height - 7
    detail = 0 if zoom else max(4, room // 4)
    areas = [*frame, Area(f"panel-{focus}", 0, 5, width, room - detail)]
    return (*areas, Area("detail", 0, 5 + room - detail, width, detail)) if detail else tuple(areas)


def _split(total: int, weights: dict[str, int], grown: str | None, caps: Mapping[str, int]) -> dict[str, int]:
    """`total` rows shared by weight; the grown one counts half as much again, none gets more than its cap."""
    capped = {name: rows for name, rows in caps.items() if name in weights}
    free = {name: weight for name, weight in weights.items() if name not in capped}
    shares = _share(total, weights, grown)
    over = {name: rows for name, rows in capped.items() if shares[name] > rows}
    if not over or not free:
        return shares
    rest = {name: weight for name, weight in weights.items() if name not in over}
    left = _split(total - sum(over.values()), rest, grown, caps)
    return {name: over.get(name, left.get(name, 0)) for name in weights}


def _share(total: int, weights: dict[str, int], grown: str | None, least: int = 3) -> dict[str, int]:
    """`total` rows by weight, at least `least` each where there is room."""
    shares = {name: weight * (3 if name == grown else 2) for name, weight in weights.items()}
    whole = sum(shares.values())
    rows = {name: max(min(least, total // len(shares)), total * share // whole) for name, share in shares.items()}
    names = sorted(rows, key=lambda name: -rows[name])
    spare = total - sum(rows.values())
    for at in range(abs(spare)):
        rows[names[at % len(names)] if spare < 0 else (grown if grown in rows else names[0])] += 1 if spare > 0 else -1
    return rows


def _column(x: int, width: int, y: int, rows: dict[str, int]) -> list[Area]:
    areas = []
    for name, height in rows.items():
        areas.append(Area(name, x, y, width, height))
        y += height
    return areas


def _pair(area: Area, left: str, right: str, rule: str) -> list[Area]:
    half = area.width // 2
    return [
        Area(left, area.x, area.y, half, area.height),
        Area(rule, area.x + half, area.y, 1, area.height),
        Area(right, area.x + half + 1, area.y, area.width - half - 1, area.height),
    ]


def _left(width: int, y: int, bottom: int, focus: int, caps: Mapping[str, int]) -> list[Area]:
    rows = bottom - y
    breaks = 5 if focus == 9 else 3
    gate = max(3, min(13, rows // 2 - 1, caps.get("panel-2", 13)))
    heights = {"panel-1": rows - gate - breaks, "panel-2": gate, "panel-9": breaks}
    return [*_column(0, width - 1, y, heights), Area("rule-1", width - 1, y, 1, rows)]


def _right(
    x: int, width: int, y: int, bottom: int, focus: int, *, compare: bool, caps: Mapping[str, int]
) -> list[Area]:
    groups = {3: "panel-3", 4: "row-a", 5: "row-a", 7: "row-m", 6: "row-b", 8: "row-b"}
    weights = {"panel-3": 9, "row-a": 8, "row-m": 9, "row-b": 8}
    heights = _split(bottom - y, weights, groups.get(focus), caps)
    areas: list[Area] = []
    for area in _column(x, width, y, heights):
        if area.name == "row-a":
            areas += _pair(area, "panel-4", "panel-5", "rule-2")
        elif area.name == "row-b":
            areas += _pair(area, "panel-6", "panel-8", "rule-3")
        elif area.name == "row-m" and compare:
            areas += _pair(area, "panel-7", "compare", "rule-4")
        else:
            areas.append(Area("panel-7", *(area.x, area.y, area.width, area.height)) if area.name == "row-m" else area)
    return areas


def _standard(width: int, y: int, bottom: int, focus: int, *, compare: bool, caps: Mapping[str, int]) -> list[Area]:
    detail = max(5, (bottom - y) // 5)
    body = bottom - detail
    return [
        *_left(_LEFT, y, body, focus, caps),
        *_right(_LEFT, width - _LEFT, y, body, focus, compare=compare, caps=caps),
        Area("detail", 0, body, width, detail),
    ]


def _wide(width: int, y: int, bottom: int, focus: int, *, compare: bool, caps: Mapping[str, int]) -> list[Area]:
    side = width - width * 3 // 10
    left = 3 * _LEFT // 2
    rows = bottom - y
    other = rows // 2 if compare else 0
    areas = [
        *_left(left, y, bottom, focus, caps),
        *_right(left, side - left, y, bottom, focus, compare=False, caps=caps),
        Area("rule-5", side, y, 1, rows),
        Area("detail", side + 1, y, width - side - 1, rows - other),
    ]
    return [*areas, Area("compare", side + 1, bottom - other, width - side - 1, other)] if other else areas
