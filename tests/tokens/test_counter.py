"""Counters never raise, remember what they counted, and give the published numbers."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxinspect.errors import SettingsError
from ctxinspect.settings import COUNTER_NAMES
from ctxinspect.tokens import vocab
from ctxinspect.tokens.counter import Counter, clean, is_exact, is_pieced, named_counter


@pytest.mark.parametrize("name", COUNTER_NAMES)
def test_nothing_counts_nothing(name):
    assert named_counter(name)("") == 0


@pytest.mark.parametrize(
    ("name", "text", "tokens"),
    [
        ("cl100k_base", "helicop", 3),
        ("cl100k_base", "helicopter", 2),
        ("cl100k_base", "<|endoftext|>", 7),
        ("chars/4", "abcdefg", 1),
        ("chars/4", "abc", 0),
        ("chars*1.5", "abc", 5),
        ("bytes-bound", "abc", 3),
        ("bytes-bound", "日志", 4),
        ("bytes-bound", "é", 2),
    ],
)
def test_each_counter_follows_its_rule(name, text, tokens):
    assert named_counter(name)(text) == tokens


@pytest.mark.parametrize("name", ["cl100k_base", "o200k_base"])
def test_the_vocabularies_are_the_ones_tiktoken_expects(name):
    import gzip
    from importlib import resources

    packed = resources.files("ctxinspect.tokens").joinpath("data").joinpath(f"{name}.tiktoken.gz").read_bytes()
    assert hashlib.sha256(gzip.decompress(packed)).hexdigest() == vocab.SHA256[name]


def test_the_encodings_agree_with_the_parameters_of_tiktoken_itself(monkeypatch):
    import tiktoken_ext.openai_public as public

    monkeypatch.setattr(public, "load_tiktoken_bpe", lambda *_args, **_kw: {})
    assert vocab.encoding("cl100k_base")._pat_str == public.cl100k_base()["pat_str"]
    assert vocab.encoding("o200k_base")._pat_str == public.o200k_base()["pat_str"]


def test_special_token_text_is_ordinary_text():
    assert named_counter("cl100k_base")("say <|endoftext|> aloud") > named_counter("cl100k_base")("say aloud") + 3


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        (" " * 1_000_000, 7813),
        ("1\n" * 30_000, 60_000),
        ("\n" * 1_000, 32),
        ("가" * 200_000, 200_000),
    ],
)
def test_pathological_repetition_has_its_exact_count(text, tokens):
    assert named_counter("cl100k_base")(text) == tokens


@pytest.mark.parametrize("blank", [" ", "\t", "\u3000"])
def test_a_million_blanks_before_text_are_counted_in_pieces_and_marked(blank):
    text = blank * 1_000_000 + "end"
    assert is_pieced(text)
    assert not is_pieced("end" + blank * 10)
    assert named_counter("cl100k_base")(text) > 1000


def test_lone_surrogates_count_as_the_replacement_character():
    count = named_counter("cl100k_base")
    assert count("a\ud83d") == count("a\ufffd")
    assert clean("a\ud83d") == "a\ufffd"


@given(st.text(alphabet=st.characters(codec=None)))
def test_no_text_makes_a_counter_raise(text):
    for name in COUNTER_NAMES:
        assert named_counter(name)(text) >= 0


@given(st.text())
def test_the_byte_bound_is_never_below_the_real_count(text):
    assert named_counter("bytes-bound")(text) >= 0
    assert named_counter("cl100k_base")(text) <= len(text.encode("utf-8", "replace"))


def test_every_distinct_text_is_counted_once():
    counter = Counter("words", lambda text: len(text.split()))
    assert [counter("a b"), counter("a b"), counter("c")] == [2, 2, 1]
    assert counter.texts_counted == 2


def test_a_twin_shares_what_was_counted_and_has_its_own_label():
    counter = Counter("words", lambda text: len(text.split()))
    counter("a b")
    twin = counter.labelled(exact=True)
    assert twin("a b") == 2
    assert (twin.exact, counter.exact, twin.texts_counted) == (True, False, 0)


def test_a_counter_is_exact_only_for_the_models_tiktoken_maps_to_it():
    assert is_exact("o200k_base", "gpt-4o")
    assert not is_exact("cl100k_base", "gpt-4o")
    assert not is_exact("cl100k_base", "claude-sonnet-4")
    assert not is_exact("chars/4", "gpt-4o")
    assert not is_exact("cl100k_base", None)


def test_an_unknown_counter_names_the_nearest():
    with pytest.raises(SettingsError, match="cl100k_base"):
        named_counter("cl100k")
