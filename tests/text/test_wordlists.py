"""The word lists are those of the specification, lower case, each entry of the kind its list is searched for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ctxinspect.text import wordlists

SPECIFIED = Path(__file__).resolve().parents[2] / ".." / "shared" / "spec" / "stopwords.json"


def test_the_lists_are_those_of_the_specification():
    if not SPECIFIED.exists():
        pytest.skip("the shared specification is not beside this repository")
    lists = json.loads(SPECIFIED.read_text("utf-8"))
    assert set(lists["words"]) == wordlists.STOP_WORDS
    assert set(lists["ngrams"]) == wordlists.STOP_NGRAMS
    assert set(lists["stop_chars"]) == wordlists.STOP_CHARS
    assert set(lists["abbreviations"]) == wordlists.ABBREVIATIONS


def test_entries_are_lower_case_and_stop_characters_are_single():
    for entry in (*wordlists.STOP_WORDS, *wordlists.STOP_NGRAMS, *wordlists.ABBREVIATIONS):
        assert entry == entry.lower()
        assert len(entry) > 1
    assert all(len(char) == 1 for char in wordlists.STOP_CHARS)
