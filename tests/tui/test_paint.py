"""Lines are exactly as wide as asked for, hold nothing that steers a terminal, and a changed part is all that changed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.segment import Segment
from textual.strip import Strip

from ctxinspect.text.clip import cell_width, graphemes, skip_cells, take
from ctxinspect.tui.theme import DARK, role_styles
from ctxinspect.tui.widgets.paint import REVERSE, changed_span, marked, paint
from ctxinspect.view.sheet import Sheet
from ctxinspect.view.table import Cell, Column, Row, cells
from ctxinspect.view.text_rows import TextRows

STYLES = role_styles(DARK)
TEXTS = st.text(st.sampled_from("ab [/]中文\x1b\x9b\u202e\u200d\u0301\ufe0f👩\ud83d\t\n\x00"), max_size=30)
ROLES = st.sampled_from(sorted(STYLES))
LINES = st.lists(st.builds(Cell, TEXTS, ROLES), max_size=6)
WIDTHS = st.integers(1, 40)


@given(LINES, WIDTHS, st.booleans())
def test_a_painted_line_has_exactly_its_width_and_nothing_raw(line, width, chosen):
    strip = paint(line, width, STYLES, REVERSE if chosen else None)
    assert sum(cell_width(segment.text) for segment in strip) == width
    assert not any(char in strip.text for char in "\x1b\x9b\u202e\x00\t\n\ud83d")


@given(LINES, LINES, WIDTHS)
def test_drawing_only_the_changed_part_gives_the_new_line(before, after, width):
    old, new = paint(before, width, STYLES), paint(after, width, STYLES)
    start, end = changed_span(old, new)
    kept = [*_cells(old)[:start], *_cells(new)[start:end], *_cells(old)[end:]]
    assert kept == _cells(new)
    assert (start, end) == (0, 0) or (start < end <= width)
    assert changed_span(new, new) == (0, 0)


def _cells(strip: Strip) -> list[tuple[str, object]]:
    found: list[tuple[str, object]] = []
    for text, style, _ in strip:
        for unit, width in graphemes(text):
            found += [(unit, style), *[("", style)] * (width - 1)] if width else []
    return found


def test_a_line_of_another_width_is_drawn_whole():
    assert changed_span(paint([], 10, STYLES), paint([], 12, STYLES)) == (0, 12)
    assert changed_span(None, paint([], 12, STYLES)) == (0, 12)


def test_only_what_changed_is_drawn():
    old, new = (paint([Cell(f"count {n} of 10")], 40, STYLES) for n in (3, 4))
    assert changed_span(old, new) == (6, 7)


def test_neighbours_in_one_style_are_one_segment():
    line = [Cell("one"), Cell(" "), Cell("two"), Cell("  ", "dim"), Cell("three", "warn")]
    assert [segment.text for segment in paint(line, 20, STYLES)] == ["one two  ", "three      "]


@given(TEXTS, st.integers(0, 20))
def test_what_is_skipped_and_what_is_taken_make_the_line(text, cells_):
    shown = "".join(unit for unit, _ in graphemes(text) if cell_width(unit))
    if cell_width(take(shown, cells_)) == min(cells_, cell_width(shown)):
        assert cell_width(skip_cells(shown, cells_)) == max(0, cell_width(shown) - cells_)


@given(st.lists(TEXTS, min_size=1, max_size=4), st.integers(1, 60), WIDTHS)
def test_a_sheet_seen_from_anywhere_fits(texts, left, width):
    rows = [Row(str(at), cells(str(at), text, text)) for at, text in enumerate(texts)]
    sheet = Sheet((Column("#", 2), Column("hidden", 8, shown_from=99), Column("text", 4, grow=1)), rows)
    for row in rows:
        strip = paint(sheet.line(row, left, width), width, STYLES)
        assert sum(cell_width(segment.text) for segment in strip) == width


@given(TEXTS, st.integers(1, 12), st.integers(0, 40))
def test_long_lines_are_seen_from_anywhere(text, width, left):
    rows = TextRows((Cell(text),), width, wrapped=False)
    assert len(rows) == text.count("\n") + 1
    for at in range(len(rows)):
        assert "\x1b" not in rows.line(at, left).text


def test_a_line_of_a_megabyte_is_not_measured():
    rows = TextRows((Cell("中" * 1_000_000),), 80, wrapped=False)
    assert rows.line(0, 999_990).text == "中" * 10
    assert rows.reach(0, 1) == 1_000_000


def test_rows_say_whether_a_line_begins_with_them():
    rows = TextRows((Cell("a a a a a\nb"), Cell("c")), 4)
    assert [rows.begins_line(at) for at in range(len(rows))] == [True, False, False, True, True]


def test_a_selection_is_in_reverse_video_and_keeps_the_width():
    strip = marked(paint([Cell(" a中文b")], 12, STYLES), 2, 4)
    assert [segment.text for segment in strip if segment.style and segment.style.reverse] == ["中文"]
    assert strip.cell_length == sum(Segment(segment.text).cell_length for segment in strip) == 12
    assert marked(strip, 9, 9) is strip
