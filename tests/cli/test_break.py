"""`break` lists every place where an expression holds, in every format, and refuses what it cannot read in one line."""

from __future__ import annotations

import json

import pytest

from ctxinspect.pipeline.replay import Replay
from ctxinspect.readers import load
from tests.cli.test_commands import NETWORK, SAMPLES, refused, run

TOPICS = str(SAMPLES / "topics100.json")


def test_every_decided_switch_is_listed():
    code, out, err = run("break", TOPICS, "--on", "topic")
    replay = Replay(load(SAMPLES / "topics100.json"))
    switches = [turn for turn in range(100) if replay.gate(turn).decision == "switch"]
    assert (code, err) == (0, "")
    assert [line.split()[0] for line in out.splitlines()] == [f"t{turn}.gate" for turn in switches]
    assert len(switches) > 10


def test_every_near_miss_is_listed_with_its_margin():
    code, out, _ = run("break", TOPICS, "--on", "topic margin<0.05")
    assert code == 0
    assert out.splitlines()
    assert all(float(line.rpartition("margin ")[2].split(",")[0]) < 0.05 for line in out.splitlines())


def test_first_ends_at_the_first_hit_and_exit_code_counts():
    assert run("break", NETWORK, "--on", "drop", "--first", "--exit-code")[0] == 1
    code, out, _ = run("break", NETWORK, "--on", "drop", "--first")
    assert (code, len(out.splitlines())) == (0, 1)
    assert run("break", NETWORK, "--on", "drop tokens>999999", "--exit-code")[:2] == (0, "")


def test_json_has_the_address_whole_and_in_parts():
    _, out, _ = run("break", NETWORK, "--on", "drop", "--format", "json")
    _, lines, _ = run("break", NETWORK, "--on", "drop", "--format", "jsonl")
    rows = json.loads(out)
    assert rows == [json.loads(line) for line in lines.splitlines()]
    assert rows[0] == {
        "address": "t1r1.window#0",
        "turn": 1,
        "request": 1,
        "stage": "window",
        "decision": 0,
        "text": rows[0]["text"],
    }
    assert run("break", NETWORK, "--on", "drop tokens>999999", "--format", "json")[1] == "[]\n"


def test_an_address_that_was_printed_is_one_that_can_be_asked_for():
    _, out, _ = run("break", NETWORK, "--on", "budget used>0", "--format", "json")
    for row in json.loads(out)[:3]:
        code, trace, _ = run("trace", NETWORK, "--turn", row["address"].split(".")[0], "--format", "json")
        assert code == 0
        assert (json.loads(trace)["turn_id"], json.loads(trace)["request"]) == (row["turn"], row["request"])


def test_a_fork_is_compared_with_the_session_as_it_is():
    code, out, err = run("break", NETWORK, "--on", "fork diverges", "--set", "window.context_tokens=200")
    assert (code, err) == (0, "")
    assert all("first at window" in line for line in out.splitlines())
    code, out, err = run("break", NETWORK, "--on", "fork diverges")
    assert (code, out) == (0, "")
    assert "--set PATH=VALUE" in err


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("topic margn<1", 'did you mean "margin"'),
        ("tpic", 'did you mean "topic"'),
        ("topic and", "ends too early"),
        ("", "too early"),
    ],
)
def test_an_expression_that_cannot_be_read_is_refused(expression: str, said: str):
    assert said in refused("break", NETWORK, "--on", expression)


def test_a_native_session_has_no_recorded_view():
    assert "--view recorded" in refused("break", NETWORK, "--on", "topic", "--view", "recorded")


def test_that_nothing_matches_is_said_beside_the_data():
    assert run("break", TOPICS, "--on", "at 500") == (0, "", "0 of 100 requests match at 500\n")
    assert run("break", TOPICS, "--on", "at 500", "--format", "jsonl") == (0, "", "")
