"""The effect of a fork on every request: exact, in any order, and nothing before the first turn it can reach."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings

from ctxinspect.model.session import Session
from ctxinspect.pipeline.compare import compare_steps
from ctxinspect.pipeline.effects import effects, first_divergence, first_turn_affected
from ctxinspect.pipeline.plan import Step
from ctxinspect.pipeline.replay import Replay
from ctxinspect.readers import load
from tests.pipeline.test_compare import overrides
from tests.pipeline.test_laws import sessions
from tests.support.build import call, result, round_, session, turn

SAMPLES = Path(__file__).resolve().parents[2] / "sample_sessions"


@pytest.fixture(scope="module")
def topics() -> Replay:
    return Replay(load(SAMPLES / "topics100.json"))


@given(sessions(), overrides)
@settings(max_examples=20, deadline=None)
def test_an_effect_is_what_the_two_traces_say_in_whatever_order_it_is_asked_for(data, paths):
    replay = Replay(Session.model_validate(data))
    fork = replay.fork(paths)
    forward = list(effects(replay, fork))
    backward = list(effects(replay.fork({}), fork.fork({}), reversed(replay.steps)))
    assert [effect.step for effect in forward] == list(replay.steps)
    assert forward == backward[::-1]
    for effect in forward:
        before, after = replay.trace(*effect.step), fork.trace(*effect.step)
        contents = [[(m.role, m.content, m.tool_calls) for m in side.messages] for side in (before, after)]
        assert effect.changed == (contents[0] != contents[1]) or before.window.tool_tokens != after.window.tool_tokens
        assert effect.delta == effect.tokens[1] - effect.tokens[0]
        assert effect.tokens[1] == after.window.request_tokens + after.window.tool_tokens
        assert not effect.changed or effect.stage is not None
        assert not effect.changed or effect.stage == compare_steps(replay, effect.step, fork, effect.step).stage


@given(sessions(), overrides)
@settings(max_examples=25, deadline=None)
def test_no_turn_before_the_first_one_affected_differs(data, paths):
    replay = Replay(Session.model_validate(data))
    fork = replay.fork(paths)
    first = first_turn_affected(replay, fork)
    for effect in effects(replay, fork):
        if first is None or effect.step.turn < first:
            assert not effect.changed
            assert effect.stage is None


def test_settings_that_choose_among_earlier_turns_reach_no_first_turn(topics):
    assert first_turn_affected(topics, topics.fork({"gatekeeper.overlap_switch": 0.1})) == 1
    assert first_turn_affected(topics, topics.fork({"gatekeeper.idf_floor": 0.1})) == 0
    assert first_turn_affected(topics, topics.fork({"window.strategy": "aggressive"})) == 0
    assert first_turn_affected(topics, topics.fork({"what_if.drop": ["turn:30"]})) == 30
    assert first_turn_affected(topics, topics.fork({"history_resets": "ignore"})) is None
    assert first_turn_affected(topics, topics.fork({})) is None
    tools = session(turn("a", "b"), turn("c", "d", round_([call("c1")], [result("c1")])))
    replay = Replay(tools)
    assert first_turn_affected(replay, replay.fork({"sequence.handle_over_tokens": 1})) == 1


def test_the_first_divergence_is_the_first_changed_request_compared_whole(topics):
    fork = topics.fork({"gatekeeper.overlap_switch": 0.01})
    found = first_divergence(topics, fork)
    changed = [effect.step for effect in effects(topics, fork) if effect.changed]
    assert found is not None
    assert found.step == changed[0] == Step(58, 0)
    assert found.comparison.stage == "gate"
    assert [change.path for change in found.comparison.settings] == ["gatekeeper.overlap_switch"]


def test_a_search_may_start_anywhere_and_tells_how_far_it_is(topics):
    fork = topics.fork({"gatekeeper.overlap_switch": 0.4})
    told: list[tuple[int, int]] = []
    first = first_divergence(topics, fork, progress=lambda *at: told.append(at))
    later = first_divergence(topics, fork, from_step=Step(4, 0))
    assert first is not None
    assert first.step == Step(1, 0)
    assert told == [(0, 99)]
    assert later is not None
    assert later.step >= Step(4, 0)


def test_nothing_to_find_costs_nothing(topics):
    before = topics.work.requests_replayed
    assert first_divergence(topics, topics.fork({})) is None
    assert topics.work.requests_replayed == before


def test_a_caller_that_stops_asking_has_cancelled():
    replay = Replay(load(SAMPLES / "topics100.json"))
    stream = effects(replay, replay.fork({"window.strategy": "aggressive"}), replay.steps[50:])
    assert next(stream).step == replay.steps[50]
    assert replay.work.requests_replayed <= 2


def test_a_recording_is_compared_with_its_replay():
    recording = {
        "messages": [
            {"role": "user", "content": "look"},
            {"role": "assistant", "content": None, "tool_calls": [
                {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}]},
            {"role": "tool", "tool_call_id": "c1", "content": "word " * 3000},
            {"role": "assistant", "content": "seen"},
            {"role": "user", "content": "again"},
        ],
        "model": "gpt-4o",
    }  # fmt: skip
    import json
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "call.json"
        path.write_text(json.dumps(recording), "utf-8")
        replay = Replay(load(path))
    found = list(effects(replay, replay, views=("recorded", "replay")))
    last = found[-1]
    assert last.changed
    assert last.stage == "render"
    assert last.edited == 1
    assert last.decisions[0] is None
    assert last.delta < -2000


@pytest.mark.parametrize("paths", [{"history": "full"}, {"history_resets": "ignore"}])
def test_turns_before_a_reset_are_known_to_be_so_without_a_ledger(paths):
    turns = [turn("router", "up"), turn("router down", "so"), turn("summary", "fine", resets_history=True)]
    replay = Replay(session(*turns, turn("router again", "up")))
    fork = replay.fork(paths)
    changed = [effect for effect in effects(replay, fork) if effect.changed]
    assert changed
    assert all(e.stage == compare_steps(replay, e.step, fork, e.step).stage for e in changed)
