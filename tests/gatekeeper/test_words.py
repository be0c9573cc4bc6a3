"""Content words are whole words, three-part versions and pieces of Chinese clauses, nothing shorter."""

from __future__ import annotations

import pytest

from ctxinspect.gatekeeper.words import content_words


@pytest.mark.parametrize(
    ("query", "whole", "pieces"),
    [
        ("用redis做锁", ("redis",), ()),
        ("Which Redis lock for the queue", ("lock", "queue", "redis"), ()),
        ("log sql api", (), ()),
        ("utf8 retry_limit x2 abcd1", (), ()),
        ("upgrade v2.10.3 or 1.2 or 1.2.3.4", ("upgrade", "v2.10.3"), ()),
        ("x1.2.3 1.2.3x", (), ()),
        ("社区花园堆肥", (), ("社区花园堆肥",)),
        ("堆肥箱", (), ()),
        ("怎么给社区花园浇水", (), ("给社区花园浇水",)),
        ("社区花园的堆肥工作坊", (), ("堆肥工作坊", "社区花园")),
        ("为什么分布式锁", (), ("分布式锁",)),
        ("社区有什么花园", (), ()),
        ("", (), ()),
    ],
)
def test_content_words_of_a_query(query, whole, pieces):
    words = content_words(query)
    assert (words.whole, words.pieces) == (whole, pieces)
    assert bool(words) == bool(whole or pieces)


def test_a_clause_is_split_at_the_longest_entry_that_begins_at_a_place():
    assert content_words("怎么办社区花园").pieces == ("社区花园",)
    assert content_words("社区花园有什么").pieces == ("社区花园",)


def test_repeats_are_named_once():
    assert content_words("redis REDIS redis").whole == ("redis",)
