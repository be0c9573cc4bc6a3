from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxinspect.model.messages import Message
from ctxinspect.window import ToolCost, Topology, fit_window
from tests.support.build import settings


def message(role, tokens, turn=None, number=None):
    return Message(role, "w " * tokens, tokens + 4, turn, number)


def words(one):
    return len(one.content.split())


REQUEST = [
    message("system", 6),
    message("user", 6, 0),
    message("assistant", 6, 0, 0),
    message("tool", 6, 0, 0),
    message("assistant", 6, 0),
    message("user", 6, 1),
    message("assistant", 6, 1, 0),
    message("tool", 6, 1, 0),
    message("assistant", 6, 1, 1),
    message("tool", 6, 1, 1),
]


def fit(budget, messages=REQUEST, tools=0, topology=None, **options):
    """Under a budget for messages of exactly this many tokens (a window large enough, the rest taken by tools)."""
    size = 40 * 25
    chosen = settings(window__context_tokens=size, **options)
    cost = ToolCost((750 - budget,) if not tools else (tools,), ())
    return fit_window(messages, chosen, current_turn=1, tools=cost, content_tokens=words, topology=topology)


def roles(result):
    return [one.role[0] for one in result.messages]


def test_what_fits_is_sent_whole_and_the_budget_is_exact():
    assert fit(103).messages == tuple(REQUEST)
    assert fit(103).trace.request_tokens == 103
    assert len(fit(102).messages) == 6


def test_earlier_turns_go_before_older_rounds_of_the_current_turn():
    result = fit(62)
    assert [(d.kind, d.turn_id, d.round, d.tokens) for d in result.trace.dropped] == [
        ("turn", 0, None, 40),
        ("round", 1, 0, 20),
    ]
    assert roles(result) == ["s", "u", "a", "t"]
    assert result.removed == (*REQUEST[1:5], *REQUEST[6:8])
    assert (result.tokens_before, result.trace.request_tokens) == (103, 43)


def test_pinned_over_budget_stands_as_it_is_with_an_error():
    result = fit(40)
    assert roles(result) == ["s", "u", "a", "t"]
    assert result.missing == 3
    assert {f.id for f in result.findings} == {"over-budget", "history-trimmed"}


def test_single_messages_go_by_content_alone():
    result = fit(24, window__unit="message")
    assert roles(result) == ["s", "t", "a", "t"]
    assert result.trace.request_tokens == 24
    assert [d.kind for d in result.trace.dropped] == ["message"] * 6
    assert (result.trace.dropped[0].turn_id, result.trace.dropped[1].round) == (0, 0)
    assert result.tokens_before == 60


def test_with_the_rule_off_nothing_is_trimmed():
    result = fit(40, what_if__rules_off=["trim"])
    assert result.messages == tuple(REQUEST)
    assert result.missing == 63


def test_the_flattened_layout_pins_the_current_turn():
    result = fit(62, sequence__layout="flattened")
    assert [d.kind for d in result.trace.dropped] == ["turn"]


def test_the_log_counts_the_system_message_before_and_after():
    log = fit(62, topology=Topology(None)).trace.log
    assert log == (
        "Calling pre_hook to prepare 10 messages",
        "Topology data is None, injecting placeholder",
        "Messages trimmed: 10 -> 4 msgs. Total: ~43 tokens + 688 tools = 731 / 1K (73.1%), strategy=balanced",
        "Messages prepared: 10 -> 4",
    )
    assert len(fit(103).trace.log) == 3


def test_a_request_without_messages_has_no_system_message_to_speak_of():
    result = fit(100, messages=[])
    assert result.messages == ()
    assert result.findings == ()


@pytest.mark.parametrize("unit", ["turn", "message"])
@given(
    costs=st.lists(st.integers(0, 30), min_size=10, max_size=10),
    budget=st.integers(-50, 400),
)
def test_nothing_vanishes_and_what_is_sent_is_what_is_charged(unit, costs, budget):
    messages = [message(m.role, c, m.turn_id, m.round) for m, c in zip(REQUEST, costs, strict=True)]
    result = fit(budget, messages=messages, tools=750 - budget, window__unit=unit)
    assert len(result.messages) + len(result.removed) == len(messages)
    charged = (
        sum(words(m) for m in result.messages) if unit == "message" else sum(m.tokens for m in result.messages) + 3
    )
    assert result.trace.request_tokens == charged
    if unit == "turn":
        pairs = [(m.turn_id, m.round) for m in result.messages if m.role == "tool"]
        assert pairs == [(m.turn_id, m.round) for m in result.messages if m.role == "assistant" and m.round is not None]
        assert messages[5] in result.messages
        assert charged <= budget or len(result.messages) == 4
