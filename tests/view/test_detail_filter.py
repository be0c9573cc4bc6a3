"""A filtered text holds its lines with the text and the titles they stand under."""

from __future__ import annotations

from ctxinspect.view.detail_filter import filtered
from ctxinspect.view.table import Cell, Detail

DETAIL = Detail("KEYS", (Cell("Moves", "title"), Cell("j down\nk up"), Cell("Files", "title"), Cell("x Write down")))


def test_lines_without_it_go_and_so_do_empty_sections():
    assert filtered(DETAIL, "up").text == "Moves\nk up"
    assert filtered(DETAIL, "down").text == "Moves\nj down\nFiles\nx Write down"


def test_a_capital_makes_case_count():
    assert filtered(DETAIL, "Write").text == "Files\nx Write down"
    assert filtered(DETAIL, "DOWN").text == "No line holds 'DOWN'."


def test_the_title_says_how_many_lines_there_are():
    assert filtered(DETAIL, "up").title == "KEYS  1 line with 'up'"


def test_without_a_text_nothing_changes():
    assert filtered(DETAIL, "") is DETAIL
