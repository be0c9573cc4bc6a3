"""Searching goes from match to match and says which of how many; a filter lists what holds, and says so."""

from __future__ import annotations

from ctxinspect.readers import load
from ctxinspect.readers.samples import sample_paths
from tests.support.frames import inspector, play

TOPICS = load(sample_paths()["topics100"])


def typed(text: str) -> list[str]:
    return ["space" if char == " " else char for char in text]


def last(keys: list[str], at: str | None = None) -> str:
    return play(inspector(TOPICS, at), keys, (160, 40))[-2]


def test_a_search_in_a_panel_goes_from_row_to_row_and_round():
    keys = ["3", "/", *typed("style"), "enter"]
    assert "match 1 of 1 in this panel" in last(keys)
    assert "match 1 of 1 in this panel" in last([*keys, "n", "n", "N"])


def test_tab_widens_the_scope_to_the_request_and_the_session():
    lines = play(inspector(TOPICS), ["/", "tab", "tab", *typed("lock"), "enter"], (160, 40))
    assert "in this session" in lines[-2]
    assert ">1 TURNS" in "\n".join(lines)


def test_matches_survive_stepping():
    keys = ["/", "tab", "tab", *typed("redis"), "enter", ".", "]", "n"]
    assert "of" in last(keys)
    assert "redis" in last(keys).lower()


def test_no_match_is_said_when_the_scan_is_over():
    assert "0 matches of 'no such words' in this session" in last(["/", "tab", "tab", *typed("no such words"), "enter"])


def test_n_without_a_search_says_what_to_do():
    assert "nothing was looked for" in last(["n"])


def test_a_filter_lists_the_turns_where_it_holds_and_f_lists_all_again():
    keys = ["1", "f", *typed("topic"), "enter"]
    lines = play(inspector(TOPICS), keys, (160, 40))
    assert any("TURNS  40 of 100 where" in line for line in lines)
    assert "FILTER 40 of 100 turns match `topic`" in lines[-2]
    assert "all turns are listed" in last([*keys, "f"])


def test_an_exclamation_mark_lists_the_others():
    assert "60 of 100 turns match `!topic`" in last(["f", *typed("!topic"), "enter"])


def test_a_filter_lists_anew_what_holds_under_another_view():
    fork = [":", *typed("set gatekeeper.overlap_switch=0"), "enter"]
    lines = play(inspector(TOPICS), ["1", "f", *typed("topic"), "enter", *fork], (160, 40))
    assert "FILTER 0 of 100 turns match `topic`; all are listed" in lines[-2]
    assert not any("where topic" in line for line in lines)


def test_a_filter_that_nothing_meets_changes_nothing():
    assert "0 of 100 turns match" in last(["f", *typed("drop role=tool"), "enter"])
    assert "no field 'roel'" in last(["f", *typed("drop roel=tool"), "enter"])
