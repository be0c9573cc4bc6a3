"""What the model sees of a conversation at the harbour desk."""

from __future__ import annotations

import pytest

from assistant import converse
from ctxinspect.testing import assert_context

SCRIPT = {
    "Is berth B7 free tonight for a boat of 11 m?": {
        "call": "find_berth",
        "arguments": {"length_m": 11, "night": "tonight"},
        "result": "B7 free, C2 free",
        "say": "Yes, B7 is free tonight. Your booking number is H-4471.",
    },
    "What does electricity cost?": {"say": "2 EUR a night."},
    "When is high water?": {"say": "At 14:20."},
    "And my booking number for B7 again?": {"say": "It is H-4471."},
}


@pytest.fixture
def session(tmp_path):
    return converse(tmp_path / "desk.jsonl", list(SCRIPT), SCRIPT.__getitem__, high_water="14:20")


def test_the_rules_and_todays_tide_are_in_every_request(session):
    for turn in range(len(SCRIPT)):
        assert_context(session, turn=turn, contains=["Never promise a berth", "high water 14:20"])


def test_the_booking_number_comes_back_when_it_is_asked_for(session):
    assert_context(session, turn=3, contains="H-4471", max_tokens=400, no_findings=True)


def test_a_tool_result_is_answered_before_anything_else(session):
    trace = assert_context(session, turn=0, request=1, contains="C2 free")
    assert [message.role for message in trace.messages] == ["system", "user", "assistant", "tool"]


def test_no_placeholder_reaches_the_model(session):
    assert_context(session, excludes="{{", no_findings=["placeholder-unfilled", "variable-not-rendered"])


def test_a_small_prompt_budget_keeps_the_rules(session):
    small = {"assembler.max_tokens": 50}
    assert_context(session, settings=small, contains="Never promise a berth", excludes="Electricity is 2 EUR")


def test_the_whole_context_is_what_was_approved(session, context_snapshot):
    context_snapshot(session)
