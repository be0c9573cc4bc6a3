"""The sentence on top names what came along, what did not and why, and what is wrong."""

from __future__ import annotations

from ctxinspect.pipeline.replay import Replay
from ctxinspect.view.sentence import request_sentence
from tests.support.build import call, result, round_, session, settings, turn

TALK = [turn("redis lock", "use redis"), turn("bread oven", "bake bread"), turn("redis lock again please", None)]


def sentence(made, turn_id, request=None):
    return request_sentence(Replay(made).trace(turn_id, request, ledger=False))


def test_the_first_turn_has_nothing_earlier():
    assert sentence(session(*TALK), 0) == "first turn, nothing earlier; nothing wrong"


def test_a_turn_left_out_is_named_with_its_reason():
    assert sentence(session(*TALK), 2).startswith("1 of 2 turns in; t1 out: no anchor in common; ")


def test_a_trimmed_turn_is_named_before_all_others():
    long = [turn("redis " * 300, "redis " * 300), turn("lock", "fine"), turn("redis", None)]
    made = session(*long, context=settings(history="full", window__context_tokens=400))
    assert "t0 out: trimmed from the window" in sentence(made, 2)


def test_errors_name_the_stage_after_which_the_first_holds():
    made = session(turn("x", "y", round_([call("a"), call("b")], [result("b")])), turn("x", None))
    assert "1 error, first at render" in sentence(made, 0, 1)


def test_a_short_line_keeps_what_came_along_and_what_is_wrong():
    long = [turn("redis " * 300, "redis " * 300), turn("lock", "fine"), turn("redis", None)]
    trace = Replay(session(*long, context=settings(history="full", window__context_tokens=400))).trace(2, ledger=False)
    assert len(request_sentence(trace, width=60)) <= 60
    assert request_sentence(trace, width=30) == "1 of 2 turns in; nothing wrong"
