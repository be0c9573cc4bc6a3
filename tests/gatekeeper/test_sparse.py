"""Scores are those of the formula; what the filter or the limit drops keeps its row."""

from __future__ import annotations

import math

import pytest

from ctxinspect.gatekeeper.topic_gate import idf
from tests.support.blocks import engine_over, select_at


def rows(engine, query, t=None, **more):
    return {row.turn_id: row for row in select_at(engine, query, t, **more).recall}


def test_the_score_is_the_weighted_sum_of_its_terms():
    engine = engine_over(("pump filter", "valve"), ("violin", "pump"), recent_turns=0)
    found = rows(engine, "pump filter valve")
    weights = {"pump": idf(2, 2), "filter": idf(1, 2), "valve": idf(1, 2)}
    whole = math.fsum(weights.values())
    first, second = found[0], found[1]
    assert first.lex_user == math.fsum((weights["pump"], weights["filter"])) / whole
    assert first.lex_assistant == weights["valve"] / whole
    assert (first.exact, first.recency) == (1, 0.0)
    assert math.isclose(first.score, 1.5 * first.lex_user + 0.7 * first.lex_assistant + 1.0)
    assert (second.lex_user, second.lex_assistant, second.exact, second.recency) == (
        0.0,
        weights["pump"] / whole,
        0,
        0.5,
    )
    assert math.isclose(second.score, 0.7 * second.lex_assistant + 0.2 * 0.5)


def test_bm25_counts_every_occurrence_against_the_mean_length_of_its_side():
    engine = engine_over(("pump pump filter", ""), ("violin", "pump"), lexical="bm25", recent_turns=0)
    found = rows(engine, "pump")
    saturation = 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 3 / 2))
    assert math.isclose(found[0].lex_user, saturation)
    assert found[0].lex_assistant == 0.0
    assert math.isclose(found[1].lex_assistant, 2.2 / (1 + 1.2 * (0.25 + 0.75 * 1 / 0.5)))


def test_a_quoted_word_counts_twice_for_bm25():
    engine = engine_over(('"pump"', ""), ("pump", ""), lexical="bm25", recent_turns=0)
    found = rows(engine, "pump")
    assert found[0].lex_user > found[1].lex_user


@pytest.mark.parametrize(("window", "expected"), [(None, [0.0, 1 / 3, 2 / 3]), (1, [0, 0, 0]), (2, [0, 0, 0.5]), (6, [0.5, 4 / 6, 5 / 6])])  # fmt: skip
def test_freshness_fades_over_the_window(window, expected):
    engine = engine_over(*[("pump", "")] * 3, recent_turns=0, recency_window=window)
    found = rows(engine, "pump")
    assert [found[t].recency for t in range(3)] == pytest.approx(expected)


def test_equal_scores_rank_newer_first_and_the_limit_drops_the_rest():
    engine = engine_over(*[("pump", "")] * 4, recent_turns=0, weight_recency=0.0, recall_limit=2)
    recall = select_at(engine, "pump").recall
    assert [row.turn_id for row in recall] == [3, 2, 1, 0]
    assert [row.rule for row in recall][2:] == ["recall_limit", "recall_limit"]
    assert all(row.score > 0 for row in recall)


def test_a_recall_limit_of_zero_recalls_nothing():
    selection = select_at(engine_over(("pump", ""), recent_turns=0, recall_limit=0), "pump")
    assert [row.rule for row in selection.recall] == ["recall_limit"]
    assert selection.cover.stop == "no_candidates"


def test_blocks_that_share_no_anchor_are_no_candidates():
    engine = engine_over(("pump", ""), ("violin", ""), recent_turns=0)
    assert rows(engine, "pump").keys() == {0}


def test_on_a_switch_a_block_without_a_content_word_is_filtered_out_with_its_terms():
    engine = engine_over(("git rebase", "keep a log"), ("sync the log server", "raise log level"))
    selection = select_at(engine, "log rotation server violin trumpet cello flute")
    assert selection.recall[0].turn_id == 1
    filtered = selection.recall[-1]
    assert (filtered.turn_id, filtered.rule, filtered.state, filtered.score) == (0, "content_filter", "dropped", 0.0)
    assert filtered.lex_assistant > 0
    assert filtered.content_words == ()
    assert selection.recall[0].content_words == ("server",)


def test_the_filter_takes_words_and_versions_whole_and_chinese_pieces_as_substrings():
    history = (("redislock pump", ""), ("v2.10.30 pump", ""), ("我们社区花园堆肥箱 pump", ""), ("Redis pump", ""))
    engine = engine_over(*history, recent_turns=0, overlap_switch=1.0, overlap_continue=1.0, new_ratio_switch=0.0)
    query = "pumps redis v2.10.3 社区花园 堆肥"
    found = rows(engine, query)
    assert found[2].content_words == ("社区花园",)
    assert found[3].content_words == ("redis",)
    assert 0 not in found
    assert found[1].rule == "content_filter"


def test_filtered_blocks_stand_last_newer_first():
    engine = engine_over(("log", ""), ("log server", ""), ("log", ""), ("x", ""))
    selection = select_at(engine, "log server violin trumpet cello flute organ piano")
    assert [row.turn_id for row in selection.recall] == [1, 2, 0]


def test_without_a_content_word_the_filter_is_skipped_and_says_so():
    engine = engine_over(("log sql", ""), ("git api", ""))
    selection = select_at(engine, "log awk sed tar zip")
    assert [finding.id for finding in selection.findings] == ["content-filter-skipped"]
    assert [finding.severity for finding in selection.findings] == ["info"]
    assert [row.rule for row in selection.recall] == ["selected"]


@pytest.mark.parametrize("off", [{"content_filter": False}, {"rules_off": ("content_filter",)}])
def test_the_filter_can_be_switched_off(off):
    engine = engine_over(("log", ""), **off)
    selection = select_at(engine, "log server violin trumpet cello")
    assert [row.rule for row in selection.recall] == ["selected"]
    assert selection.findings == ()


def test_on_a_continued_topic_nothing_is_filtered():
    engine = engine_over(("log server", ""), recent_turns=0)
    selection = select_at(engine, "log violin")
    assert [(row.rule, row.content_words) for row in selection.recall] == [("selected", ())]


def test_a_term_switched_off_contributes_nothing():
    blocks = (("pump", ""), ("violin", ""))
    plain = rows(engine_over(*blocks, recent_turns=0), "pump violin")
    off = rows(engine_over(*blocks, recent_turns=0, rules_off=("exact", "recency")), "pump violin")
    assert plain[1].recency > 0
    assert all(row.exact == 0 and row.recency == 0.0 for row in off.values())
    assert off[1].score == plain[1].score - 0.2 * plain[1].recency


# Synthetic cases of retrieval over Chinese clauses, versions and file names.
ONE_TOPIC = {"recent_turns": 0, "overlap_switch": 0.0}
HOUSE = (
    ("河边的磨坊每月要清一次水渠。", ""),
    ("阁楼的梯子靠在墙上。", ""),
    ("邮局周二不开门。", ""),
    ("磨坊的齿轮上月刚换过，请别再上漆。", ""),
)


@pytest.mark.parametrize("lexical", ["idf", "bm25"])
@pytest.mark.parametrize(
    ("query", "order"), [("磨坊齿轮", [3, 0]), ("梯子", [1]), ("齿轮", [3]), ("磨", [])]
)  # fmt: skip
def test_a_chinese_query_finds_only_the_clauses_that_hold_it(lexical, query, order):
    recall = select_at(engine_over(*HOUSE, **ONE_TOPIC, lexical=lexical), query).recall
    assert [row.turn_id for row in recall] == order
    assert all(row.lex_user > 0 for row in recall)


@pytest.mark.parametrize("lexical", ["idf", "bm25"])
def test_a_word_inside_a_long_clause_is_found_and_latin_words_do_not_decide_alone(lexical):
    blocks = (
        ("下周日上午九点在河岸果园举行嫁接讲习班请自带剪刀", ""),
        ("河岸果园 monthly meeting 改到周五", ""),
        ("剪刀在棚屋第三格", ""),
    )
    engine = engine_over(*blocks, **ONE_TOPIC, lexical=lexical)
    assert [row.turn_id for row in select_at(engine, "嫁接").recall] == [0]
    assert [row.turn_id for row in select_at(engine, "河岸果园 嫁接").recall][:2] == [0, 1]


@pytest.mark.parametrize("lexical", ["idf", "bm25"])
def test_versions_and_identifiers_match_as_a_whole(lexical):
    blocks = (
        ("升级到 v3.11.2 之后 server.toml 里的 max_wait 不再生效。", ""),
        ("v3.1.0 的 max_wait 默认是 5。", ""),
        ("v3.11.20 fixes the fan log.", ""),
        ("server.yaml 与 server.toml 只留一个。", ""),
    )
    engine = engine_over(*blocks, **ONE_TOPIC, lexical=lexical)
    assert [row.turn_id for row in select_at(engine, "v3.11.2 max_wait").recall][:2] == [0, 1]
    assert {row.turn_id for row in select_at(engine, "server.toml").recall} == {0, 3}
    assert select_at(engine, "server.yaml").recall[0].turn_id == 3
    assert select_at(engine, "3.11.2").recall == ()
