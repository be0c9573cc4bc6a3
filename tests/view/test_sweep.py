"""A sweep as a table: one row for every combination, the session's own marked, flip points in sentences."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ctxinspect.pipeline.replay import Replay
from ctxinspect.pipeline.sweep import sweep
from ctxinspect.readers import load
from ctxinspect.view.jsonable import dump
from ctxinspect.view.sweep import sweep_lines, sweep_value

SAMPLES = Path(__file__).resolve().parents[2] / "sample_sessions"


@pytest.fixture(scope="module")
def found():
    replay = Replay(load(SAMPLES / "rag_pressure.json"))
    return sweep(replay, {"assembler.max_tokens": [520, 880]}, needles=["Example 2"])


def test_the_table_has_a_row_for_every_combination_and_marks_the_session_as_it_is(found):
    lines = list(sweep_lines(found))
    assert lines[0].startswith("| assembler.max_tokens | tokens ")
    assert lines[2].startswith("| 520 * ")
    assert lines[3].startswith("| 880 ")
    assert "needle 1: Example 2" in lines


def test_every_flip_is_one_sentence_with_its_request_its_outcome_and_both_values(found):
    lines = list(sweep_lines(found))
    flips = lines[lines.index("flip points") + 1 :]
    assert len(flips) == len(found.flips)
    assert any(
        "needle Example 2 out -> in between assembler.max_tokens" in line
        and "more requests flip between 520 and 880" in line
        for line in flips
    )


def test_no_flip_is_a_sentence():
    replay = Replay(load(SAMPLES / "rag_pressure.json"))
    lines = list(sweep_lines(sweep(replay, {"gatekeeper.alpha": [0.7, 0.8]})))
    assert lines[-1] == "no outcome flips between these values"


def test_json_has_the_same_rows_and_flips(found):
    value = json.loads(dump(sweep_value(found)))
    assert value["format"] == "ctxinspect-sweep/1"
    assert [row["settings"] for row in value["rows"]] == [{"assembler.max_tokens": 520}, {"assembler.max_tokens": 880}]
    assert [row["tokens"] for row in value["rows"]] == [row.tokens for row in found.rows]
    assert len(value["flips"]) == len(found.flips)
    assert value["flips"][0]["step"].startswith("t")
