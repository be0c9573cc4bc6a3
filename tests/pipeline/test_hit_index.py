"""Going on from stop to stop visits what `find_hits` lists, going back the same in reverse, and nothing is looked at twice."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxinspect.pipeline.breakpoints import Breakpoints
from ctxinspect.pipeline.hit_index import HitIndex, Stop, place_of
from ctxinspect.pipeline.plan import Step
from ctxinspect.pipeline.predicate import find_hits, parse
from ctxinspect.pipeline.replay import Replay
from ctxinspect.readers import load

SAMPLES = Path(__file__).parents[2] / "sample_sessions"
EXPRESSIONS = (
    "topic",
    "drop",
    "drop role=tool or topic",
    "topic and budget used>1%",
    "finding",
    "not topic",
    "at 4",
    "text /log/i",
)


@pytest.fixture(scope="module")
def replay() -> Replay:
    return Replay(load(SAMPLES / "network_ops.json"))


@pytest.fixture(scope="module")
def full(replay) -> HitIndex:
    index = HitIndex(replay, EXPRESSIONS)
    list(index.scan())
    return index


def walk(index: HitIndex, breakpoints: Breakpoints, direction: int) -> list[Stop]:
    """Every stop from one end to the other."""
    place = place_of(Step(0, 0)) if direction > 0 else place_of(Step(10**6, 0))
    if direction > 0:
        place = (0, 0, -1, -1)
    found = []
    while (stop := index.next_stop(place, direction, breakpoints)) is not None:
        found.append(stop)
        place = stop.place
    return found


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_going_on_visits_exactly_the_hits_in_order_and_going_back_the_same_reversed(replay, full, expression):
    wanted = [hit.address for hit in find_hits(replay, parse(expression))]
    forward = [stop.address for stop in walk(full, Breakpoints().add(expression), 1)]
    assert forward == list(dict.fromkeys(wanted))
    assert [stop.address for stop in walk(full, Breakpoints().add(expression), -1)] == forward[::-1]


def test_a_stop_names_every_breakpoint_that_holds_there(full):
    stops = walk(full, Breakpoints().add("topic").add("drop role=tool or topic"), 1)
    both = [stop for stop in stops if stop.ids == (1, 2)]
    assert [stop.address for stop in both] == [hit.address for hit in full.hits("topic")]
    assert [full.rank("topic", stop.place) for stop in both] == list(range(1, len(both) + 1))


def test_a_disabled_breakpoint_never_stops(full):
    assert walk(full, Breakpoints().add("topic").toggle(1), 1) == []


def test_ignored_stops_are_counted_from_the_start_of_the_session(full):
    every = walk(full, Breakpoints().add("drop"), 1)
    some = walk(full, Breakpoints().add("drop").with_ignore(1, 5), 1)
    assert [stop.address for stop in some] == [stop.address for stop in every][5:]


def test_a_search_looks_at_no_more_than_it_needs(replay):
    index = HitIndex(replay)
    search = index.seek(Step(4, 0), -1, Breakpoints().add("drop"))
    looked = []
    while True:
        try:
            looked.append(next(search))
        except StopIteration as end:
            stop = end.value
            break
    assert stop is not None
    assert stop.place < place_of(Step(4, 0))
    assert {step.turn for step in looked} == {3, 4}
    assert index.count_text("drop").endswith("+")


def test_a_cancelled_scan_keeps_what_it_found_and_costs_nothing_again(replay):
    index = HitIndex(replay, ["topic"])
    scan = index.scan()
    next(scan), next(scan)
    scan.close()
    assert index.scanned("topic") == 2
    list(index.scan())
    assert index.complete()
    before = replay.work.requests_replayed, replay.work.selections
    list(index.scan())
    assert (replay.work.requests_replayed, replay.work.selections) == before


def test_an_expression_given_later_is_looked_for_alone(replay):
    index = HitIndex(replay, ["topic"])
    list(index.scan())
    index.add("drop")
    assert index.complete(["topic"])
    assert not index.complete()
    list(index.scan())
    assert index.count_text("drop") == str(len(index.hits("drop")))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from(EXPRESSIONS), max_size=3),
    st.integers(0, 6),
    st.integers(0, 30),
    st.sampled_from(["", "gate", "window", "lint"]),
    st.sampled_from([1, -1]),
)
def test_a_search_from_anywhere_gives_what_the_whole_index_gives(
    replay, full, expressions, ignore, at, stage, direction
):
    breakpoints = Breakpoints()
    for expression in expressions:
        breakpoints = breakpoints.add(expression)
    if expressions:
        breakpoints = breakpoints.with_ignore(1, ignore)
    place = place_of(replay.steps[at % len(replay.steps)], stage or None)
    search = HitIndex(replay).seek(place, direction, breakpoints)
    while True:
        try:
            next(search)
        except StopIteration as end:
            stop = end.value
            break
    assert stop == full.next_stop(place, direction, breakpoints)
    if stop is not None:
        back = full.next_stop(stop.place, -direction, breakpoints)
        assert back is None or (back.place < stop.place if direction > 0 else back.place > stop.place)
