"""Cutting and wrapping never lose text unseen, never halve a character, never part a base from its marks."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ctxinspect.text.clip import cell_width, clip, clip_middle, fit, graphemes, hanging, take, wrap
from ctxinspect.text.sanitize import sanitize

texts = st.text(st.sampled_from("ab .你好한ｱé\u0301\u200d\ufe0f👩👧❤⚠1\u20e3🇨"), max_size=40).map(sanitize)


@given(texts, st.integers(0, 30))
def test_a_clipped_text_fits_and_says_that_it_was_cut(text, width):
    shown = clip(text, width)
    assert cell_width(shown) <= width
    assert shown == text or shown.endswith("..."[:width])


@given(texts, st.integers(1, 30))
def test_a_fitted_text_takes_exactly_its_cells(text, width):
    assert cell_width(fit(text, width)) == width == cell_width(fit(text, width, ">"))


@given(texts, st.integers(2, 30))
def test_wrapped_rows_are_the_text_and_fit(text, width):
    rows = wrap(text, width)
    assert "".join(rows) == text
    assert all(cell_width(row) <= width for row in rows)


@given(texts, st.integers(0, 30))
def test_a_cut_is_a_whole_number_of_graphemes(text, width):
    head = take(text, width)
    units = [unit for unit, _ in graphemes(text)]
    assert text.startswith(head)
    assert head in ["".join(units[:count]) for count in range(len(units) + 1)]


def test_a_wide_character_is_not_halved():
    assert clip("你好世界", 5) == "你..."
    assert clip("你好世界", 6) == "你..."
    assert fit("你好", 3) == "..."


def test_the_end_of_a_path_stays_readable():
    assert clip_middle("/a/very/long/path/file.json", 15).endswith("e.json")


def test_words_are_kept_together_where_they_fit():
    assert wrap("the quick brown fox", 10) == ["the quick ", "brown fox"]
    assert wrap("x" * 25, 10) == ["x" * 10, "x" * 10, "x" * 5]


@given(texts, st.integers(4, 40))
def test_hanging_rows_fit_and_lose_no_more_than_blanks(text, width):
    rows = hanging(text, width)
    assert all(cell_width(row) <= width for row in rows)
    assert "".join(rows).replace(" ", "") == text.replace(" ", "")


def test_what_continues_a_line_stands_behind_its_labels():
    assert hanging("  t5  out    no word in common with it", 28) == [
        "  t5  out    no word in",
        "             common with it",
    ]
    assert hanging("  a line without a label", 18) == ["  a line without a", "    label"]
    assert hanging("short", 18) == ["short"]
