"""Reported failures of recall: words inside Chinese clauses, versions and file names as wholes, sentences kept whole."""

from __future__ import annotations

import json

import pytest

from ctxinspect.text.sentences import split_sentences
from tests.support.blocks import engine_over, select_at
from tests.support.shared import case_file

_ONE_TOPIC = {"recent_turns": 0, "overlap_switch": 0.0}


def found(number: str, query: str, lexical: str) -> list[str]:
    """The documents found, best first."""
    documents = json.loads(case_file(number).read_text("utf-8"))["documents"]
    engine = engine_over(*((document["text"], "") for document in documents), **_ONE_TOPIC, lexical=lexical)
    return [documents[row.turn_id]["id"] for row in select_at(engine, query).recall]


@pytest.mark.parametrize("lexical", ["idf", "bm25"])
@pytest.mark.parametrize(
    ("number", "query", "best"),
    [
        ("088", "\u6c34\u8f66\u8f74\u627f", ["d4", "d1"]),
        ("088", "\u94a5\u5319", ["d2"]),
        ("088", "\u8f74\u627f", ["d4"]),
        ("088", "\u8f66", []),
        ("090", "\u5806\u80a5", ["d1"]),
        ("090", "\u793e\u533a\u82b1\u56ed \u5806\u80a5", ["d1", "d2"]),
    ],
)
def test_a_chinese_query_finds_what_holds_it_and_nothing_else(number: str, query: str, best: list[str], lexical: str):
    assert found(number, query, lexical) == best


@pytest.mark.parametrize("lexical", ["idf", "bm25"])
def test_versions_and_file_names_are_matched_as_wholes(lexical: str):
    assert found("091", "v2.10.3 retry_limit", lexical)[:2] == ["d1", "d2"]
    assert set(found("091", "config.toml", lexical)) == {"d1", "d4"}
    assert found("091", "config.yaml", lexical)[0] == "d4"


def test_sentences_are_cut_where_a_reader_would_and_lose_nothing():
    lines = [json.loads(line)["text"] for line in case_file("096").read_text("utf-8").splitlines()]
    cut = [split_sentences(text) for text in lines]
    assert [len(sentences) for sentences in cut[:2]] == [2, 4]
    assert cut[0][0].rstrip().endswith("Dr. Reed.")
    assert not any(sentence.startswith("\u201d") for sentence in cut[2])
    assert any("https://example.org/a.b?c=d!" in sentence for sentence in cut[3])
    assert ["".join(sentences) for sentences in cut] == lines
