"""Reported failures of trimming: what a window of whole turns and rounds keeps, and that what it keeps is sound.

Budgets are of messages in tokens; the window is made as large as gives exactly that budget.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from typing import Any

import pytest

from ctxinspect.assembler import assemble
from ctxinspect.model.session import Component, RecordedMessage, Session
from ctxinspect.pipeline.replay import Replay
from ctxinspect.readers import load
from ctxinspect.settings import AssemblerSettings
from ctxinspect.tokens.counter import named_counter
from ctxinspect.trace.types import Trace
from tests.support.messages import codes
from tests.support.shared import case_file


def replay(number: str) -> Replay:
    return Replay(load(case_file(number)))


def trimmed(given: Replay, budget: int, **more: Any) -> Trace:
    """The last request of a session under a message budget."""
    tools = given.trace(0, ledger=False).window.tool_tokens
    size = max(1, math.ceil((budget + tools) / 0.75))
    fork = given.fork({"window.context_tokens": size, "window.strategy": "balanced", "history": "full", **more})
    trace = fork.trace(*fork.steps[-1])
    assert trace.window.message_budget == max(0, budget) or budget < 1
    return trace


def kept(number: str, trace: Trace) -> list[int]:
    """The indices of the file's messages that are still there; every one is found once or not at all."""
    sent: Counter[tuple[Any, ...]] = Counter()
    for row in trace.messages:
        content = (
            row.content.partition("\n")[2] if row.role == "system" and row.content.startswith("# ") else row.content
        )
        sent[row.role, content, row.tool_call_id, tuple(call.id for call in row.tool_calls)] += 1
    found = []
    for at, message in enumerate(json.loads(case_file(number).read_text("utf-8"))["messages"]):
        calls = tuple(call["id"] for call in message.get("tool_calls") or ())
        key = (message["role"], message.get("content") or "", message.get("tool_call_id"), calls)
        if sent[key]:
            found.append(at)
            sent[key] -= 1
    assert not +sent
    return found


def errors(trace: Trace) -> list[str]:
    return [finding.id for finding in trace.findings if finding.severity == "error"]


@pytest.mark.parametrize(
    ("number", "budget", "left"),
    [
        ("028", 100, [0, 5, 6, 7]),
        ("029", 145, [0, 1, 22, 23, 24, 25]),
        ("029", 100, [0, 1, 24, 25]),
        ("031", 95, [0, 5, 6, 7, 8, 9]),
        ("034", 150, [0, 5, 6, 7]),
        ("043", 120, [0, 4]),
    ],
)
def test_whole_turns_or_rounds_go_and_what_stays_is_sound(number: str, budget: int, left: list[int]):
    trace = trimmed(replay(number), budget)
    assert kept(number, trace) == left
    assert errors(trace) == []
    assert trace.window.request_tokens <= budget


@pytest.mark.parametrize("budget", [*range(35, 60, 5), *range(60, 200, 20)])
def test_one_long_turn_keeps_the_system_prompt_and_its_question(budget: int):
    trace = trimmed(replay("029"), budget)
    assert [row.role for row in trace.messages][:2] == ["system", "user"]
    assert errors(trace) == (["over-budget"] if trace.window.request_tokens > budget else [])


@pytest.mark.parametrize("budget", [13, 20, 35, 50, 80, 95, 96, 120, 200])
def test_pairs_live_and_die_together_and_the_count_is_true(budget: int):
    given = replay("031")
    trace = trimmed(given, budget)
    left = kept("031", trace)
    assert (2 in left) == (3 in left)
    assert (6 in left) == (7 in left)
    assert budget < 35 or {0, 9} <= set(left)
    file = case_file("032").read_bytes()
    assert file == case_file("031").read_bytes()
    gone = {unit.turn_id for unit in trace.window.dropped if unit.kind == "turn"}
    assert len(left) + sum(row.turn_id in gone for row in trimmed(given, 10_000).messages) == 10


def test_a_cut_after_the_first_of_two_results_is_seen_and_a_whole_tail_is_sound():
    call = load(case_file("036")).recorded[0]
    assert [at for at in range(1, 7) if not _breaks_pairs(call.messages[at:])] == [1, 2, 5, 6]
    for tokens in (10_000, 60, 30):
        assert errors(trimmed(replay("036"), tokens)) == []


def _breaks_pairs(messages: tuple[RecordedMessage, ...]) -> bool:
    return any(code == "orphan-result" for code, *_ in codes(*messages))


@pytest.mark.parametrize("tools", [[], [{"name": "look", "description": "Looks.", "parameters": {}}]])
def test_the_boundary_of_the_budget_is_exact(tools: list[dict[str, Any]]):
    session = load(case_file("038"))
    session = Session.model_validate({**session.model_dump(), "tools": tools})
    given = Replay(session)
    whole = given.fork({"history": "full"}).trace(*given.steps[-1]).window.request_tokens
    assert trimmed(given, whole).window.dropped == ()
    assert trimmed(given, whole - 1).window.dropped


@pytest.mark.parametrize("budget", [300, 8])
def test_a_text_larger_than_the_budget_is_an_error_and_no_number_is_negative(budget: int):
    trace = trimmed(replay("039"), budget)
    assert "over-budget" in errors(trace)
    assert kept("039", trace) == [0, 1]
    numbers = [trace.window.request_tokens, trace.window.message_budget, *(row.tokens for row in trace.messages)]
    assert min(numbers) >= 0


def test_a_cut_component_keeps_its_head_and_says_that_it_was_cut():
    text = json.loads(case_file("039").read_text("utf-8"))["messages"][1]["content"]
    components = (Component(name="log", content=text, priority=50),)
    counter = named_counter("cl100k_base")
    result = assemble(components, {}, AssemblerSettings(max_tokens=300), counter, measure=counter.measure)
    shown = result.trace.text
    assert "harvest entry 0 harvest entry 1" in shown
    assert result.trace.components[0].state == "truncated"
    assert counter(shown) <= 300
    empty = assemble(
        (Component(name="log", content=""),), {}, AssemblerSettings(max_tokens=8), counter, measure=counter.measure
    )
    assert empty.trace.rendered_tokens == 0


def test_two_oversized_results_are_recounted_and_both_calls_keep_theirs():
    trace = trimmed(replay("041"), 400)
    assert trace.window.request_tokens > 400
    assert errors(trace) == ["over-budget"]
    assert kept("041", trace) == [0, 1, 2, 3, 4]
    handles = trimmed(replay("041"), 400, **{"sequence.handle_over_tokens": 100})
    assert handles.window.request_tokens <= 400
    assert errors(handles) == []


def test_arguments_are_never_cut_in_the_middle():
    given = replay("043")
    for budget in (10_000, 900, 400, 120, 40):
        for row in trimmed(given, budget).messages:
            for call in row.tool_calls:
                arguments = call.arguments if isinstance(call.arguments, dict) else json.loads(call.arguments)
                assert {"path", "body"} <= arguments.keys()


def test_retrieved_text_and_the_standing_prompt_both_survive():
    data = json.loads(case_file("045").read_text("utf-8"))
    components = [{"name": c["name"], "content": c["text"], "priority": c["priority"]} for c in data["components"]]
    session = {
        "format": "ctxinspect/1",
        "components": components,
        "turns": [{"user": data["messages"][0]["content"]}],
        "context": {"window": {"context_tokens": data["budget"]}},
    }
    trace = Replay(Session.model_validate(session)).trace(0)
    for words in ("Reply in Dutch", "grafted in 2019", "prefers short answers"):
        assert [row.content.count(words) for row in trace.messages] == [1, 0]
    assert trace.assembly is not None
    assert all(row.rendered_tokens > 0 for row in trace.assembly.components)


def test_tools_larger_than_the_budget_are_named_with_both_numbers():
    given = replay("046")
    size = math.ceil(800 / 0.75)
    trace = given.fork({"window.context_tokens": size, "window.strategy": "balanced"}).trace(0)
    assert 2076 * 0.75 <= trace.window.tool_tokens <= 2078 * 1.25
    (finding,) = [finding for finding in trace.findings if finding.id == "tools-over-budget"]
    assert str(trace.window.tool_tokens) in finding.text
    assert str(trace.window.input_budget) in finding.text
    assert trace.messages
    assert min(trace.window.tool_tokens, trace.window.request_tokens, trace.window.input_budget) >= 0
    spaced = json.dumps(json.loads(case_file("046").read_text("utf-8")), indent=7)
    assert json.loads(spaced)["tools"]


def test_results_are_no_persons_words_when_the_window_is_small():
    trace = trimmed(replay("086"), 30)
    assert errors(trace) == []
    assert "(also bring gloves)" in [row.content for row in trace.messages]
