"""Whole requests worked out with pencil and paper from the rules, not by the program.

`chars/4` counts a text's characters divided by four, rounded down; a message costs 4 more, a request 3 more. Every
number below is derived in the comment beside it.
"""

from __future__ import annotations

import math
from typing import Any

import pytest

from ctxinspect.model.session import Session
from ctxinspect.pipeline.replay import Replay

PRUNING, WINTER = "apple tree pruning", "Cut in winter."  # 18 and 14 characters: 4 and 3 tokens
VIOLIN, STEEL = "violin strings", "Use steel."  # 14 and 10 characters: 3 and 2 tokens
QUERY = "apple tree and violin"  # 21 characters: 5 tokens; "and" is a stop word

IDF = math.log(3 / 2) + 1  # two earlier blocks, each of the three anchors in one of them


def orchard(**window: Any) -> Replay:
    data = {
        "format": "ctxinspect/1",
        "context": {
            "counter": "chars/4",
            "message_overhead": 4,
            "window": {"context_limit": 1, "strategy": "balanced", **window},
        },
        "components": [{"name": "base", "content": "Be kind.", "priority": 100}],
        "turns": [
            {"user": PRUNING, "assistant": WINTER},
            {"user": VIOLIN, "assistant": STEEL},
            {"user": QUERY},
        ],
    }
    return Replay(Session.model_validate(data))


def test_the_gate_of_each_turn():
    first, second, third = (orchard().gate(turn) for turn in range(3))
    assert (first.decision, first.rule, first.overlap, first.new_ratio) == ("start", "no_history", 0.0, 1.0)
    # Nothing shared with turn 0: overlap 0 < 0.20, new ratio 1 > 0.70.
    assert (second.decision, second.rule, second.topic_start, second.blocks) == ("switch", "new_topic", 1, 1)
    assert [(a.term, a.df, a.idf) for a in second.anchors] == [
        ("strings", 0, math.log(2) + 1),
        ("violin", 0, math.log(2) + 1),
    ]
    # One anchor of three equal ones is the topic's: neither more than 0.45 nor less than 0.20.
    assert (third.decision, third.rule, third.topic_start) == ("continue", "middle", 1)
    assert [(a.term, a.in_topic) for a in third.anchors] == [("apple", False), ("tree", False), ("violin", True)]
    assert third.overlap == pytest.approx(1 / 3)
    assert third.margins.overlap_continue == pytest.approx(1 / 3 - 0.45)
    assert third.margins.new_ratio_switch == pytest.approx(2 / 3 - 0.70)


def test_recall_and_coverage():
    trace = orchard().trace(2)
    (row,) = trace.recall
    # Turn 1 is recent; turn 0 holds two of three anchors in its user text: 1.5 * 2/3 = 1; 1 - (2 - 0)/2 = 0.
    assert (row.turn_id, row.lex_assistant, row.exact, row.recency) == (0, 0.0, 0, 0.0)
    assert (row.lex_user, row.score) == (pytest.approx(2 / 3), pytest.approx(1.0))
    assert (row.state, row.rule) == ("kept", "selected")
    # Turn 1 costs 4+3 and 4+2 = 13, turn 0 costs 4+4 and 4+3 = 15: 4000 - 13 - 15 = 3972 are left.
    (step,) = trace.cover.steps
    assert (step.turn_id, step.cost, step.newly, step.coverage, step.budget_left) == (
        0,
        15,
        ("apple", "tree"),
        1.0,
        3972,
    )
    assert step.gain == pytest.approx(2 * IDF / 15**0.8)
    assert (trace.cover.coverable, trace.cover.uncovered, trace.cover.stop) == (
        ("apple", "tree", "violin"),
        (),
        "target",
    )
    chosen = [(s.turn_id, s.via, s.user, s.assistant, s.covered_ids) for s in trace.selected]
    assert chosen == [(0, "cover", PRUNING, WINTER, (0, 1)), (1, "recent", VIOLIN, STEEL, (2,))]
    assert [s.score for s in trace.selected] == [pytest.approx(1.0), None]


def test_the_messages_and_what_they_cost():
    trace = orchard().trace(2)
    # "# BASE" and a line break and "Be kind." are 15 characters: 3 tokens.
    assert trace.assembly.text == "# BASE\nBe kind."
    assert (trace.assembly.rendered_tokens, trace.assembly.unused_tokens) == (3, 15_997)
    assert [(m.role, m.content, m.tokens, m.turn_id) for m in trace.messages] == [
        ("system", "# BASE\nBe kind.", 7, None),
        ("user", PRUNING, 8, 0),
        ("assistant", WINTER, 7, 0),
        ("user", VIOLIN, 7, 1),
        ("assistant", STEEL, 6, 1),
        ("user", QUERY, 9, 2),
    ]
    window = trace.window
    assert (window.size, window.input_budget, window.tool_tokens, window.message_budget) == (1000, 750, 0, 750)
    assert window.request_tokens == 7 + 8 + 7 + 7 + 6 + 9 + 3 == 47
    assert window.log == (
        "Calling pre_hook to prepare 6 messages",
        "Context ready: 6 msgs, ~47 tokens + 0 tools = 47 / 1K (4.7%), strategy=balanced",
        "Messages prepared: 6 -> 6",
    )


def test_what_the_cache_could_reuse():
    # The request before was the switch: system and "violin strings" alone. Only the system message is common, and the
    # 7 tokens of its user message are lost.
    replay = orchard()
    assert [m.content for m in replay.trace(1).messages] == ["# BASE\nBe kind.", VIOLIN]
    trace = replay.trace(2)
    assert (trace.prefix.previous, trace.prefix.common_messages, trace.prefix.common_tokens) == ((1, 0), 1, 7)
    change = trace.prefix.first_change
    assert (change.message, change.part, change.id, change.character) == (1, "turn", 0, 0)
    assert [(f.id, f.severity, f.message) for f in trace.findings] == [("cache-prefix-break", "info", 1)]
    assert trace.findings[0].text.startswith("7 tokens ")


def test_the_ledger_of_a_request_that_fits():
    ledger = [(e.kind, e.id, e.stage, e.state, e.rule) for e in orchard().trace(2).ledger]
    assert ledger == [
        ("turn", 1, "recall", "kept", "recent"),
        ("sentence", "0.assistant.0", "prune", "kept", "sentence_rank"),
        ("sentence", "0.user.0", "prune", "kept", "sentence_rank"),
        ("turn", 0, "cover", "kept", "selected"),
        ("component", "base", "assemble", "kept", "fits"),
    ]


def test_a_window_of_sixty_tokens_takes_the_oldest_turn():
    trace = orchard(context_tokens=60).trace(2)
    # int(60 * 0.75) = 45 < 47; without turn 0 (15) the request costs 32, which is 53.3 % of 60.
    assert (trace.window.input_budget, trace.window.request_tokens) == (45, 32)
    assert [(d.kind, d.turn_id, d.round, d.tokens) for d in trace.window.dropped] == [("turn", 0, None, 15)]
    assert [m.content for m in trace.messages] == ["# BASE\nBe kind.", VIOLIN, STEEL, QUERY]
    assert trace.window.log[1:] == (
        "Messages trimmed: 6 -> 4 msgs. Total: ~32 tokens + 0 tools = 32 / 0.06K (53.3%), strategy=balanced",
        "Messages prepared: 6 -> 4",
    )
    fates = {e.id: (e.stage, e.state, e.rule, e.value, e.threshold, e.margin) for e in trace.ledger if e.kind == "turn"}
    assert fates == {
        0: ("window", "dropped", "trimmed", 47, 45, 2),
        1: ("recall", "kept", "recent", 13, 4000, -3987),
    }
    assert not [e for e in trace.ledger if e.kind == "sentence"], "sentences of a turn that is out are not listed apart"
    assert "history-trimmed" in [f.id for f in trace.findings]


def test_a_pinned_part_over_the_budget_stands_and_says_what_is_missing():
    trace = orchard(context_tokens=20).trace(2)
    # int(20 * 0.75) = 15; system, query and priming are 7 + 9 + 3 = 19: 4 are missing. 15 >= 1.5 * 7: no low headroom.
    assert (trace.window.message_budget, trace.window.request_tokens) == (15, 19)
    assert [m.content for m in trace.messages] == ["# BASE\nBe kind.", QUERY]
    ids = {f.id: f for f in trace.findings}
    assert ids["over-budget"].text.startswith("the request costs 19 tokens, 4 more than the 15 ")
    assert "low-headroom" not in ids
    assert "system-over-budget" not in ids


def test_components_under_a_budget_of_twelve_tokens():
    # Sections: "# A\\n" and 20 characters = 24 -> 6 tokens; "# B\\n" and 40 = 44 -> 11; "# C\\n" and 8 = 12 -> 3.
    # Together 24 + 2 + 44 + 2 + 12 = 84 -> 21 > 12. A: 6, fits. B: 24 + 2 + 44 = 70 -> 17 > 12; 6 remain >= 2: the text
    # up to the mark may have 12 * 4 + 3 = 51 characters, so 51 - 24 - 2 - 4 - 16 = 5 of B stay: "bbbb " is cut at the
    # blank (4 >= 0.9 * 5 is false, so it is not), 5 characters. C: 51 + 2 + 12 = 65 -> 16 > 12, 0 remain: dropped.
    data = {
        "format": "ctxinspect/1",
        "context": {"counter": "chars/4", "assembler": {"max_tokens": 12, "min_useful_tokens": 2}},
        "components": [
            {"name": "a", "content": "a" * 20, "priority": 90},
            {"name": "b", "content": "bbbb " * 8, "priority": 50},
            {"name": "c", "content": "c" * 8, "priority": 10},
        ],
        "turns": [{"user": "hello"}],
    }
    assembly = Replay(Session.model_validate(data)).trace(0).assembly
    assert assembly.text == f"# A\n{'a' * 20}\n\n# B\nbbbb \n... (truncated)"
    rows = [
        (r.name, r.requested_tokens, r.rendered_tokens, r.state, r.rule, r.remaining, r.margin)
        for r in assembly.components
    ]
    assert rows == [
        ("a", 6, 6, "kept", "fits", 12, 6),
        ("b", 11, 6, "truncated", "cut_to_budget", 6, -5),
        ("c", 3, 0, "dropped", "below_min_useful", 0, -4),
    ]
    assert (assembly.requested_tokens, assembly.rendered_tokens, assembly.overflow, assembly.unused_tokens) == (
        21,
        12,
        9,
        0,
    )
