"""What holds for every session: one cost, nothing vanishes, same input same output, and a step costs no more than a step."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxinspect.model.session import Session
from ctxinspect.pipeline.replay import Replay
from ctxinspect.text.sentences import split_sentences
from ctxinspect.view.jsonable import trace_json

SAMPLES = Path(__file__).resolve().parents[2] / "sample_sessions"
WORDS = ("router", "ge-0/0/1", "reboot", "and then", "OSPF area 0.", "backup!", "10.1.2.3", "\u63a5\u53e3")


def texts(most: int = 12) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(WORDS), min_size=1, max_size=most).map(" ".join)


def rounds() -> st.SearchStrategy[list[dict[str, Any]]]:
    def built(results: list[str | None]) -> list[dict[str, Any]]:
        return [
            {
                "assistant": "",
                "tool_calls": [{"id": f"c{at}", "name": "look", "arguments": {"at": at}}],
                "tool_results": [] if text is None else [{"call_id": f"c{at}", "content": text}],
            }
            for at, text in enumerate(results)
        ]

    return st.lists(st.none() | texts(60), max_size=3).map(built)


@st.composite
def sessions(draw: st.DrawFn) -> dict[str, Any]:
    """Small native sessions: tools, components, tight and wide budgets, both histories."""
    turns = [
        {"user": draw(texts()), "rounds": draw(rounds()), "assistant": draw(texts(30))}
        for _ in range(draw(st.integers(1, 5)))
    ]
    components = [
        {"name": f"part{at}", "content": draw(texts(40)), "priority": draw(st.integers(0, 100))}
        for at in range(draw(st.integers(0, 3)))
    ]
    ids = [call["id"] for turn in turns for round_ in turn["rounds"] for call in round_["tool_calls"]]
    for turn in turns:
        if ids and draw(st.booleans()):
            turn["inactive_pages"] = [draw(st.sampled_from(ids))]
    context = {
        "history": draw(st.sampled_from(["gatekeeper", "full"])),
        "window": {"context_tokens": draw(st.sampled_from([60, 200, 8000]))},
        "assembler": {"max_tokens": draw(st.sampled_from([0, 40, 4000])), "min_useful_tokens": 5},
        "sequence": {
            "handle_over_tokens": draw(st.sampled_from([None, 20])),
            "orphan_calls": draw(st.sampled_from(["drop", "stub"])),
        },
        "gatekeeper": {"recent_turns": draw(st.integers(0, 2)), "max_sentences": draw(st.integers(0, 2))},
    }
    return {"format": "ctxinspect/1", "components": components, "context": context, "turns": turns}


@given(sessions())
@settings(max_examples=60, deadline=None)
def test_one_cost_is_what_every_message_of_the_request_costs(data: dict[str, Any]):
    replay = Replay(Session.model_validate(data))
    for turn, request in replay.steps:
        trace = replay.trace(turn, request)
        window = trace.window
        assert window.request_tokens == sum(message.tokens for message in trace.messages) + 3
        over = [finding for finding in trace.findings if finding.id == "over-budget"]
        assert bool(over) == (window.request_tokens > window.message_budget)
        assert all(finding.severity == "error" and finding.stage == "window" for finding in over)
        if over:
            pinned = {message.turn_id for message in trace.messages}
            assert pinned <= {None, turn}, "nothing that may go has stayed"
            assert f"{window.request_tokens - window.message_budget} more" in over[0].text


@given(sessions())
@settings(max_examples=60, deadline=None)
def test_the_parts_of_the_assembly_add_up(data: dict[str, Any]):
    replay = Replay(Session.model_validate(data))
    assembly = replay.trace(0).assembly
    assert assembly is not None
    assert assembly.rendered_tokens == replay.counter(assembly.text)
    assert assembly.rendered_tokens + assembly.unused_tokens == assembly.limit
    assert assembly.overflow == max(0, assembly.requested_tokens - assembly.limit)
    assert assembly.unused_tokens >= 0
    for row in assembly.components:
        assert (row.state == "dropped") == (row.position is None)
        assert row.rendered_chars <= len(row.content)


@given(sessions())
@settings(max_examples=60, deadline=None)
def test_nothing_vanishes_and_nothing_ends_twice(data: dict[str, Any]):
    session = Session.model_validate(data)
    replay = Replay(session)
    for turn, request in replay.steps:
        trace = replay.trace(turn, request)
        assert trace.ledger is not None
        seen = Counter((entry.kind, entry.id) for entry in trace.ledger)
        assert set(seen.values()) <= {1}
        assert set(seen) == candidates(replay, turn, request, trace)


def candidates(replay: Replay, turn: int, request: int, trace: Any) -> set[tuple[str, str | int]]:
    """Everything that could have been in a request: the components, the turns before it, and of the turns that are in
    (and of this turn so far) every page, and of those that were recalled every sentence."""
    kept = {int(e.id) for e in trace.ledger if e.kind == "turn" and e.state != "dropped"}
    found: set[tuple[str, str | int]] = {("component", component.name) for component in replay.session.components}
    found |= {("turn", before) for before in range(turn)}
    for owner in kept:
        found |= {("page", page.id) for round_ in replay.sequencer.pages[owner] for page in round_.pages}
    found |= {("page", page.id) for round_ in replay.sequencer.pages[turn][:request] for page in round_.pages}
    if replay.settings.history == "gatekeeper":
        for row in trace.selected:
            if row.via == "cover" and row.turn_id in kept:
                for side, text in zip(("user", "assistant"), replay.sequencer.block_texts(row.turn_id), strict=True):
                    sentences = [piece for piece in split_sentences(text) if not piece.isspace()]
                    found |= {("sentence", f"{row.turn_id}.{side}.{k}") for k in range(len(sentences))}
    return found


@given(sessions())
@settings(max_examples=60, deadline=None)
def test_a_fate_says_the_numbers_that_decided_it(data: dict[str, Any]):
    replay = Replay(Session.model_validate(data))
    for turn, request in replay.steps:
        trace = replay.trace(turn, request)
        present = {message.turn_id for message in trace.messages}
        shown = {call.id for message in trace.messages for call in message.tool_calls}
        for entry in trace.ledger or ():
            if entry.value is not None and entry.threshold is not None:
                assert entry.margin == entry.value - entry.threshold
            else:
                assert entry.margin is None
            if entry.kind == "turn":
                assert (entry.state != "dropped") == (entry.id in present) or empty(replay, int(entry.id))
            elif entry.kind == "page":
                assert (entry.state != "dropped") == (entry.id in shown)


def empty(replay: Replay, turn: int) -> bool:
    """Whether a turn makes no message at all."""
    return not replay.sequencer.history(turn, turn + 1).messages


@given(sessions(), st.randoms(use_true_random=False))
@settings(max_examples=30, deadline=None)
def test_the_order_of_asking_changes_nothing(data: dict[str, Any], random: Any):
    session = Session.model_validate(data)
    forward = Replay(session)
    expected = {step: trace_json(forward.trace(*step)) for step in forward.steps}
    order = list(forward.steps)
    random.shuffle(order)
    other = Replay(session)
    assert {step: trace_json(other.trace(*step)) for step in order} == expected
    assert {step: trace_json(forward.trace(*step)) for step in reversed(forward.steps)} == expected


@pytest.mark.parametrize("name", ["network_ops", "rag_pressure", "coding_agent"])
def test_neither_the_seed_of_hashes_nor_place_nor_language_changes_anything(name: str):
    def digest(seed: str, **more: str) -> str:
        command = [sys.executable, "-m", "ctxinspect", "trace", str(SAMPLES / f"{name}.json"), "--turn", "all"]
        env = {**os.environ, "PYTHONHASHSEED": seed, **more}
        done = subprocess.run(
            [*command, "--format", "jsonl", "--ledger"], capture_output=True, check=True, timeout=100, env=env
        )
        return hashlib.sha256(done.stdout).hexdigest()

    assert digest("0") == digest("4242", LC_ALL="C", TZ="Pacific/Apia", COLUMNS="20")


def long_session(turns: int) -> Session:
    made = [{"user": f"question {at} router{at % 7}", "assistant": f"answer {at}"} for at in range(turns)]
    return Session.model_validate({"format": "ctxinspect/1", "turns": made})


def test_a_step_replays_itself_and_the_request_before_it():
    replay = Replay(long_session(50))
    replay.trace(40)
    assert replay.work.requests_replayed == 2
    replay.trace(41)
    assert replay.work.requests_replayed == 3
    replay.trace(40)
    assert replay.work.requests_replayed == 3, "a step back is remembered"


def test_the_work_of_all_turns_grows_with_their_number():
    def work(turns: int) -> int:
        replay = Replay(long_session(turns))
        for turn, request in replay.steps:
            replay.trace(turn, request, ledger=False)
        done = replay.work
        return done.requests_replayed + done.selections + done.assemblies + done.gates

    assert work(300) <= 10 * work(30) + 10


SEQUENCE: dict[str, Any] = {
    "format": "ctxinspect/1",
    "turns": [
        {
            "user": "Check both ports",
            "rounds": [
                {
                    "assistant": f"Looking at port {at}",
                    "tool_calls": [{"id": f"c{at}", "name": "port", "arguments": {"number": at}}],
                    "tool_results": [{"call_id": f"c{at}", "content": f"port {at} up"}],
                }
                for at in (1, 2)
            ],
            "assistant": "Both are up",
        },
        {"user": "Check both ports again", "assistant": "Still up"},
    ],
}


def in_order(data: dict[str, Any]) -> bool:
    """Whether each round is an assistant message followed by its own result, the final answer after both."""
    rows = [m for m in Replay(Session.model_validate(data)).trace(1).messages if m.turn_id == 0]
    return [m.role for m in rows] == ["user", "assistant", "tool", "assistant", "tool", "assistant"]


def test_rounds_keep_their_order_and_a_flattened_timeline_would_not():
    assert in_order(SEQUENCE)
    flattened = json.loads(json.dumps(SEQUENCE))
    flattened["context"] = {"sequence": {"layout": "flattened"}}
    assert not in_order(flattened), "the criterion sees the fault that it is there for"
