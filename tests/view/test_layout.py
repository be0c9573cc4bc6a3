"""Every line of a table takes exactly its width, whatever its cells hold."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ctxinspect.text.clip import cell_width
from ctxinspect.view.layout import column_widths, header_line, line_text, row_line, table_lines
from ctxinspect.view.table import Cell, Column, Row, Table, cells, note

COLUMNS = (
    Column("pri", 3, align=">"),
    Column("name", 8, grow=1),
    Column("state", 9, shown_from=30),
    Column("why", 10, grow=2),
)


@given(st.lists(st.text(max_size=30), min_size=4, max_size=4), st.integers(1, 120))
def test_rows_and_headers_are_exactly_as_wide_as_asked(texts, width):
    widths = column_widths(COLUMNS, width)
    row = Row("k", cells(*texts))
    assert cell_width(line_text(row_line(row, COLUMNS, widths, width))) == width
    assert cell_width(line_text(header_line(COLUMNS, widths, width))) == width
    assert cell_width(line_text(row_line(note("n", texts[0]), COLUMNS, widths, width))) == width


def test_spare_cells_go_to_the_growing_columns():
    assert column_widths(COLUMNS, 63) == (3, 17, 9, 28)


def test_a_column_without_room_is_left_out_not_squeezed():
    assert column_widths(COLUMNS, 29)[2] == 0


def test_text_is_shown_literally():
    table = Table(
        "T", "sum", (Column("a", 5), Column("b", 12, grow=1)), (Row("k", cells("[/x]", "[bold]y[/]")),), "none"
    )
    assert "[/x]" in table_lines(table, 40)[2]
    assert "[bold]y[/]" in table_lines(table, 40)[2]


def test_an_empty_table_is_a_sentence():
    assert table_lines(Table("T", "", COLUMNS, (), "Nothing wrong."), 40) == ["T", "  Nothing wrong."]


def test_a_cell_keeps_its_role():
    line = row_line(
        Row("k", (Cell("1"), Cell("x", "error"), Cell(""), Cell(""))), COLUMNS, column_widths(COLUMNS, 60), 60
    )
    assert [role for text, role in line if text.strip() == "x"] == ["error"]
