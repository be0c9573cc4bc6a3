"""Rows that are built when they are looked at are the same rows, whoever looks and however often."""

from __future__ import annotations

import pytest

from ctxinspect.trace.recall_rows import RecallRows, recall_row, recall_rules, stayed_rows
from ctxinspect.trace.types import RecallRow


def row(turn: int, rule: str) -> RecallRow:
    return RecallRow(turn, 0.0, 0.0, 0, 0.0, 0.0, "dropped", rule, ())


STAYED = (row(4, "covered"), row(2, "no_gain"))
REST = (row(1, "recall_limit"), row(0, "content_filter"))


def rows(built: list[str]) -> RecallRows:
    def first(number: int):
        built.append("rest")
        return (*STAYED, *REST)[:number]

    return RecallRows(STAYED, 4, lambda: {1: "recall_limit", 0: "content_filter"}, first)


def test_what_stayed_is_at_hand_and_nothing_is_built_for_it():
    built: list[str] = []
    lazy = rows(built)
    assert (len(lazy), lazy[0], lazy[1]) == (4, *STAYED)
    assert stayed_rows(lazy) == STAYED
    assert recall_rules(lazy) == {4: "covered", 2: "no_gain", 1: "recall_limit", 0: "content_filter"}
    assert recall_row(lazy, 2) == STAYED[1]
    assert recall_row(lazy, 3) is None
    assert built == []


def test_the_others_are_built_once():
    built: list[str] = []
    lazy = rows(built)
    assert list(lazy) == [*STAYED, *REST] == list(lazy)
    assert lazy[-1] == REST[1]
    assert lazy[1:3] == (STAYED[1], REST[0])
    assert recall_row(lazy, 0) == REST[1]
    assert built == ["rest"]


def test_they_are_equal_to_any_sequence_of_the_same_rows():
    assert rows([]) == (*STAYED, *REST) == rows([])
    assert rows([]) != STAYED
    assert rows([]) != "rows"
    assert repr(rows([])) == "<4 recall rows, 2 stayed>"


def test_beyond_the_last_row_there_is_none():
    with pytest.raises(IndexError):
        rows([])[4]


def test_plain_rows_say_the_same():
    plain = (*STAYED, *REST)
    assert stayed_rows(plain) == list(STAYED)
    assert recall_rules(plain) == recall_rules(rows([]))
    assert recall_row(plain, 0) == REST[1]


def test_further_rows_are_built_page_by_page():
    asked: list[int] = []
    plain = [row(turn, "recall_limit") for turn in range(1000)]

    def first(number: int):
        asked.append(number)
        return plain[:number]

    lazy = RecallRows((), 1000, dict, first)
    assert [lazy[at] for at in range(50)] == plain[:50]
    assert lazy[70] == plain[70]
    assert lazy[:-950] == tuple(plain[:50])
    assert lazy[3:3] == ()
    assert asked == [64, 142]
    assert lazy[990:] == tuple(plain[990:])
    assert list(lazy) == plain
    assert asked == [64, 142, 1000]
    assert lazy[5:2:-1] == tuple(plain[5:2:-1])
    with pytest.raises(IndexError):
        lazy[-1001]
