"""At every size the areas tile the screen without overlap, and the panel in focus is among them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxinspect.tui.layout import plan, size_class

sizes = st.tuples(st.integers(1, 260), st.integers(1, 90))


@given(
    sizes,
    st.integers(1, 9),
    st.booleans(),
    st.booleans(),
    st.sampled_from([{}, {"panel-3": 4}, {"panel-2": 3, "row-a": 3}]),
)
def test_areas_lie_on_the_screen_and_never_overlap(size, focus, zoom, compare, caps):
    width, height = size
    cells = set()
    areas = plan(width, height, focus=focus, zoom=zoom, compare=compare, caps=caps)
    for area in areas:
        assert area.width > 0
        assert area.height > 0
        assert area.x >= 0
        assert area.x + area.width <= width
        assert area.y >= 0
        assert area.y + area.height <= height
        own = {(x, y) for x in range(area.x, area.x + area.width) for y in range(area.y, area.y + area.height)}
        assert not own & cells
        cells |= own
    names = [area.name for area in areas]
    assert len(names) == len(set(names))
    if size_class(width, height) != "mini":
        assert f"panel-{focus}" in names


@given(sizes, st.integers(1, 9))
def test_no_cell_is_left_empty(size, focus):
    width, height = size
    if size_class(width, height) != "mini":
        assert sum(area.width * area.height for area in plan(width, height, focus=focus)) == width * height


@pytest.mark.parametrize(
    ("size", "kind"),
    [((39, 24), "mini"), ((70, 24), "tiny"), ((80, 24), "narrow"), ((120, 40), "std"), ((200, 60), "wide")],
)
def test_the_five_layouts(size, kind):
    assert size_class(*size) == kind


def test_eighty_by_twenty_four_has_eleven_rows_and_three_of_detail():
    areas = {area.name: area for area in plan(80, 24, focus=3)}
    assert areas["panel-3"].height - 2 >= 11
    assert areas["detail"].height - 1 >= 3
    assert {"header", "sentence", "timeline", "stages", "tabs", "log", "footer"} <= set(areas)


def test_all_nine_panels_stand_on_a_standard_screen():
    names = {area.name for area in plan(120, 40, focus=3)}
    assert {f"panel-{number}" for number in range(1, 10)} <= names


def test_two_views_stand_side_by_side_from_160_columns_on():
    assert "compare" not in {area.name for area in plan(159, 45, focus=7, compare=True)}
    assert "compare" in {area.name for area in plan(160, 45, focus=7, compare=True)}
    assert "compare" in {area.name for area in plan(200, 60, focus=7, compare=True)}
