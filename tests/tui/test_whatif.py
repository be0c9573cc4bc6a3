"""Knobs fork at once, the session follows, leaving keeps the fork, and the recording stays as it was."""

from __future__ import annotations

import pytest

from ctxinspect.readers import load
from ctxinspect.readers.samples import sample_paths
from tests.support.frames import inspector, play


def sample(name: str, at: str | None = None):
    return inspector(load(sample_paths()[name]), at)


def line_of(lines: list[str], words: str) -> str:
    return next(line for line in lines if words in line)


def test_a_turned_knob_shows_what_it_does_here_and_in_the_session():
    lines = play(sample("rag_pressure"), ["w", *"jjjjj", "L"])
    assert "~ assembler.max_tokens" in line_of(lines, "assembler.max_tokens  ")
    assert "620" in line_of(lines, "assembler.max_tokens  ")
    assert "tokens 962 ->" in lines[0]
    assert "changed" in lines[1]
    assert "/9" in lines[1]
    assert "--set assembler.max_tokens=620" in lines[-2]


def test_without_an_edit_there_is_no_fork():
    lines = play(sample("rag_pressure"), ["w", *"jjjjj", "l", "h"])
    assert "nothing is edited" in lines[0]


def test_leaving_shows_the_fork_and_its_flags():
    lines = play(sample("rag_pressure"), ["w", *"jjjjj", "L", "escape"])
    assert "FORK" in lines[0]
    assert "--set assembler.max_tokens=620" in lines[-2]
    assert "REPLAY" in play(sample("rag_pressure"), ["w", *"jjjjj", "L", "q", "a"])[0]


def test_a_typed_value_out_of_range_says_the_range_and_changes_nothing():
    lines = play(sample("rag_pressure"), ["w", *"jjjjjj", "enter", *(["backspace"] * 4), "2", "enter"])
    assert "allowed: >= 0 < 1" in lines[-2]
    assert "nothing is edited" in lines[0]


def test_everything_can_be_reset():
    lines = play(sample("rag_pressure"), ["w", "l", "j", "L", "R"])
    assert "nothing is edited" in lines[0]
    assert "no fork" in lines[-2]


@pytest.mark.parametrize(("panel", "item"), [("3", "component:instructions"), ("1", "turn:0"), ("7", "turn:1")])
def test_minus_drops_what_is_under_the_cursor_and_again_takes_it_back(panel, item):
    keys = ["g", "j", "j"] if panel == "7" else ["g"]
    lines = play(sample("rag_pressure"), [panel, *keys, "-"])
    assert f'--set what_if.drop=["{item}"]' in lines[-2]
    if panel == "1":
        assert "as recorded" in play(sample("rag_pressure"), [panel, *keys, "-", panel, *keys, "-"])[-2]


def test_what_cannot_be_dropped_is_said():
    assert "nothing here can be dropped" in play(sample("rag_pressure"), ["2", "-"])[-2]


def test_the_fork_is_compared_with_the_replay():
    lines = play(sample("rag_pressure"), ["w", *"jjjjj", "L", "d"])
    assert any("setting assembler.max_tokens 520 -> 620" in line for line in lines)


def test_requests_that_a_setting_cannot_reach_are_not_replayed():
    keys = ["1", "G", "k", "k", "-", "w"]
    lines = play(inspector(load(sample_paths()["coding_agent"])), keys)
    assert "before it cannot change" in lines[1]
