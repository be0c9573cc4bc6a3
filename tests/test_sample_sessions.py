"""The sample sessions show what their page says they show."""

from __future__ import annotations

import json
import math
import re
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from ctxinspect.model.session import Session
from ctxinspect.pipeline.replay import Replay
from ctxinspect.trace.types import Finding, Trace

FOLDER = Path(__file__).resolve().parents[1] / "sample_sessions"
NAMES = ("broken", "coding_agent", "home_assistant", "network_ops", "rag_pressure", "topics100")


def text_of(name: str) -> str:
    return (FOLDER / f"{name}.json").read_text("utf-8")


@cache
def replay(name: str) -> Replay:
    return Replay(Session.model_validate_json(text_of(name)))


@cache
def traces(name: str) -> tuple[Trace, ...]:
    played = replay(name)
    return tuple(played.trace(turn, request, ledger=False) for turn, request in played.steps)


def at(name: str, turn: int, request: int | None = None) -> Trace:
    return replay(name).trace(turn, request, ledger=False)


def rules(found: tuple[Finding, ...]) -> set[str]:
    return {finding.id for finding in found}


@pytest.mark.parametrize("name", NAMES)
def test_a_sample_is_readable_json_without_hidden_characters(name: str):
    text = text_of(name)
    assert text.endswith("}\n")
    assert not re.search("[\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff\x80-\x9f]", text)
    assert "\\u4e" not in text, "Chinese stands as Chinese"
    assert max(map(len, json.dumps(json.loads(text), ensure_ascii=False, indent=2).splitlines())) < 12000


def test_every_sample_is_tested():
    assert tuple(sorted(path.stem for path in FOLDER.glob("*.json"))) == NAMES


# topics100


def test_topics100_is_four_topics_of_25_turns_in_many_runs():
    topics = [turn.topic for turn in replay("topics100").session.turns]
    assert {topic: topics.count(topic) for topic in topics} == dict.fromkeys(
        ("redis", "sourdough", "postgres", "photography"), 25
    )
    assert sum(a != b for a, b in pairwise(topics)) == 39


def test_topics100_answers_have_real_length():
    for turn in replay("topics100").session.turns:
        assert isinstance(turn.assistant, str)
        assert len(turn.assistant) >= 60


def test_no_switch_of_topics100_brings_along_another_topic_and_none_is_missed():
    turns = replay("topics100").session.turns
    recalls: list[float] = []
    for trace in traces("topics100"):
        assert trace.gate is not None
        assert trace.cover is not None
        topic = turns[trace.turn_id].topic
        changed = trace.turn_id > 0 and turns[trace.turn_id - 1].topic != topic
        if changed:
            assert trace.gate.decision == "switch", f"turn {trace.turn_id}: a missed change"
        if trace.gate.decision == "switch":
            came = [turns[row.turn_id].topic for row in trace.selected or ()]
            assert set(came) <= {topic}, f"turn {trace.turn_id}: contamination"
            if any(turn.topic == topic for turn in turns[: trace.turn_id]):
                assert came, f"turn {trace.turn_id}: nothing was recalled"
                assert trace.cover.coverage is not None
                recalls.append(trace.cover.coverage)
    assert len(recalls) == 37
    assert math.fsum(recalls) / len(recalls) > 0.95


def test_topics100_has_close_decisions_and_all_ways_to_continue():
    gates = [trace.gate for trace in traces("topics100") if trace.gate]
    assert {gate.rule for gate in gates} == {"no_history", "deictic", "overlap", "new_topic", "middle"}
    close = [
        gate
        for gate in gates
        if min(abs(gate.margins.overlap_continue), abs(gate.margins.overlap_switch)) < 0.05 and gate.rule != "deictic"
    ]
    assert len(close) >= 5


# coding_agent


def test_the_test_log_of_the_coding_agent_becomes_a_handle():
    log = [row for row in at("coding_agent", 1, 2).messages if row.state == "handle"]
    assert [row.tool_call_id for row in log] == ["call_08"]
    assert log[0].content.startswith("[stored tool result tr:call_08: ")


def test_the_coding_agent_reads_its_handle_back_truly():
    turns = replay("coding_agent").session.turns
    stored = turns[1].rounds[1].tool_results[0].content
    read = turns[2].rounds[0]
    arguments = read.tool_calls[0].arguments
    assert isinstance(arguments, dict)
    assert isinstance(stored, str)
    start = arguments["offset"]
    assert read.tool_results[0].content == stored[start : start + arguments["limit"]]


def test_the_interrupted_call_and_the_inactive_page_are_out_of_later_requests():
    def ids(turn: int) -> list[str | None]:
        return [call.id for row in at("coding_agent", turn, 0).messages for call in row.tool_calls]

    assert "call_15" in ids(4)
    assert "call_16" not in ids(4)
    assert "call_01" in ids(5)
    assert "call_01" not in ids(6)


def test_the_compaction_leaves_only_its_summary():
    messages = at("coding_agent", 8, 0).messages
    assert [row.turn_id for row in messages if row.role == "user"] == [7, 8]
    assert messages[1].content.startswith("[compaction] Summary")


def test_the_coding_agent_has_no_fault_but_the_interruption():
    found = {
        finding.id for trace in traces("coding_agent") for finding in trace.findings if finding.severity == "error"
    }
    assert found == set()
    assert any("results-reordered" in rules(trace.findings) for trace in traces("coding_agent"))
    assert any("missing-result" in rules(trace.findings) for trace in traces("coding_agent"))


# rag_pressure


def test_components_are_kept_cut_and_dropped_within_the_limit():
    fates = {
        (row.name, row.state)
        for trace in traces("rag_pressure")
        if trace.assembly
        for row in trace.assembly.components
        if row.rule != "empty"
    }
    assert {("retrieved_3", "truncated"), ("examples", "dropped"), ("examples", "kept"), ("safety", "kept")} <= fates
    for trace in traces("rag_pressure"):
        assert trace.assembly is not None
        assert trace.assembly.rendered_tokens <= trace.assembly.limit == 494


def test_the_passages_sample_shows_a_placeholder_and_an_inversion():
    assert "(No service contract available)" in at("rag_pressure", 0).messages[0].content
    assert {"placeholder-unfilled", "variable-not-rendered"} <= rules(at("rag_pressure", 0).findings)
    assert "Comfort, until 2029" in at("rag_pressure", 6).messages[0].content
    assert "priority-inversion" in rules(at("rag_pressure", 2).findings)


# network_ops


def test_the_small_window_trims_history_and_never_fails():
    dropped = [len(trace.window.dropped) for trace in traces("network_ops")]
    assert max(dropped) > 0
    assert dropped[0] == 0
    for trace in traces("network_ops"):
        assert trace.window.request_tokens <= trace.window.message_budget
        assert trace.window.tool_tokens > trace.window.input_budget / 2
        assert "over-budget" not in rules(trace.findings)


def test_the_topology_is_missing_in_one_turn():
    without = at("network_ops", 4)
    assert "(No topology information available)" in without.messages[0].content
    assert any("Topology data is None" in line for line in without.window.log)
    assert any("nodes: " in line for line in at("network_ops", 3).window.log)


# home_assistant


def test_a_template_does_not_pose_as_a_person_once_it_is_history():
    current, later = at("home_assistant", 5, 0), at("home_assistant", 6, 0)
    assert current.messages[-1].content.startswith("[timer] ")
    said = [row for row in later.messages if row.synthetic == "chat_tool"]
    assert [row.content for row in said] == ["嗯，我关了，别动暖气。"]


def test_an_answer_of_one_word_stands_behind_its_question():
    *_, question, answer = at("home_assistant", 2, 0).messages
    assert (question.role, answer.role, answer.content) == ("assistant", "user", "21")
    assert "Which one?" in question.content


def test_nobody_answered_so_the_label_stays():
    labelled = [row for row in at("home_assistant", 9).messages if row.turn_id == 8 and row.role == "user"]
    assert [(row.synthetic, row.content[:14]) for row in labelled] == [("label", "[notification]")]


# broken


def test_broken_shows_every_fault_that_it_announces():
    found = {finding.id for trace in traces("broken") for finding in trace.findings}
    announced = {
        "ambiguous-pair",
        "bad-arguments-json",
        "bad-call-id",
        "bad-tool-name",
        "call-in-flight",
        "duplicate-call-id",
        "duplicate-result",
        "empty-arguments",
        "hidden-characters",
        "history-in-system",
        "missing-call-id",
        "missing-result",
        "orphan-result",
        "pinned-dropped",
        "placeholder-unfilled",
        "results-reordered",
        "secret-in-context",
        "trailing-whitespace",
        "unknown-tool",
        "variable-not-rendered",
    }
    assert announced <= found
