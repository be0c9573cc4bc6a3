"""The plan of a repair: the steps, the sequence they lead to, what it costs; the recording stays as it is."""

from __future__ import annotations

import json

import pytest

from ctxinspect.pipeline.replay import Replay
from ctxinspect.readers import load
from ctxinspect.view.fix_plan import FixPlan, fix_plans, plan_json, plan_lines
from tests.support.shared import case_file


def plan(number: str, provider: str | None = None) -> FixPlan:
    (found,) = fix_plans(number, Replay(load(case_file(number))), provider)
    return found


@pytest.mark.parametrize(
    ("number", "sequence"),
    [
        ("001", "system user assistant[call_soil call_vent] tool(call_soil) +tool(call_vent) user"),
        ("002", "system assistant user"),
        ("010", "system user assistant[call_s] ~tool(call_s) user assistant"),
        ("015", "user assistant[call_1 call_2] tool(call_1) tool(call_2) assistant user"),
        ("025", "user assistant[call_p] +tool(call_p)"),
        ("026", "user assistant[call_1 call_2 call_3] +tool(call_1) tool(call_2) +tool(call_3)"),
    ],
)
def test_the_sequence_after_the_repair_is_shown(number: str, sequence: str):
    found = plan(number)
    assert " ".join(found.sequence) == sequence
    assert found.messages_after == len(found.sequence)


def test_results_inside_user_messages_are_words_of_their_own():
    found = plan("059")
    assert found.steps == ()
    assert found.sequence[0] == "user"


def test_what_it_costs_is_said():
    found = plan("001")
    assert found.tokens_after > found.tokens_before > 0
    assert list(plan_lines(found))[-1] == (
        f"001: t1r0 1 stub; 5 messages become 6, {found.tokens_before} tokens become {found.tokens_after}"
    )
    dropped = plan("015")
    assert dropped.tokens_after < dropped.tokens_before


def test_a_sound_sequence_has_nothing_to_repair():
    found = plan("005")
    assert [line.partition("; ")[0] for line in plan_lines(found)] == ["005: t0r1 nothing to repair"]
    assert found.tokens_before == found.tokens_after


def test_of_a_long_sequence_only_what_changes_is_shown():
    found = plan("001")
    words = ("user", *(["assistant"] * 50), "assistant[c1]", "+tool(c1)", "user", *(["assistant"] * 50))
    long = FixPlan("f", 0, 0, 0, 0, 0, 0, found.steps, words)
    line = list(plan_lines(long))[-2]
    assert line == "f: t0r0 sequence: … assistant assistant[c1] +tool(c1) user assistant …"


def test_the_plan_as_json_holds_every_step():
    (row,) = json.loads(plan_json([plan("010")]))["plans"]
    assert row["steps"] == [
        {
            "kind": "move",
            "message": 4,
            "call_id": "call_s",
            "reason": "result moved directly behind its call, message 2",
        }
    ]
