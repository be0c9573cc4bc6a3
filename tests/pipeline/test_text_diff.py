"""A text comparison loses nothing: either side can be read back from it, whatever the texts and the budget are."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ctxinspect.pipeline.alignment import Budget
from ctxinspect.pipeline.text_diff import LONG_LINE, diff_texts

TEXTS = st.text(alphabet="ab \n接口.", max_size=60)


def side(diff, which: str) -> str:
    return "\n".join(line for line in (getattr(edit, which) for edit in diff.edits) if line is not None)


def words(edit, mark: str) -> str:
    return "".join(word.text for word in edit.words if word.mark in ("=", mark))


@given(TEXTS, TEXTS, st.integers(0, 500))
def test_both_texts_can_be_read_back(before, after, pairs):
    diff = diff_texts(before, after, Budget(pairs))
    assert side(diff, "before") == before
    assert side(diff, "after") == after
    for edit in diff.edits:
        if edit.mark == "~":
            assert (words(edit, "-"), words(edit, "+")) == (edit.before, edit.after)
            assert edit.before != edit.after


@given(TEXTS)
def test_a_text_is_the_same_as_itself(text):
    diff = diff_texts(text, text)
    assert all(edit.mark == "=" for edit in diff.edits)
    assert not diff.capped


def test_the_changed_words_of_a_line_are_found():
    (edit,) = diff_texts("the cache keeps 300 keys", "the cache keeps 500 keys").edits
    assert [(word.mark, word.text) for word in edit.words] == [
        ("=", "the cache keeps "),
        ("-", "300"),
        ("+", "500"),
        ("=", " keys"),
    ]


def test_chinese_is_compared_character_by_character():
    (edit,) = diff_texts("先定光圈再定快门", "先定光圈后定快门").edits
    assert [(word.mark, word.text) for word in edit.words] == [
        ("=", "先定光圈"),
        ("-", "再"),
        ("+", "后"),
        ("=", "定快门"),
    ]


def test_lines_that_have_little_in_common_are_removed_and_added():
    diff = diff_texts("same\nhow is the key refreshed", "same\n12345")
    assert [edit.mark for edit in diff.edits] == ["=", "-", "+"]


def test_a_line_that_is_too_long_keeps_its_common_start_and_end_and_says_so():
    before, after = "a" * LONG_LINE + "X" + "b" * 9, "a" * LONG_LINE + "YY" + "b" * 9
    diff = diff_texts(before, after)
    (edit,) = diff.edits
    assert [(word.mark, word.text) for word in edit.words if word.mark != "="] == [("-", "X"), ("+", "YY")]
    assert diff.capped


def test_repetition_beyond_the_budget_is_compared_coarsely_and_says_so():
    diff = diff_texts("\n".join(["x"] * 3000), "\n".join(["x", "y"] * 3000))
    assert diff.capped
    assert side(diff, "after").count("y") == 3000
