"""One named (query, history, decision) triple per row of the gate table, and what is compared in it."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxinspect.gatekeeper.topic_gate import DEICTIC_PATTERNS, idf, match_deictic
from tests.support.blocks import decide, engine_over

GARDEN = ("How deep is the compost bin", "The compost bin is one metre deep.")
PUMP = ("Which pump filter fits", "Pump filters come in two sizes.")


def test_row_1_no_history_starts_the_first_topic():
    gate = decide(engine_over(), "it leaks")
    assert (gate.decision, gate.rule, gate.topic_start, gate.blocks) == ("start", "no_history", 0, 0)
    assert (gate.overlap, gate.new_ratio, gate.deictic) == (0.0, 1.0, "it")


def test_row_2_a_deictic_query_continues_whatever_it_brings():
    gate = decide(engine_over(GARDEN), "It needs violins and trumpets")
    assert (gate.decision, gate.rule, gate.deictic) == ("continue", "deictic", "It")
    assert gate.overlap == 0.0


def test_row_3_a_query_without_anchors_continues():
    gate = decide(engine_over(GARDEN), "  Why? ")
    assert (gate.decision, gate.rule) == ("continue", "no_anchors")
    assert [(a.term, a.kind, a.df, a.in_topic) for a in gate.anchors] == [("Why?", "fallback", 0, False)]


def test_row_4_enough_overlap_continues():
    gate = decide(engine_over(GARDEN), "Where to buy a compost bin")
    assert (gate.decision, gate.rule) == ("continue", "overlap")
    assert gate.overlap > 0.45


def test_row_5_little_overlap_and_much_new_switches():
    gate = decide(engine_over(GARDEN), "Which violin strings suit beginners")
    assert (gate.decision, gate.rule, gate.topic_start) == ("switch", "new_topic", 1)


def test_row_6_a_deictic_query_continues_after_the_thresholds():
    engine = engine_over(GARDEN, deictic_first=False)
    middle = decide(engine, "these compost violin strings")
    assert (middle.decision, middle.rule) == ("continue", "deictic")
    new = decide(engine, "these violin strings")
    assert (new.decision, new.rule, new.deictic) == ("switch", "new_topic", "these")
    shared = decide(engine, "this compost bin")
    assert (shared.decision, shared.rule, shared.deictic) == ("continue", "overlap", "this")


def test_row_7_the_middle_continues():
    gate = decide(engine_over(GARDEN), "compost violin strings")
    assert (gate.decision, gate.rule, gate.deictic) == ("continue", "middle", None)
    assert 0.20 <= gate.overlap <= 0.45


def test_only_the_active_topic_counts_as_shared():
    engine = engine_over(GARDEN, PUMP)
    assert decide(engine, "Which pump filter fits", 1).decision == "switch"
    back = decide(engine, "How deep is the compost bin")
    assert (back.decision, back.topic_start) == ("switch", 2)
    assert all(anchor.df == 1 and not anchor.in_topic for anchor in back.anchors)


def test_a_topic_goes_on_until_the_next_switch():
    engine = engine_over(GARDEN, PUMP, ("it leaks at the thread", ""), ("Which pump size", ""))
    assert decide(engine, "thread of the pump").topic_start == 1


def test_margins_are_value_minus_threshold_and_not_rounded():
    gate = decide(engine_over(GARDEN), "compost violin strings trumpets")
    assert gate.margins.overlap_continue == gate.overlap - 0.45
    assert gate.margins.overlap_switch == gate.overlap - 0.20
    assert gate.margins.new_ratio_switch == gate.new_ratio - 0.70


def test_overlap_at_the_threshold_does_not_continue():
    # Two anchors of df 1 and two of df 0 at N = 1 weigh 1 and 1 + ln 2.
    shared, new = idf(1, 1), idf(0, 1)
    overlap = shared / (shared + new)
    assert decide(engine_over(GARDEN, overlap_continue=overlap), "compost violin").rule == "middle"
    assert decide(engine_over(GARDEN, overlap_continue=overlap - 1e-8), "compost violin").rule == "overlap"
    assert decide(engine_over(GARDEN, overlap_continue=overlap - 1e-11), "compost violin").rule == "middle"


def test_idf_is_one_for_an_anchor_of_every_block():
    assert idf(4, 4) == 1.0
    assert math.isclose(idf(0, 4), math.log(5) + 1)


def test_the_floor_cuts_known_ngrams_of_the_query_and_nothing_else():
    blocks = [("堆肥箱 compost", "")] * 5
    gate = decide(engine_over(*blocks), "堆肥 compost 园子")
    assert [cut.term for cut in gate.anchors_cut] == ["堆肥"]
    assert [anchor.term for anchor in gate.anchors] == ["园子", "compost"]


def test_below_its_minimum_of_blocks_the_floor_cuts_nothing():
    assert decide(engine_over(*[("堆肥", "")] * 4), "堆肥").anchors_cut == ()
    assert [cut.term for cut in decide(engine_over(*[("堆肥", "")] * 5), "堆肥").anchors_cut] == ["堆肥"]


def test_a_query_of_cut_ngrams_only_falls_back_to_its_beginning():
    gate = decide(engine_over(*[("堆肥", "")] * 5), " 堆肥 ")
    assert (gate.rule, gate.anchors[0].kind, gate.anchors[0].term, gate.anchors[0].df) == (
        "no_anchors", "fallback", "堆肥", 0,
    )  # fmt: skip


def test_the_fallback_is_twenty_characters_or_nothing():
    assert decide(engine_over(GARDEN), "?" * 30).anchors[0].term == "?" * 20
    assert decide(engine_over(GARDEN), " \n ").anchors[0].term == ""


def test_anchors_are_sorted_by_weight_then_term():
    gate = decide(engine_over(("zebra", "")), "zebra yak ant")
    assert [anchor.term for anchor in gate.anchors] == ["ant", "yak", "zebra"]


def test_a_rule_switched_off_does_not_apply():
    off = engine_over(GARDEN, rules_off=("deictic",))
    gate = decide(off, "It needs violins and trumpets")
    assert (gate.decision, gate.deictic) == ("switch", "It")
    floor_off = engine_over(*[("堆肥", "")] * 5, rules_off=("idf_floor",))
    assert decide(floor_off, "堆肥").anchors_cut == ()


@pytest.mark.parametrize(
    ("query", "matched"),
    [
        ("这个怎么配置", "这个"),
        ("这怎么配置", "这"),
        ("那价格呢", "那"),
        ("它们呢", "它"),
        ("然后呢", "然后呢"),
        ("还有呢?", "还有呢"),
        ("继续吧", "继续"),
        ("  ITS price", "ITS"),
        ("it's fine", "it"),
        ("Go on", "Go on"),
        ("And then?", "And then"),
        ("what else", "what else"),
        ("items", None),
        ("it_works", None),
        ("it是什么", None),
        ("this1", None),
        ("and the", None),
        ("say it", None),
        ("怎么这样", None),
        ("ıt", None),
        ("", None),
    ],
)
def test_a_deictic_beginning_is_matched_as_it_stands_in_the_query(query, matched):
    assert match_deictic(query) == matched


def test_deictic_patterns_are_hard_coded():
    assert DEICTIC_PATTERNS[:8] == ("^这个", "^那个", "^它", "^这", "^那", "^继续", "^然后呢", "^还有呢")
    assert len(DEICTIC_PATTERNS) == 20


@pytest.mark.parametrize(
    "probe", ["What about the orchard timeline?", "Why?", "How do these grow? orchard", "And then?"]
)
def test_a_follow_up_on_the_subject_or_without_one_keeps_the_topic(probe):
    history = ("Tell me about the orchard timeline.", "Planting starts in March, the rootstocks follow later.")
    assert decide(engine_over(history), probe).decision == "continue"


def test_a_chinese_follow_up_keeps_the_topic_and_another_subject_switches_it():
    engine = engine_over(
        ("帮我查周日去白沙湾的车", "有两班。"), ("那票价呢？", "二十元。"), ("说说怎么腌萝卜", "一斤配盐三十克。")
    )
    assert decide(engine, "那票价呢？", 1).decision == "continue"
    assert decide(engine, "说说怎么腌萝卜", 2).decision == "switch"


@given(st.lists(st.sampled_from(["compost", "pump", "violin", "bin", "strings"]), min_size=1, max_size=6))
def test_overlap_and_new_ratio_make_one_whole(words):
    gate = decide(engine_over(GARDEN, PUMP), " ".join(words))
    assert math.isclose(gate.overlap + gate.new_ratio, 1.0)
