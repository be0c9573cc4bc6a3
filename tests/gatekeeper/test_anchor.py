"""Anchors are words, identifiers, versions, n-grams and quoted phrases; each term has one kind."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxinspect.gatekeeper.anchor import extract_anchors, find_anchors

ANY_TEXT = st.text(max_size=80) | st.text(alphabet="aAb1_.v '\"“”‘’「」`的堆肥什么 \n\x00\ud800", max_size=60)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Redis lock", {"redis": "term", "lock": "term"}),
        ("the and of", {}),
        ("a 12 3 _ __", {}),
        ("été naïve", {"été": "term", "naïve": "term"}),
        ("用redis做锁", {"redis": "term", "做锁": "ngram"}),
        ("retry_limit utf8 maxSize HTTP _x", {
            "retry_limit": "identifier", "utf8": "identifier", "maxsize": "identifier", "http": "identifier",
            "_x": "identifier",
        }),
    ],
)  # fmt: skip
def test_words_are_terms_or_identifiers_and_stop_words_are_neither(text, expected):
    assert extract_anchors(text) == expected


@pytest.mark.parametrize(
    ("text", "versions"),
    [
        ("v1.2.3", {"v1.2.3"}),
        ("V2.0 and 3.14", {"v2.0", "3.14"}),
        ("升级到1.2.3之后", {"1.2.3"}),
        ("see 1.2.3.", {"1.2.3"}),
        ("(1.2)", {"1.2"}),
        ("x1.2", set()),
        (".1.2", set()),
        ("1.2x", set()),
        ("1.2.3rc1", set()),
        ("1.2.x", {"1.2"}),
        ("١.٢", set()),
    ],
)
def test_a_version_is_an_identifier_as_a_whole(text, versions):
    anchors = extract_anchors(text)
    assert {term for term in anchors if "." in term} == versions
    assert all(anchors[term] == "identifier" for term in versions)


def test_a_version_leaves_its_lettered_run_besides():
    assert extract_anchors("v1.2.3") == {"v1": "identifier", "v1.2.3": "identifier"}


def test_every_two_and_three_gram_of_a_cjk_run_is_an_anchor():
    assert extract_anchors("堆肥箱") == dict.fromkeys(["堆肥", "肥箱", "堆肥箱"], "ngram")
    assert extract_anchors("堆肥 箱子") == dict.fromkeys(["堆肥", "箱子"], "ngram")
    assert extract_anchors("堆") == {}
    assert extract_anchors("カナ") == {"カナ": "ngram"}
    assert extract_anchors("\U00020000\U0002f800") == {"\U00020000\U0002f800": "ngram"}


def test_stop_entries_and_stop_characters_make_no_ngrams():
    assert extract_anchors("什么") == {}
    assert extract_anchors("堆的肥") == {}
    assert extract_anchors("如何如何") == dict.fromkeys(["何如", "如何如", "何如何"], "ngram")


@pytest.mark.parametrize(
    ("text", "phrases"),
    [
        ('"Bitmap  heap\tscan"', {"bitmap heap scan"}),
        ("“cache penetration”", {"cache penetration"}),
        ("‘a b’ 「堆 肥」 『x y』 《书 名》 `i j`", {"a b", "堆 肥", "x y", "书 名", "i j"}),
        ("don't 'quote me' isn't", {"quote me"}),
        ("'it's fine'", set()),
        ("说'好 的'", set()),
        ("'好 的'说", set()),
        ('"one\ntwo"', set()),
        ('"x" and "yz"', {"yz"}),
        ('"' + "a b" * 30 + '" tail "ok"', {"ok"}),
        ('"' + "ab" * 32 + '"', {"ab" * 32}),
        ('"' + "ab" * 32 + 'c"', set()),
        ('" "', set()),
        ("「a『bc』d」", {"a『bc』d", "bc"}),
        ("““ab”", {"ab"}),
    ],
)
def test_a_phrase_is_quoted_on_one_line_without_a_quote_of_its_kind(text, phrases):
    assert {term for term, kind in extract_anchors(text).items() if kind == "phrase"} == phrases


def test_a_phrase_wins_over_an_identifier_over_a_term_over_an_ngram():
    assert extract_anchors('"redis" redis')["redis"] == "phrase"
    assert extract_anchors("redis reDis redis")["redis"] == "identifier"
    assert extract_anchors("「堆肥」")["堆肥"] == "phrase"
    assert extract_anchors('"retry_limit"')["retry_limit"] == "phrase"


def test_a_stop_word_in_quotes_is_a_phrase():
    assert extract_anchors('"what"') == {"what": "phrase"}


def test_every_occurrence_is_counted_and_a_quoted_word_twice():
    found = find_anchors('redis Redis "redis" 堆肥堆肥 v1.2 v1.2')
    assert found.counts["redis"] == 4
    assert found.counts["堆肥"] == 2
    assert found.counts["v1.2"] == 2
    assert found.counts["v1"] == 2
    assert found.total == sum(found.counts.values())


@given(ANY_TEXT)
def test_kinds_and_counts_name_the_same_terms(text):
    found = find_anchors(text)
    assert found.kinds.keys() == found.counts.keys()
    assert all(count > 0 for count in found.counts.values())
    assert found.kinds == extract_anchors(text)


@given(st.lists(st.sampled_from(["redis", "堆肥箱", "v1.2.3", "retry_limit", "maxSize", "什么"]), max_size=8))
def test_the_order_of_words_changes_no_anchor(words):
    shuffled = random.Random(7).sample(words, len(words))
    assert find_anchors(" ".join(words)).counts == find_anchors(" ".join(shuffled)).counts


@pytest.mark.parametrize(
    "piece",
    ["x", "堆", "堆的", "什么", "1.", ".1", "v1.", '"', "'", "'a", "“a", "「", "`", "\n", "_", "\x00", "\ud800"],
)
def test_a_million_characters_of_anything_are_searched_in_linear_time(piece):
    text = (piece * 1_000_000)[:1_000_000]
    assert find_anchors(text).total >= 0
