"""`assert_context` passes where a request holds what was asked for, and says which stage decided where it does not."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from ctxinspect.errors import InputError, SettingsError, UsageError
from ctxinspect.model.session import Session
from ctxinspect.pipeline.replay import Replay
from ctxinspect.recorder import Recorder
from ctxinspect.testing import assert_context
from tests.support.shared import case_file

SAMPLES = Path(__file__).resolve().parents[2] / "sample_sessions"


def data(**more: Any) -> dict[str, Any]:
    return {
        "format": "ctxinspect/1",
        "title": "Ports",
        "components": [
            {"name": "rules", "content": "Be brief. Never reboot.", "priority": 90},
            {"name": "manual", "content": "word " * 200 + "LASTWORD", "priority": 10},
        ],
        "turns": [
            {"user": "Port ge-0/0/7 is down", "assistant": "A broken patch cable."},
            {"user": "What is for lunch", "assistant": "Soup, I hear."},
            {
                "user": "Check port ge-0/0/7 again",
                "rounds": [
                    {
                        "tool_calls": [{"id": "c1", "name": "look", "arguments": {"port": "ge-0/0/7"}}],
                        "tool_results": [{"call_id": "c1", "content": "up since noon"}],
                    }
                ],
                "assistant": "It is up.",
            },
        ],
        **more,
    }


def said(session: Any = None, **expected: Any) -> str:
    """The words with which an assertion fails."""
    with pytest.raises(AssertionError) as caught:
        assert_context(data() if session is None else session, **expected)
    return str(caught.value)


def test_what_is_there_passes_and_the_trace_comes_back():
    trace = assert_context(data(), contains=["Never reboot", re.compile(r"since \w+"), '"port"'], excludes="REBOOT")
    assert (trace.turn_id, trace.request) == (2, 1)


def test_every_way_to_hand_in_a_session_is_the_same(tmp_path: Path):
    with Recorder(tmp_path / "s.jsonl") as recorder:
        recorder.turn("Hello port").answer("Hi")
    for given in (recorder, tmp_path / "s.jsonl", str(tmp_path / "s.jsonl")):
        assert_context(given, contains="Hello port")
    session = Session.model_validate(data())
    assert assert_context(session) == assert_context(Replay(session)) == assert_context(data())


@pytest.mark.parametrize(
    ("turn", "request_", "at"),
    [(None, None, (2, 1)), (0, None, (0, 0)), (-1, 0, (2, 0)), (-3, -1, (0, 0)), (2, -2, (2, 0))],
)
def test_turns_and_requests_count_from_either_end(turn, request_, at):
    trace = assert_context(data(), turn=turn, request=request_)
    assert (trace.turn_id, trace.request) == at


def test_an_absent_text_names_the_stage_that_took_it_out():
    text = said(contains="Soup")
    assert "t2r1 of Ports (replay) does not contain 'Soup'" in text
    assert "turn 1 assistant out by recall, rule no_shared_anchor: turn 1 shares no anchor with the query" in text


def test_a_cut_component_says_where_it_was_cut():
    text = said(contains="LASTWORD", settings={"assembler.max_tokens": 150})
    assert "component manual out by assemble, rule cut_to_budget" in text
    assert "behind the cut" in text


def test_a_trimmed_turn_names_the_window():
    text = said(
        contains="patch cable", settings={"history": "full", "window.context_tokens": 120, "assembler.max_tokens": 20}
    )
    assert "out by window, rule trimmed" in text


def test_a_text_that_came_later_says_so():
    assert "it came later than this request (t0)" in said(turn=0, contains="lunch")
    assert "came after this request (t2)" in said(request=0, contains="up since noon")


def test_a_text_that_is_nowhere_says_so_and_other_capitals_are_found():
    assert "it stands nowhere in the session" in said(contains="zebra")
    assert "with other capitals only" in said(contains="NEVER REBOOT")


def test_a_present_text_is_shown_with_its_message_and_origin():
    text = said(excludes="Never")
    assert "message 0 (system): " in text
    assert "component rules in by window, rule sent" in text
    assert "(assistant of turn 2): look" in said(turn=2, excludes="look")


def test_too_many_tokens_name_the_largest():
    text = said(max_tokens=50)
    assert re.search(r"counts \d+ tokens, \d+ over max_tokens=50", text)
    assert "of the system message: component manual" in text
    total = int(re.search(r"counts (\d+)", text)[1])
    assert_context(data(), max_tokens=total)


def test_tools_count_too():
    tool = {"name": "look", "description": "word " * 50, "parameters": {}}
    text = said(data(tools=[tool]), max_tokens=10)
    assert "tool schemas" in text


@pytest.mark.parametrize(
    ("unwanted", "fails"),
    [
        (False, False),
        (True, True),
        ("warning", True),
        ("error", False),
        ("info", True),
        ("variable-not-rendered", True),
        (["orphan-result", "variable-not-rendered"], True),
        (["orphan-result"], False),
        ("finding severity>=warning and not finding id=variable-not-rendered", False),
        ("finding component=unused", True),
    ],
)
def test_findings_are_unwanted_by_severity_code_or_predicate(unwanted, fails):
    given = data(variables={"unused": "x"})
    if not fails:
        assert_context(given, turn=0, no_findings=unwanted)
        return
    text = said(given, turn=0, no_findings=unwanted)
    assert "variable-not-rendered unused" in text
    assert "ctxinspect explain" in text


def test_every_failed_expectation_is_in_the_message():
    text = said(contains=["zebra", "giraffe"], excludes="brief", max_tokens=1)
    assert text.count("t2r1 of Ports") == 4


def test_settings_are_those_of_the_test_alone():
    trace = assert_context(data(), settings={"window.strategy": "conservative"})
    assert trace.window.strategy == "conservative"


def test_hostile_content_is_shown_and_acts_on_nothing():
    given = data(title="a\x1b[31m\nb", turns=[{"user": "x \x1b[2J\u202e y", "assistant": "z"}])
    text = said(given, excludes="\x1b[2J")
    assert not re.search("[\x00-\x09\x0b-\x1f\u202e]", text)


def test_a_recording_is_asserted_as_recorded():
    file = case_file("001")
    trace = assert_context(file, contains="vent", excludes="zebra")
    assert trace.view == "recorded"
    assert "missing-result call_vent" in said(file, no_findings=True)
    assert "user" in said(file, excludes="vent")


@pytest.mark.parametrize(
    ("expected", "error"),
    [
        ({"turn": 9}, UsageError),
        ({"turn": -9}, UsageError),
        ({"request": 5}, UsageError),
        ({"view": "recorded"}, UsageError),
        ({"settings": {"window.stratgy": "x"}}, SettingsError),
        ({"settings": {"window.strategy": "x"}}, SettingsError),
        ({"no_findings": "no-such-rule"}, UsageError),
        ({"no_findings": "finding colour=red"}, UsageError),
    ],
)
def test_what_does_not_exist_is_no_assertion_error(expected, error):
    given = data(variables={"unused": "x"})
    with pytest.raises(error):
        assert_context(given, **expected)


def test_a_dict_that_is_no_session_names_the_place():
    with pytest.raises(UsageError, match=r"\$\.turns\[0\]\.user"):
        assert_context({"format": "ctxinspect/1", "turns": [{"user": 7}]})
    with pytest.raises(UsageError, match="no turns"):
        assert_context({"format": "ctxinspect/1"})


def test_a_file_that_is_not_there_is_an_input_error(tmp_path: Path):
    with pytest.raises((InputError, OSError)):
        assert_context(tmp_path / "none.json")


def test_samples_pass_what_their_readme_says():
    assert_context(SAMPLES / "network_ops.json", no_findings="error")
