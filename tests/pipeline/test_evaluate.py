"""Gate and recall against topic labels: what counts as a switch, a miss, a contamination, and how much is covered."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from ctxinspect.pipeline.evaluate import evaluate, mean
from ctxinspect.pipeline.replay import Replay
from ctxinspect.readers import load
from tests.support.build import session, turn

SAMPLES = Path(__file__).resolve().parents[2] / "sample_sessions"
REDIS = "Redis distributed lock with a fencing token and TTL renewal"
BREAD = "Sourdough starter feeding schedule, hydration and oven steam"


@pytest.fixture(scope="module")
def topics():
    return evaluate(Replay(load(SAMPLES / "topics100.json")))


def labelled(*turns: tuple[str, str | None], **more):
    """The evaluation of a session of (text, topic) turns."""
    return evaluate(Replay(session(*(turn(text, text, topic=topic) for text, topic in turns), **more)))


def test_on_every_switch_of_the_reference_session_only_turns_of_the_topic_come_back(topics):
    assert topics.turns == len(topics.judged) == 100
    assert len(topics.topics) == 4
    assert len(topics.switches) >= 30
    assert topics.contaminated == ()
    assert topics.missed == ()
    assert topics.empty_returns == ()
    assert sum(len(turn.same) for turn in topics.switches) >= len(topics.returns)
    recalls = [turn.anchor_recall for turn in topics.switches if turn.anchor_recall is not None]
    assert min(recalls) >= 0.85
    assert mean(recalls) > 0.95


def test_without_the_content_filter_turns_of_other_topics_come_along():
    replay = Replay(load(SAMPLES / "topics100.json")).fork({"gatekeeper.content_filter": False})
    found = evaluate(replay)
    assert [turn.turn_id for turn in found.contaminated] == [56, 57, 94, 98]


def test_a_switch_at_a_label_change_is_right_and_one_inside_a_topic_is_counted_apart():
    found = labelled((REDIS, "redis"), (BREAD, "bread"), ("Kafka consumer groups and partitions", "bread"))
    assert [t.turn_id for t in found.changes] == [1]
    assert [t.turn_id for t in found.switches] == [1, 2]
    assert [t.turn_id for t in found.switches_inside] == [2]
    assert found.missed == ()


def test_a_label_change_without_a_switch_is_missed():
    found = labelled((REDIS, "redis"), ("And then what about bread?", "bread"))
    assert [t.turn_id for t in found.missed] == [1]
    assert found.judged[1].rule == "deictic"


def test_a_return_brings_turns_of_its_topic_or_is_named_as_empty():
    found = labelled((REDIS, "redis"), (BREAD, "bread"), ("How long is the Redis lock TTL?", "redis"))
    assert [t.turn_id for t in found.returns] == [2]
    assert found.judged[2].same == (0,)
    assert found.empty_returns == ()
    forked = labelled(
        (REDIS, "redis"),
        (BREAD, "bread"),
        ("How long is the Redis lock TTL?", "redis"),
        context={"gatekeeper": {"token_budget": 0}},
    )
    assert [t.turn_id for t in forked.empty_returns] == [2]


def test_turns_without_a_label_are_replayed_and_not_judged():
    found = labelled((REDIS, "redis"), (BREAD, None), ("How long is the Redis lock TTL?", "redis"))
    assert [t.turn_id for t in found.judged] == [0, 2]
    assert not found.judged[1].change
    assert found.turns == 3


def test_a_selected_turn_without_a_label_is_neither_of_the_topic_nor_of_another():
    found = labelled((REDIS, None), (BREAD, "bread"), ("How long is the Redis lock TTL?", "redis"))
    assert found.judged[1].unlabelled == (0,)
    assert (found.judged[1].same, found.judged[1].other) == ((), ())


def test_anchor_recall_is_the_covered_share_of_what_could_be_covered_by_weight():
    replay = Replay(load(SAMPLES / "topics100.json"))
    for judged in evaluate(replay).switches:
        trace = replay.trace(judged.turn_id)
        weights = {anchor.term: anchor.idf for anchor in trace.gate.anchors}
        coverable = math.fsum(weights[term] for term in trace.cover.coverable)
        covered = math.fsum(weights[term] for term in trace.cover.coverable if term not in trace.cover.uncovered)
        assert judged.anchor_recall == (covered / coverable if coverable else None)


def test_the_gatekeeper_is_judged_also_where_history_is_whole(topics):
    replay = Replay(load(SAMPLES / "topics100.json")).fork({"history": "full"})
    assert evaluate(replay) == topics


def test_the_mean_of_nothing_is_null():
    assert mean([]) is None
    assert mean([1, 2]) == 1.5
