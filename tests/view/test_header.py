"""The lines around the panels fit their width and keep position and view to the last."""

from __future__ import annotations

import pytest

from ctxinspect.readers import load
from ctxinspect.readers.samples import sample_paths
from ctxinspect.view.header import header_line, timeline
from ctxinspect.view.layout import line_text
from ctxinspect.view.stages import stage_line, stage_verdicts
from tests.support.build import session, turn
from tests.support.inspection import inspect

VIEW = inspect(session(turn("redis", "lock"), turn("redis again", None), title="A [/title] with \x1b in it"), 1)


@pytest.mark.parametrize("width", [40, 80, 120, 200])
def test_the_header_fits_and_keeps_position_and_view(width):
    text = line_text(header_line(VIEW, width))
    assert len(text) <= width
    assert "t1/2" in text
    assert "REPLAY" in text
    assert "\x1b" not in text


def test_the_counter_stands_beside_the_tokens():
    assert "cl100k_base" in line_text(header_line(VIEW, 120))


def test_all_nine_stages_have_a_verdict_and_fit_eighty_columns():
    assert len(stage_verdicts(VIEW.trace)) == 9
    text = line_text(stage_line(VIEW.trace, 80))
    assert len(text) <= 80
    assert all(name in text for name in ("ing", "gate", "rec", "pru", "cov", "asm", "ren", "win", "lint"))


def test_where_much_is_wrong_the_count_of_lint_is_still_seen_in_eighty_columns():
    view = inspect(load(sample_paths()["broken"]), 20, 1)
    text = line_text(stage_line(view.trace, 80, here="lint"))
    assert len(text) <= 80
    assert text.endswith("[lint:17E10W]")


def test_the_strip_shows_a_cell_a_turn_and_where_we_are():
    assert line_text(timeline(["", "S", "SL"], 1, 60)) == " tl .[S]L L1 S2"


def test_a_long_session_shows_the_worst_of_each_bucket():
    text = line_text(timeline(["S", "L"] * 500, 0, 80))
    assert len(text) <= 80
    assert "[L]" in text


def test_turns_not_yet_indexed_are_blank_and_counted():
    assert line_text(timeline(["", None, None], 0, 60)) == " tl [.]   indexing 1/3"
