"""The index answers for any earlier turn what it answered when that turn was the newest."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ctxinspect.gatekeeper.anchor import find_anchors
from ctxinspect.gatekeeper.index import BlockIndex

WORDS = ["redis", "lock", "queue", "堆肥", "v1.2.3", "the"]
TEXT = st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join)
BLOCKS = st.lists(st.tuples(TEXT, TEXT), max_size=8)


def index_of(blocks):
    index = BlockIndex()
    for user, assistant in blocks:
        index.add(user, assistant)
    return index


@given(BLOCKS, st.data())
def test_every_count_is_what_a_scan_of_the_first_blocks_finds(blocks, data):
    index = index_of(blocks)
    t = data.draw(st.integers(0, len(blocks)))
    first = data.draw(st.integers(0, t))
    scanned = [(find_anchors(user).counts, find_anchors(assistant).counts) for user, assistant in blocks]
    for term in WORDS:
        holders = [i for i, (user, assistant) in enumerate(scanned[:t]) if term in user or term in assistant]
        assert index.df(term, t) == len(holders)
        assert index.in_turns(term, first, t) == any(i >= first for i in holders)
    hits = index.hits(WORDS, first, t)
    for i, (user, assistant) in enumerate(scanned):
        expected = [
            (position, user.get(term, 0), assistant.get(term, 0))
            for position, term in enumerate(WORDS)
            if first <= i < t and (term in user or term in assistant)
        ]
        assert [(h.position, h.in_user, h.in_assistant) for h in hits.get(i, [])] == expected


@given(BLOCKS)
def test_mean_lengths_are_those_of_the_first_blocks(blocks):
    index = index_of(blocks)
    for t in range(1, len(blocks) + 1):
        lengths = [index.lengths(i) for i in range(t)]
        assert index.mean_lengths(t) == (sum(u for u, _ in lengths) / t, sum(a for _, a in lengths) / t)


def test_adding_a_block_costs_its_own_anchors_however_many_blocks_there_are():
    index = BlockIndex()
    grown = []
    for _ in range(200):
        before = index.work.anchors_extracted
        index.add("redis lock", "queue")
        grown.append(index.work.anchors_extracted - before)
    assert grown == [3] * 200
    assert index.work.blocks_indexed == 200
    assert index.work.postings_visited == 0


def test_a_look_up_visits_only_postings_of_the_asked_turns():
    index = index_of([("redis", "")] * 100)
    index.hits(["redis", "unknown"], 90, 95)
    assert index.work.postings_visited == 5


def test_turn_ids_count_from_zero():
    index = BlockIndex()
    assert [index.add("a", "b"), index.add("", "")] == [0, 1]
    assert len(index) == 2
