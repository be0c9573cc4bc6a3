"""A fork takes over what its settings do not touch, and answers exactly as a replay made from nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ctxinspect.pipeline.replay import Replay
from ctxinspect.readers import load
from ctxinspect.view.jsonable import trace_json

SAMPLES = Path(__file__).resolve().parents[2] / "sample_sessions"
OVERRIDES: list[dict[str, Any]] = [
    {"history": "full"},
    {"history_resets": "ignore"},
    {"gatekeeper.token_budget": 500},
    {"gatekeeper.overlap_continue": 0.1, "gatekeeper.overlap_switch": 0.05},
    {"gatekeeper.idf_floor": 0.0},
    {"what_if.rules_off": ["deictic", "handles"]},
    {"what_if.drop": ["turn:1"]},
    {"counter": "chars/4"},
    {"sequence.layout": "flattened"},
    {"sequence.handle_over_tokens": 50},
    {"message_overhead": 0},
    {"window.context_tokens": 900},
    {"assembler.max_tokens": 60},
]


@pytest.mark.parametrize("overrides", OVERRIDES, ids=",".join)
@pytest.mark.parametrize("name", ["coding_agent", "network_ops"])
def test_a_fork_of_a_used_replay_gives_what_a_fresh_one_gives(name: str, overrides: dict[str, Any]):
    replay = Replay(load(SAMPLES / f"{name}.json"))
    for turn, request in replay.steps:
        replay.trace(turn, request)
    fork = replay.fork(overrides)
    fresh = Replay(fork.session)
    for turn, request in replay.steps:
        assert trace_json(fork.trace(turn, request)) == trace_json(fresh.trace(turn, request))


def test_a_fork_back_to_the_first_settings_gives_the_first_traces():
    replay = Replay(load(SAMPLES / "coding_agent.json"))
    before = [trace_json(replay.trace(*step)) for step in replay.steps]
    back = replay.fork({"window.context_tokens": 900}).fork({"window.context_tokens": None})
    assert [trace_json(back.trace(*step)) for step in back.steps] == before


def test_a_fork_that_leaves_the_gate_alone_decides_no_gate_again():
    replay = Replay(load(SAMPLES / "topics100.json"))
    last = replay.steps[-1]
    replay.request(last)
    fork = replay.fork({"gatekeeper.token_budget": 3000})
    fork.request(last)
    assert fork.work.gates == 0
    assert fork.engine.index is replay.engine.index
    moved = replay.fork({"gatekeeper.overlap_continue": 0.3})
    moved.request(last)
    assert moved.work.gates == len(replay.session.turns)


def test_a_session_with_another_component_takes_nothing_over_that_it_does_not_share():
    replay = Replay(load(SAMPLES / "topics100.json"))
    last = replay.steps[-1]
    replay.request(last)
    session = replay.session
    first = session.components[0].model_copy(update={"content": "Another prompt."})
    edited = Replay(session.model_copy(update={"components": (first, *session.components[1:])}), replay)
    assert "Another prompt." in edited.request(last).window.messages[0].text
    assert edited.engine.index is replay.engine.index
    other = Replay(session.model_copy(update={"turns": session.turns[1:]}), replay)
    assert other.engine.index is not replay.engine.index
