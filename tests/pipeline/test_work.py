"""A session ten times as long is ten times the work: counted, kind by kind, so that no clock is needed."""

from __future__ import annotations

import pytest

from ctxinspect.model.session import Session
from ctxinspect.pipeline.replay import Replay
from tests.benchmarks.generate import session_data

SLACK = 1.05
"""Room for what depends on the place in a period; a quadratic share of the work would take tenfold room."""


def short_turns(turns: int) -> Session:
    """Turns that share words with thousands of others, so that nearly every turn is a candidate at every request."""
    made = [
        {"user": f"router{at % 7} question{at % 50} port", "assistant": f"answer {at % 13}. The router{at % 5} is up."}
        for at in range(turns)
    ]
    context = {"counter": "chars/4", "gatekeeper": {"recall_limit": 4}}
    return Session.model_validate({"format": "ctxinspect/1", "context": context, "turns": made})


def work_of_all_turns(turns: int) -> dict[str, int]:
    replay = Replay(short_turns(turns))
    candidates = 0
    for step in replay.steps:
        candidates += len(replay.request(step).selection.recall)
    done, index = replay.work, replay.engine.work
    assert candidates > turns * turns / 4, "nearly every turn is a candidate at every request"
    return {
        "requests replayed": done.requests_replayed,
        "selections": done.selections,
        "gates": done.gates,
        "assemblies": done.assemblies,
        "blocks indexed": index.blocks_indexed,
        "anchors extracted": index.anchors_extracted,
        "postings visited": index.postings_visited,
        "blocks looked at": index.blocks_looked_at,
        "texts split": replay.engine.sentences.texts_split,
        "turns rendered": replay.sequencer.turns_rendered,
    }


@pytest.mark.slow
def test_all_turns_of_ten_thousand_are_ten_times_the_work_of_a_thousand():
    small, large = work_of_all_turns(1000), work_of_all_turns(10_000)
    assert small["requests replayed"] == 1000
    for kind, number in small.items():
        assert large[kind] <= 10 * SLACK * number, kind
    assert sum(large.values()) >= 9 * sum(small.values()), "the long session was really replayed"


@pytest.mark.parametrize("far", [60, 580])
def test_a_step_is_the_same_work_wherever_it_is(far):
    replay = Replay(Session.model_validate(session_data(600)))
    replay.gate(599)
    before = (replay.work.requests_replayed, replay.work.selections, replay.engine.work.blocks_looked_at)
    replay.trace(far, ledger=False)
    after = (replay.work.requests_replayed, replay.work.selections, replay.engine.work.blocks_looked_at)
    requests, selections, looked = (now - then for now, then in zip(after, before, strict=True))
    assert requests == 2, "itself and the one it is compared with"
    assert selections == 2
    assert looked <= 2 * 100, "of all candidates only those that may be among the best"


def test_every_distinct_text_is_counted_once_and_stepping_back_counts_nothing():
    replay = Replay(Session.model_validate(session_data(60, seed=3)))
    for step in replay.steps:
        replay.trace(*step, ledger=False)
    counted, rendered = replay.counter.texts_counted, replay.sequencer.turns_rendered
    for step in reversed(replay.steps):
        replay.trace(*step, ledger=False)
    assert replay.counter.texts_counted == counted
    assert replay.sequencer.turns_rendered == rendered
