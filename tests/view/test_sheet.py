"""A table seen further to the right: mark and first column stay, what follows is shifted, nothing is hidden."""

from __future__ import annotations

from ctxinspect.view.layout import line_text
from ctxinspect.view.sheet import Sheet
from ctxinspect.view.table import Column, Row, cells, note

COLUMNS = (Column("#", 2), Column("role", 4, shown_from=60), Column("text", 5, grow=1))
ROW = Row("0", cells("07", "user", "0123456789 abcdefghij"), mark="+")


def shown(row: Row, left: int, rows=(ROW,)) -> str:
    return line_text(Sheet(COLUMNS, rows).line(row, left, 20))


def test_hidden_columns_come_into_sight():
    assert shown(ROW, 1) == " + 07 ser 0123456789 abcdefghij"
    assert shown(ROW, 5) == " + 07 0123456789 abcdefghij"
    assert shown(ROW, 15) == " + 07  abcdefghij"


def test_the_names_of_the_columns_go_along():
    assert line_text(Sheet(COLUMNS, (ROW,)).header(5, 20)) == "   #  text"


def test_a_wide_character_that_the_edge_halves_leaves_a_blank():
    row = Row("0", cells("07", "user", "中文中文"))
    assert shown(row, 6, (row,)) == "   07  文中文"


def test_a_note_goes_along_behind_its_mark():
    assert shown(note("n", "left out: 31 turns"), 10) == "   31 turns"


def test_the_width_is_that_of_the_longest_row():
    assert Sheet(COLUMNS, (ROW,)).width == 3 + 2 + 1 + 4 + 1 + 21
    assert Sheet(COLUMNS, ()).width == 3 + 2 + 1 + 4 + 1 + 5
