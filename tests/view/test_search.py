"""A search finds every place that holds the text, in reading order, and says what it gave up on."""

from __future__ import annotations

import pytest

from ctxinspect.errors import UsageError
from ctxinspect.pipeline.plan import Step
from ctxinspect.pipeline.replay import Replay
from ctxinspect.view.inspection import Inspection
from ctxinspect.view.search import Pattern, find_in_panel, find_in_request, find_in_session
from tests.support.build import call, result, round_, session, turn

STORY = session(
    turn("Redis lock", "use SET NX", round_([call("a", "read", {"path": "redis.conf"})], [result("a", "maxmemory 1")])),
    turn("bread", "bake"),
    turn("lock again", None),
    components=[{"name": "rules", "content": "never lock the door", "priority": 10}],
)


def view() -> Inspection:
    replay = Replay(STORY)
    return Inspection(replay.trace(2), replay.session, replay.settings, "REPLAY")


def silent(done: int, total: int) -> None:
    assert 0 <= done <= total


def in_session(text: str, *, is_regex: bool = False):
    pattern = Pattern(text, is_regex)
    return find_in_session(STORY, pattern, Replay(STORY).step, Step(2, 0), silent), pattern


def test_small_letters_find_capitals_and_capitals_find_themselves_only():
    assert [place.key for place in in_session("redis")[0]] == ["0"]
    assert [place.key for place in in_session("LOCK")[0]] == []


def test_the_session_is_found_in_reading_order_components_first():
    found, _ = in_session("lock")
    assert [(place.step, place.panel, place.key) for place in found] == [
        (Step(2, 0), 3, "rules"),
        (Step(0, 1), 1, "0"),
        (Step(2, 0), 1, "2"),
    ]
    assert found[0].around == "component rules: never lock the door"


def test_arguments_and_results_of_calls_are_found():
    assert [place.key for place in in_session("redis.conf")[0]] == ["0"]
    assert [place.key for place in in_session("maxmemory")[0]] == ["0"]


def test_a_panel_gives_its_rows_and_a_request_all_panels():
    assert [place.key for place in find_in_panel(view(), 7, Pattern("lock again"))] == [
        place.key for place in find_in_request(view(), Pattern("lock again"), silent) if place.panel == 7
    ]
    assert {place.panel for place in find_in_request(view(), Pattern("lock"), silent)} >= {1, 4, 7}


def test_a_literal_is_no_expression_and_an_expression_is_one():
    assert in_session("SET.NX")[0] == ()
    assert [place.key for place in in_session("SET.NX", is_regex=True)[0]] == ["0"]


def test_an_expression_that_cannot_be_read_says_why():
    with pytest.raises(UsageError, match=r"/\(lock/"):
        Pattern("(lock", is_regex=True)


def test_an_expression_that_is_too_slow_for_a_text_is_given_up_and_counted():
    pattern = Pattern("(a+)+$", is_regex=True)
    slow = session(turn("a" * 5000 + "!", "aaa"))
    assert pattern.around("aaa") == "aaa"
    found = find_in_session(slow, pattern, Replay(slow).step, Step(0, 0), silent)
    assert pattern.slow == 1 or [place.key for place in found] == ["0"]
