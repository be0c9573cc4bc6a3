"""The best are those of the plain formula, whatever the texts, settings and rules switched off; rows come in its order."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from ctxinspect.gatekeeper.recall import Recall
from ctxinspect.gatekeeper.sparse import rank_candidates, score_candidates
from ctxinspect.gatekeeper.words import content_words
from tests.support.blocks import decide, engine_over

WORDS = [
    "pump",
    "filter",
    "violin",
    "server",
    "max_wait",
    "v1.2.3",
    "“red pump”",
    "堆肥箱钥匙",
    "社区花园",
    "用堆肥箱",
    "log",
]
TEXT = st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join)
BLOCKS = st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=30)
SETTINGS = st.fixed_dictionaries(
    {},
    optional={
        "lexical": st.sampled_from(["idf", "bm25"]),
        "recency_window": st.integers(1, 60),
        "weight_user": st.sampled_from([0.0, 0.1, 7.0]),
        "weight_assistant": st.sampled_from([0.0, 3.0]),
        "weight_exact": st.sampled_from([0.0, 5.0]),
        "weight_recency": st.sampled_from([0.0, 1e-12, 9.0]),
        "idf_floor": st.sampled_from([0.0, 2.0]),
    },
)
OFF = st.sets(st.sampled_from(["exact", "recency", "idf_floor"])).map(tuple)


def plainly(engine, anchors, t, words, first_visible, recent):
    """All candidates scored by the formula and ranked, as the specification has it."""
    terms = [] if anchors[0].kind == "fallback" else [anchor.term for anchor in anchors]
    hits = {turn: found for turn, found in engine.index.hits(terms, first_visible, t).items() if turn not in recent}
    if not hits:
        return []
    return rank_candidates(score_candidates(engine.index, anchors, hits, t, words, engine.settings, engine.rules_off))


@given(BLOCKS, TEXT, SETTINGS, OFF, st.integers(0, 8), st.booleans(), st.data())
@settings(max_examples=300, deadline=None)
def test_the_best_and_the_rest_are_those_of_the_formula(blocks, query, chosen, off, limit, filtered, data):
    engine = engine_over(*blocks, rules_off=off, **chosen)
    t = data.draw(st.integers(1, len(blocks)))
    first_visible = data.draw(st.integers(0, t))
    recent = data.draw(st.sets(st.integers(0, t - 1), max_size=2))
    anchors = decide(engine, query, t).anchors
    words = content_words(query) if filtered else None
    words = words or None
    recall = Recall(
        engine.index, anchors, t, words, engine.settings, engine.rules_off, first_visible=first_visible, recent=recent
    )
    expected = plainly(engine, anchors, t, words, first_visible, recent)
    best = recall.best(limit)
    assert best == [candidate for candidate in expected if not candidate.filtered][:limit]
    stayed = {candidate.turn_id for candidate in best}
    rest = [candidate for candidate in expected if candidate.turn_id not in stayed]
    number = data.draw(st.integers(0, len(expected)))
    assert recall.first(number) == expected[:number]
    assert recall.dropped(stayed) == {c.turn_id: "content_filter" if c.filtered else "recall_limit" for c in rest}
    assert len(recall) == len(expected)


@given(BLOCKS, TEXT)
@settings(deadline=None)
def test_the_positions_of_a_block_are_those_of_the_anchors_it_holds(blocks, query):
    engine = engine_over(*blocks)
    t = len(blocks)
    anchors = decide(engine, query, t).anchors
    recall = Recall(engine.index, anchors, t, None, engine.settings, frozenset(), first_visible=0, recent=())
    hits = engine.index.hits([anchor.term for anchor in anchors if anchor.kind != "fallback"], 0, t)
    for turn_id in range(t):
        assert recall.positions(turn_id) == {hit.position for hit in hits.get(turn_id, ())}


def test_of_many_candidates_few_are_looked_at_one_by_one():
    engine = engine_over(*[(f"pump filter {'valve ' * (turn % 3)}", "") for turn in range(3000)], recent_turns=0)
    anchors = decide(engine, "pump filter valve", 3000).anchors
    recall = Recall(engine.index, anchors, 3000, None, engine.settings, frozenset(), first_visible=0, recent=())
    before = engine.work.blocks_looked_at
    assert [c.turn_id for c in recall.best(20)] == [turn for turn in range(2999, 0, -1) if turn % 3][:20]
    assert len(recall) == 3000
    assert engine.work.blocks_looked_at - before < 60


def test_a_posting_is_visited_once_however_often_it_is_asked_and_grows_with_the_blocks():
    engine = engine_over(*[("pump", "")] * 5)
    assert engine.index.sides("pump") == (0b11111, 0)
    assert engine.index.sides("pump") == (0b11111, 0)
    engine.add_block("", "pump")
    assert engine.index.sides("pump") == (0b11111, 0b100000)
    assert engine.index.sides("violin") == (0, 0)
    assert engine.work.postings_visited == 6
