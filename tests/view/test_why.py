"""Answers of why and track in words: every place told, nothing cut in silence, strips of any width."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ctxinspect.pipeline.plan import Step
from ctxinspect.pipeline.track import Track, TrackedText, track
from ctxinspect.pipeline.why import why
from ctxinspect.view.jsonable import dump
from ctxinspect.view.track import CELLS, missing_lines, track_json, track_lines, track_strip
from ctxinspect.view.why import why_json, why_lines
from tests.pipeline.test_why import LONG, replay_of, tool

STATES = st.lists(st.sampled_from(["in", "partly", "out"]), max_size=200)


def tracked(states: list[str]) -> Track:
    steps = tuple(Step(at, 0) for at in range(len(states)))
    return Track("replay", steps, (TrackedText("x", 1, tuple(states), ()),))  # type: ignore[arg-type]


@given(STATES, st.integers(1, 250))
def test_a_strip_has_a_cell_a_request_and_never_more_than_its_width(states: list[str], width: int):
    cells = track_strip(tracked(states), width)
    assert len(cells) == min(width, len(states))
    if len(states) <= width:
        assert cells == "".join(CELLS[state] for state in states)  # type: ignore[index]
    assert ("#" in cells) <= ("in" in states)
    assert (set(cells) == {"."}) == (set(states) == {"out"})


def test_a_cell_for_several_requests_is_plain_only_where_all_agree():
    assert track_strip(tracked(["in"] * 4 + ["out"] * 4 + ["in", "out", "out", "out"]), 3) == "#.+"


def test_two_texts_are_two_lines():
    replay = replay_of({"user": "a"}, {"user": "b"}, history="full")
    assert track_strip(track(replay, ["a", "b"]), 10) == "##\n.#"


def test_every_line_is_one_line_and_names_every_place():
    turns = [{"user": f"router port {at}", "assistant": "router\nup"} for at in range(30)]
    answer = why(replay_of(*turns), Step(20, 0), "router", flips=2)
    lines = why_lines(answer)
    assert all("\n" not in line for line in lines)
    told = sum(line.startswith(("IN ", "OUT ", "PARTLY ")) for line in lines)
    later = sum(p.fate.rule == "later" for p in answer.places)
    assert told + later == len(answer.places)
    assert any(f"{later} places said later than this request" in line for line in lines)


def test_a_crowd_of_places_is_counted_not_cut_in_silence():
    turns = [{"user": "router", "assistant": "router"} for _ in range(120)]
    lines = why_lines(why(replay_of(*turns), Step(119, 0), "router", flips=0))
    assert any("more; --format json lists all" in line for line in lines)
    assert "What would keep them was not searched" in lines[-1]


def test_two_settings_together_are_said_to_be_two():
    turn = {"user": "router port", "rounds": [tool("start " + LONG + "finish")], "assistant": "router up"}
    replay = replay_of(
        turn,
        {"user": "a new router subject"},
        gatekeeper={"recent_turns": 0},
        sequence={"handle_over_tokens": 20, "handle_preview_chars": 3},
    )
    lines = why_lines(why(replay, Step(1, 0), "finish"))
    assert any("no single setting would keep it; two together do" in line for line in lines)
    assert any(line.count("--set ") == 2 for line in lines)


def test_json_forms_are_json_with_every_key():
    replay = replay_of({"user": "router", "rounds": [tool("router")]}, {"user": "router"})
    answer = why_json(why(replay, Step(1, 0), "router"))
    assert len(answer["places"]) == 3
    assert {"stages", "state", "rule", "message", "flips", "replay"} <= set(answer["places"][0])
    followed = track_json(track(replay, ["router"]))
    assert followed["texts"][0]["states"] == "###"
    assert dump(answer)
    assert dump(followed)


def test_a_missing_fact_is_named_with_where_and_why():
    turns = [{"user": "blue key"}, {"user": "sum", "resets_history": True}]
    answer = track(replay_of(*turns, history="full"), ["blue key", "sum"])
    (line,) = missing_lines(answer)
    assert line.startswith('"blue key" was in at t0 and is out at t1 (ingest: turn 1 resets history')
    assert line.endswith("1 of 2 requests since then lack it")
    assert any("resets history" in text for text in track_lines(answer))


def test_places_of_one_text_that_came_to_the_same_take_one_line():
    turns = [{"user": "start"}, {"user": "router " * 40}]
    lines = why_lines(why(replay_of(*turns), Step(1, 0), "router", flips=0))
    assert any(line.startswith("IN     turn 1, user (28 places): window: message") for line in lines)


def test_what_a_setting_is_now_is_written_as_it_would_be_given():
    replay = replay_of({"user": "router"}, {"user": "more"}, history="full", what_if={"drop": ["turn:0"]})
    lines = why_lines(why(replay, Step(1, 0), "router"))
    assert any("""--set 'what_if.drop=[]' (now ["turn:0"])""" in line for line in lines)
