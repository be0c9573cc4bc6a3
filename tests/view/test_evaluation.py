"""An evaluation in words: every figure with what it counts, and the turns that made it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ctxinspect.pipeline.evaluate import evaluate
from ctxinspect.pipeline.replay import Replay
from ctxinspect.readers import load
from ctxinspect.view.evaluation import evaluation_lines, evaluation_value, switch_table, total_lines
from ctxinspect.view.jsonable import dump

SAMPLES = Path(__file__).resolve().parents[2] / "sample_sessions"


@pytest.fixture(scope="module")
def topics():
    return evaluate(Replay(load(SAMPLES / "topics100.json")))


@pytest.fixture(scope="module")
def unfiltered():
    return evaluate(Replay(load(SAMPLES / "topics100.json")).fork({"gatekeeper.content_filter": False}))


def test_the_figures_stand_with_what_they_count(topics):
    lines = list(evaluation_lines("topics100.json", topics))
    assert lines[0] == "topics100.json: 100 turns, 4 topics, 39 label changes"
    words = {line[2:26].strip(): line[27:] for line in lines[1:]}
    assert words["switches decided"] == "40: 39 at a label change, 1 inside a topic (t58)"
    assert words["missed label changes"] == "0 of 39"
    assert words["contamination"].startswith("0 selected turns of another topic")
    assert words["returns"] == "37 of 37 switches back to a topic bring a turn of it along"
    assert words["anchor recall"].startswith("mean 0.9")


def test_contaminated_switches_are_named(unfiltered):
    (line,) = [line for line in evaluation_lines("x", unfiltered) if "contamination" in line]
    assert line.endswith("on 4 switches (t56 t57 t94 t98)")


def test_several_sessions_are_summed_without_naming_turns(topics, unfiltered):
    lines = list(total_lines([topics, unfiltered]))
    assert lines[0] == "all 2 sessions: 200 turns, 78 label changes"
    assert any("80: 78 at a label change, 2 inside a topic" in line and "(t" not in line for line in lines)


def test_the_table_has_every_switch_and_every_miss(topics):
    assert len(switch_table(topics)) == 2 + len(topics.switches) + len(topics.missed)


def test_json_has_counts_means_and_every_labelled_turn(unfiltered):
    value = json.loads(dump(evaluation_value("x", unfiltered)))
    assert value["contaminated_switches"] == [56, 57, 94, 98]
    assert value["contamination"] == 4
    assert value["switches"] == 40
    assert len(value["judged"]) == value["labelled"] == 100
    assert 0.9 < value["mean_anchor_recall"] <= 1
