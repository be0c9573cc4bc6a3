"""Rows in the order of a column: numbers by value, equal ones as they were, notes last; found by key all the same."""

from __future__ import annotations

from ctxinspect.view.sorting import SORTABLE, Order, next_order, ordered
from ctxinspect.view.table import Column, LazyRows, Row, Table, cells, note

TABLE = Table(
    "T",
    "",
    (Column("name", 5), Column("tok", 4)),
    (
        Row("a", cells("beta", "10")),
        Row("b", cells("Alpha", "9")),
        note("n", "a note"),
        Row("c", cells("gamma", "-")),
        Row("d", cells("beta", "100%")),
        Row("e", cells("delta", "-0.5")),
    ),
    "none",
)


def keys(order: Order) -> str:
    return "".join(row.key for row in ordered(TABLE, order).rows)


def test_numbers_go_by_value_then_what_is_none_then_notes():
    assert keys(Order("tok")) == "ebadcn"
    assert keys(Order("tok", reverse=True)) == "cdaben"


def test_texts_go_without_regard_to_case_and_equal_ones_stay_as_they_were():
    assert keys(Order("name")) == "badecn"
    assert keys(Order(reverse=True)) == "edcnba"


def test_rows_are_found_by_key_in_the_new_order():
    table = ordered(TABLE, Order("tok"))
    assert all(table.rows[table.index(row.key)].key == row.key for row in TABLE.rows)
    assert table.index("nowhere") is None


def test_the_next_order_goes_through_the_columns_and_back_to_none():
    order = Order()
    seen = []
    for _ in range(3):
        order = next_order(TABLE, order)
        seen.append(str(order))
    assert seen == ["by name", "by tok", ""]
    assert ordered(TABLE, order) is TABLE


def test_ten_thousand_rows_are_not_built_for_it():
    def build(_at: int) -> Row:
        raise AssertionError("no row is built")

    table = Table("T", "", TABLE.columns, LazyRows(SORTABLE + 1, build), "none")
    assert ordered(table, Order("tok")) is table


def test_a_column_that_is_not_there_changes_nothing():
    assert ordered(TABLE, Order("cost")) is TABLE
