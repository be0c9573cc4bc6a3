"""Long text is wrapped when it is looked at; its rows are its lines."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ctxinspect.text.clip import cell_width
from ctxinspect.text.sanitize import sanitize_lines
from ctxinspect.view.table import Cell
from ctxinspect.view.text_rows import TextRows


@given(st.text(st.sampled_from("ab 你\n\x1b"), max_size=200), st.integers(4, 40))
def test_the_rows_are_the_text(text, width):
    rows = TextRows([Cell(text)], width)
    shown = [rows.row(at).text for at in range(len(rows))]
    assert "".join(shown) == sanitize_lines(text).replace("\n", "")


@given(st.text(st.sampled_from("ab 你"), max_size=200), st.integers(4, 40))
def test_no_row_is_wider_than_asked(text, width):
    rows = TextRows([Cell(text)], width)
    assert all(cell_width(rows.row(at).text) <= width for at in range(len(rows)))


def test_a_million_characters_in_one_line_cost_a_screenful():
    rows = TextRows([Cell("x" * 1_000_000)], 100)
    assert len(rows) == 10_000
    assert rows.row(9_999).text == "x" * 100


def test_brackets_are_shown_one_to_one():
    text = "rows: list[int] = cfg['a'][0]; [[door open] knock:[soft one]]; [on red]hot; [$accent]x; C:\\dir\\ ; tail \\"
    rows = TextRows([Cell(text)], 200)
    assert [rows.row(at).text for at in range(len(rows))] == [text]


def test_every_block_keeps_its_role():
    rows = TextRows([Cell("a", "title"), Cell("b\nc", "dim")], 10)
    assert [(rows.row(at).text, rows.row(at).role) for at in range(3)] == [("a", "title"), ("b", "dim"), ("c", "dim")]
