"""Sentences are exact slices: a cut never loses a character, and never falls inside a version, a file name or a URL."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxinspect.text.sentences import split_sentences

AWKWARD = st.text(alphabet=".!?。！？；”’」』》）\"')] \n\r\tadrDeg12堆\x00\ud800", max_size=60)


@given(AWKWARD | st.text(max_size=80))
def test_joined_sentences_give_the_text_back(text):
    slices = split_sentences(text)
    assert "".join(slices) == text
    assert all(slices)


@given(AWKWARD)
def test_only_the_first_slice_may_be_white_space(text):
    assert not any(piece.isspace() for piece in split_sentences(text)[1:])


@given(AWKWARD)
def test_no_sentence_but_the_first_begins_with_white_space(text):
    assert not any(piece[0].isspace() for piece in split_sentences(text)[1:])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ()),
        ("no end", ("no end",)),
        ("One. Two! Three?", ("One. ", "Two! ", "Three?")),
        ("Wait... what?! Yes.", ("Wait... ", "what?! ", "Yes.")),
        ("关水。拆下滤网！要换吗？先看；再换", ("关水。", "拆下滤网！", "要换吗？", "先看；", "再换")),
        ("真的？！好。 走", ("真的？！", "好。 ", "走")),
        ("看厚度……超过2.5毫米就换。", ("看厚度……超过2.5毫米就换。",)),
        ("他说：“门没锁。进去吧！”然后走了。", ("他说：“门没锁。", "进去吧！”", "然后走了。")),
        ("（可以。）好", ("（可以。）", "好")),
        ('He said "go." Then left.', ('He said "go." ', "Then left.")),
        ("(See below.) Next [one.] last", ("(See below.) ", "Next [one.] ", "last")),
        ("a\nb\n\n  c", ("a\n", "b\n\n  ", "c")),
        ("  \n lead", ("  \n ", "lead")),
    ],
)
def test_a_sentence_ends_after_its_marks_and_takes_the_white_space_behind(text, expected):
    assert split_sentences(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "Copy app.config.toml to v1.2.3/ now",
        "See https://example.org/a.b?c=d!e now",
        "It takes 3.5 min",
        "wait...what",
        'He said "go."then left',
    ],
)
def test_marks_without_white_space_behind_end_nothing(text):
    assert split_sentences(text) == (text,)


@pytest.mark.parametrize(
    "text",
    [
        "Ask Dr. Reed",
        "It takes approx. 3 min, e.g. on Mondays",
        "see fig. 3",
        "(cf. Smith)",
        "a, b etc. are",
        "...etc. x",
    ],
)
def test_the_dot_of_an_abbreviation_ends_nothing(text):
    assert split_sentences(text) == (text,)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ask Dr.. Reed", ("Ask Dr.. ", "Reed")),
        ("the etc!. Then", ("the etc!. ", "Then")),
        ('so "etc." Then', ('so "etc." ', "Then")),
        ("Mondays. Then", ("Mondays. ", "Then")),
        ("1st. Then", ("1st. Then",)),
        ("b_etc. Then", ("b_etc. Then",)),
        ("x.etc. Then", ("x.etc. ", "Then")),
        ("See etc.\nThen", ("See etc.\n", "Then")),
        ("See etc. \n Then", ("See etc. \n ", "Then")),
    ],
)
def test_an_abbreviation_is_one_dot_behind_its_whole_word(text, expected):
    assert split_sentences(text) == expected


def test_the_word_of_an_abbreviation_begins_in_its_own_sentence():
    assert split_sentences("关水。etc. Then") == ("关水。", "etc. Then")
    assert split_sentences("etc。. Then") == ("etc。", ". ", "Then")


@pytest.mark.parametrize(
    "piece", [".", ".!", ".)", ".x", ". ", "a.", "。", "”", "\n", " ", " .", "x", "\x00", "\ud800"]
)
def test_a_million_characters_of_anything_are_split_in_linear_time(piece):
    text = (piece * 1_000_000)[:1_000_000]
    assert "".join(split_sentences(text)) == text
