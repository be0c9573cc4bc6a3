"""The engine's answer for a turn depends on nothing but that turn's past, the query and the settings."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from ctxinspect.gatekeeper.engine import Engine
from ctxinspect.settings import GatekeeperSettings
from tests.support.blocks import decide, engine_over, select_at

PUMP = ("Which pump filter fits", "Pump filters come in two sizes.")
GARDEN = ("How deep is the compost bin", "The compost bin is one metre deep.")
WORDS = ["pump", "filter", "violin", "堆肥箱", "lock", "server", "it", "v1.2.3", "“red pump”"]
TEXT = st.lists(st.sampled_from(WORDS), max_size=5).map(". ".join)


def test_recent_turns_come_along_whole_newest_first_until_one_does_not_fit():
    engine = engine_over(
        ("pump a", "One."),
        ("pump b c d e f g h", ""),
        ("pump i", ""),
        recent_turns=3,
        token_budget=8,
    )
    selection = select_at(engine, "pump")
    assert selection.recent == (2,)
    assert [(row.turn_id, row.via, row.score) for row in selection.selected] == [(2, "recent", None)]
    assert [row.turn_id for row in selection.recall] == [1, 0]


def test_a_recent_turn_is_not_pruned():
    long = "Hello.  The pump. Nil. A pump. B pump. C pump. D pump. "
    selection = select_at(engine_over((long, "")), "pump")
    assert selection.selected[0].user == long


def test_recent_turns_are_those_of_the_active_topic():
    engine = engine_over(GARDEN, PUMP, recent_turns=2)
    assert select_at(engine, "pump size").recent == (1,)


def test_a_switch_and_a_start_bring_no_recent_turns():
    assert select_at(engine_over(GARDEN), "violin strings").recent == ()
    assert select_at(engine_over(), "violin").selected == ()


def test_a_turn_before_a_reset_is_not_recent():
    engine = engine_over(PUMP, PUMP, PUMP)
    assert select_at(engine, "pump", first_visible=2).recent == (2,)
    assert select_at(engine, "pump", first_visible=3).selected == ()


def test_newly_covered_anchors_are_counted_recent_first_and_newest_first():
    engine = engine_over(("pump filter", ""), ("pump valve", ""), ("pump hose", ""), recent_turns=2)
    selection = select_at(engine, "pump filter valve hose")
    order = [anchor.term for anchor in decide(engine, "pump filter valve hose").anchors]
    assert order == ["filter", "hose", "valve", "pump"]
    assert [(row.turn_id, row.covered_ids) for row in selection.selected] == [(0, (0,)), (1, (2,)), (2, (1, 3))]
    assert selection.cover.uncovered == ()


def test_a_fallback_is_shared_with_nothing_and_stays_uncovered():
    engine = engine_over(("?!", ""), ("pump", ""), recent_turns=0)
    selection = select_at(engine, "?!")
    assert selection.recall == ()
    assert (selection.cover.stop, selection.cover.uncovered, selection.cover.coverage) == (
        "no_candidates",
        ("?!",),
        None,
    )


def test_on_a_continued_topic_blocks_of_other_topics_may_be_recalled():
    engine = engine_over(("server log rotation", ""), GARDEN, recent_turns=1, token_budget=100)
    selection = select_at(engine, "Should the compost bin be near the server")
    assert decide(engine, "Should the compost bin be near the server").decision == "continue"
    assert [row.turn_id for row in selection.selected] == [0, 1]


def test_the_rule_for_recent_turns_can_be_switched_off():
    engine = engine_over(PUMP, rules_off=("recent",))
    assert [row.via for row in select_at(engine, "pump").selected] == ["cover"]


def test_without_its_target_the_cover_goes_on_while_there_is_gain():
    blocks = (("pump filter valve hose clamp seal", ""), ("nozzle pump", ""))
    query = "pump filter valve hose clamp seal nozzle"
    assert len(select_at(engine_over(*blocks, recent_turns=0, coverage_target=0.5), query).selected) == 1
    off = engine_over(*blocks, recent_turns=0, coverage_target=0.5, rules_off=("coverage_target",))
    assert [step.turn_id for step in select_at(off, query).cover.steps] == [0, 1]


@given(st.lists(st.tuples(TEXT, TEXT), max_size=6), st.lists(st.tuples(TEXT, TEXT), max_size=3), TEXT)
@settings(max_examples=60)
def test_later_blocks_change_no_earlier_answer(blocks, later, query):
    engine = engine_over(*blocks)
    t = len(blocks)
    gate, selection = decide(engine, query), select_at(engine, query)
    for user, assistant in later:
        engine.add_block(user, assistant)
        select_at(engine, query)
    assert decide(engine, query, t) == gate
    again = select_at(engine, query, t)
    assert again == selection
    assert again.turn_ledger() == selection.turn_ledger()
    assert again.sentence_ledger() == selection.sentence_ledger()


def test_stepping_back_and_forth_extracts_no_block_again():
    engine = engine_over(*[PUMP, GARDEN] * 10)
    extracted, split = engine.work.anchors_extracted, None
    for t in [*range(20), *reversed(range(20))]:
        select_at(engine, "pump filter", t)
        split = split or (engine.sentences.texts_split if t == 19 else None)
    assert engine.work.anchors_extracted == extracted
    assert engine.work.blocks_indexed == 20
    assert engine.sentences.texts_split == split == 2


def test_an_index_may_be_shared_between_settings():
    first = engine_over(PUMP, GARDEN)
    second = Engine(GatekeeperSettings(recent_turns=0), index=first.index)
    assert len(second) == 2
    assert select_at(second, "compost bin") == select_at(engine_over(PUMP, GARDEN, recent_turns=0), "compost bin")
    assert first.work.blocks_indexed == 2


def answers() -> str:
    """Everything the engine says about a fixed conversation, as one text."""
    engine = engine_over(*[(f"{a} {b}", f"{b}. {a}! Also {a}?") for a in WORDS for b in WORDS[:3]], token_budget=60)
    out = []
    for t in range(len(engine) + 1):
        selection = select_at(engine, " ".join(WORDS), t)
        rows = [asdict(row) for row in (*selection.recall, *selection.selected, *selection.turn_ledger())]
        out.append([asdict(decide(engine, " ".join(WORDS), t)), asdict(selection.cover), rows])
    return json.dumps(out, ensure_ascii=True)


def test_the_seed_of_hashes_changes_nothing():
    root = str(Path(__file__).resolve().parents[2])
    code = "from tests.gatekeeper.test_engine import answers; print(answers())"
    said = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": root},
            cwd=root,
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("0", "1", "4242")
    }
    assert said == {answers() + "\n"}


def test_hostile_texts_are_blocks_like_any_other():
    hostile = "\x00\ud800 pump \u202e" + "x" * 100_000
    engine = engine_over((hostile, hostile), (hostile, ""), recent_turns=0)
    selection = select_at(engine, "pump \ud800")
    assert [row.turn_id for row in selection.recall] == [0, 1]
    assert selection.selected[0].user == hostile
