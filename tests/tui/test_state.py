"""Moves are exact in both directions, stay at the ends and say so; nothing depends on the way one came."""

from __future__ import annotations

import pytest

from ctxinspect.errors import SettingsError, UsageError
from ctxinspect.pipeline.plan import Step
from ctxinspect.pipeline.replay import Replay
from ctxinspect.tui.state import Desk, Navigator
from ctxinspect.tui.stepping import move_end, move_event, move_request, move_turn
from ctxinspect.view.inspection import summarize
from tests.support.build import call, result, round_, session, turn

STORY = session(
    turn("redis lock", "fine", round_([call("a")], [result("a")]), round_([call("b")], [result("b")])),
    turn("bread oven", "bake"),
    turn("redis lock", None, round_([call("c")], [])),
)


def navigator(at: str | None = None) -> Navigator:
    return Navigator(Replay(STORY), at)


def indexed(at: str | None = None) -> Navigator:
    made = navigator(at)
    made.take(summarize(made.replay.trace(*step, ledger=False)) for step in made.replay.steps)
    return made


def test_it_opens_at_the_last_request():
    assert navigator().position == Step(2, 1)
    assert navigator().address == "t2r1"


def test_an_address_opens_there_and_a_wrong_one_says_what_would_be_right():
    assert navigator("t0r1").position == Step(0, 1)
    with pytest.raises(UsageError, match="turns 0 to 2"):
        navigator("9")


def test_requests_cross_turns_and_come_back():
    here = navigator("t0r2")
    assert move_request(here, 1) is None
    assert here.position == Step(1, 0)
    move_request(here, -1)
    assert here.position == Step(0, 2)


def test_a_turn_step_goes_to_the_last_request_of_the_turn():
    here = navigator("t1")
    move_turn(here, -1)
    assert here.position == Step(0, 2)


def test_at_the_ends_it_stays_and_says_so():
    here = navigator()
    assert move_request(here, 1) == "STAY   already at the last request"
    assert move_turn(here, 1) == "STAY   already at the last turn"
    move_end(here, last=False)
    assert move_request(here, -1) == "STAY   already at the first request"


def test_the_next_event_is_a_switch_a_cut_or_a_fault():
    here = indexed("t0")
    assert move_event(here, 1) is None
    assert here.summaries[here.position].letters
    while move_event(here, 1) is None:
        assert here.summaries[here.position].letters
    assert move_event(here, 1).startswith("STAY   no event after")


def test_what_is_not_indexed_yet_is_not_taken_for_quiet():
    assert "0 of 6 requests indexed" in move_event(navigator("t0"), 1)


def test_a_fork_stands_beside_the_replay_and_goes_away():
    here = navigator()
    assert here.cycle_view() is None
    here.set_fork("window.strategy=aggressive")
    assert here.label == "FORK"
    assert here.inspection().settings.window.strategy == "aggressive"
    assert here.cycle_view() == "REPLAY"
    assert here.inspection().settings.window.strategy == "balanced"
    here.reset_fork()
    assert here.labels == ("REPLAY",)


def test_an_edited_setting_is_edited_once():
    here = navigator()
    here.set_forks(["window.strategy=aggressive", "gatekeeper.alpha=0.5"])
    here.set_fork("gatekeeper.alpha=1")
    assert here.fork_flags == ("window.strategy=aggressive", "gatekeeper.alpha=1")
    here.set_forks([])
    assert here.forked is None
    with pytest.raises(SettingsError):
        here.set_fork("nothing=1")


def test_a_digit_focuses_and_the_same_digit_zooms():
    desk = Desk(focus=3)
    desk.focus_panel(7)
    assert (desk.focus, desk.zoom) == (7, False)
    desk.focus_panel(7)
    assert desk.zoom
    desk.focus_by(1)
    assert (desk.focus, desk.zoom) == (8, True)
