"""An approved context says everything that was sent, and a difference names its cause."""

from __future__ import annotations

import re
from typing import Any

import pytest

from ctxinspect.errors import InputError
from ctxinspect.model.session import Session
from ctxinspect.pipeline.replay import Replay
from ctxinspect.view.snapshot import FORMAT, snapshot_text
from ctxinspect.view.snapshot_diff import SnapshotDiff, compare
from ctxinspect.view.snapshot_text import read_snapshot


def replay(turns: int = 3, rules: str = "Be brief.", **more: Any) -> Replay:
    data: dict[str, Any] = {
        "format": "ctxinspect/1",
        "components": [
            {"name": "rules", "content": rules, "priority": 90},
            {"name": "facts", "content": "Port 7 is up."},
        ],
        "turns": [
            {"user": f"Question {n} about port {n}", "assistant": f"Answer {n} " + "word " * 30} for n in range(turns)
        ],
        "context": {"history": "full"},
    }
    return Replay(Session.model_validate({**data, **more}))


def difference(old: Replay, new: Replay) -> SnapshotDiff:
    return compare(snapshot_text(old), snapshot_text(new), "a.json.context.txt")


def test_the_text_holds_every_message_component_gate_and_sum():
    text = snapshot_text(replay())
    assert text.startswith(FORMAT + "\n")
    assert text.endswith("\n== end\n")
    for part in (
        *('component "rules": kept by fits, ', "gate: start by no_history", "window budget: ", "window request: "),
        *(
            "message user t2: kept, ",
            "  | Question 2 about port 2",
            "  | # RULES",
            'setting window.strategy: "balanced"',
        ),
    ):
        assert part in text


def test_a_text_stands_once_in_full_and_later_by_its_digest():
    text = snapshot_text(replay())
    assert text.count("  | Question 0 about port 0") == 1
    assert "messages 0 to 1: as in t0\n" in text
    small = snapshot_text(replay().fork({"window.context_tokens": 170}))
    assert ", text in t0\n" in small


def test_a_request_that_begins_like_the_one_before_is_read_back_whole():
    sections, _ = read_snapshot(snapshot_text(replay(5)), "a")
    assert [line.subject for line in sections["t4"].messages] == [
        *("system", *(f"{role} t{turn}" for turn in range(4) for role in ("user", "assistant")), "user t4"),
    ]


@pytest.mark.parametrize(
    "line", ["messages 0 to 9: as in t0", "messages 0 to 1: as in t7", "messages 0 to 1: as in t1"]
)
def test_a_reference_that_leads_nowhere_is_refused(line: str):
    text = snapshot_text(replay())
    with pytest.raises(InputError, match="is no line of an approved context"):
        compare(text.replace("messages 0 to 1: as in t0", line), text, "a")


def test_nothing_differs_from_itself():
    assert difference(replay(), replay()).differences == ()
    assert list(difference(replay(), replay()).lines()) == []


def test_a_setting_is_named_as_the_cause():
    found = difference(replay(), replay().fork({"window.strategy": "conservative"}))
    assert found.cause == 'setting window.strategy: "balanced" -> "conservative"'
    assert any("window budget" in line and "(3 requests)" in line for line in found.lines())


def test_a_component_is_named_as_the_cause_with_the_changed_line():
    found = difference(replay(), replay(rules="Be very brief."))
    assert found.cause.startswith('t0.assemble component "rules":')
    lines = list(found.lines())
    assert "    - | Be brief." in lines
    assert "    + | Be very brief." in lines


def test_a_turns_own_words_come_before_every_stage():
    one, other = replay(), replay()
    turns = list(other.session.turns)
    turns[1] = turns[1].model_copy(update={"user": "Something else about port 1"})
    found = difference(one, Replay(other.session.model_copy(update={"turns": tuple(turns)})))
    assert found.cause.startswith("t1.ingest message user t1:")


def test_a_turn_that_is_trimmed_now_is_named():
    found = difference(replay(), replay().fork({"window.context_tokens": 170}))
    lines = "\n".join(found.lines())
    assert "dropped turn t0: new" in lines
    assert "message user t0: gone" in lines


def test_requests_that_are_new_or_gone_are_named():
    assert difference(replay(3), replay(4)).cause == "t3 is new: the session has other requests"
    assert difference(replay(4), replay(3)).cause == "t3 is gone: the session has other requests"


def test_a_changed_tool_is_named():
    tool = {"name": "look", "description": "Looks.", "parameters": {}}
    found = difference(replay(tools=[tool]), replay(tools=[{**tool, "description": "Looks twice."}]))
    assert found.cause.startswith('tool "look": text changed')


def test_like_differences_are_one_line_and_the_rest_is_counted():
    found = difference(replay(6), replay(6, rules="Be very brief."))
    assert sum('component "rules"' in line for line in list(found.lines())[1:]) == 1
    assert list(found.lines(1))[-1].endswith("more differences")


@pytest.mark.parametrize(
    "text", ["a\\b", "x \x1b[31m", "end ", "\u202eabc", "== t0", "message user t0: kept", "a\rb\x85c\u2028d", ""]
)
def test_hostile_content_cannot_break_the_format(text: str):
    old = replay(rules=text + "|1")
    new = replay(rules=text + "|2")
    assert "\x1b" not in snapshot_text(old)
    assert difference(old, old).differences == ()
    assert difference(old, new).cause.startswith('t0.assemble component "rules":')


@pytest.mark.parametrize("name", ['a": kept', "a: b", "x, y #1", "line\nbreak", ""])
def test_a_hostile_name_cannot_break_the_format(name: str):
    components = [{"name": name, "content": "one"}]
    found = difference(replay(components=components), replay(components=[{"name": name, "content": "two"}]))
    assert "text changed" in found.cause


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda text: text.replace(FORMAT, "ctxinspect-snapshot/2"), "its format is 'ctxinspect-snapshot/2'"),
        (lambda text: text[: len(text) // 2], "it is not whole"),
        (lambda text: text.replace("== t1", "<<<<<<< HEAD\n== t1"), "'<<<<<<< HEAD' is no line"),
        (lambda _: "", "its format is ''"),
        (lambda text: text.replace("== session\n", ""), "is no line of an approved context"),
        (lambda text: text.replace("== settings\n", ""), "'== t0' is no line"),
        (lambda text: text[: text.index("== settings")] + "== end\n", "'== settings' is not there"),
        (lambda text: text.replace("== t1\n", "== t0\n"), "'== t0' is no line"),
        (lambda text: text.replace("== t1\n", "== first\n"), "'== first' is no line"),
        (lambda text: text.replace("  | ", "  | x", 1), "it was changed: the text #"),
        (lambda text: re.sub(r"^  \| .*\n", "", text, count=1, flags=re.MULTILINE), "it was changed: the text #"),
    ],
)
def test_what_is_no_approved_context_is_refused_with_its_line(change: Any, said: str):
    text = snapshot_text(replay())
    with pytest.raises(InputError, match=r"context\.txt:") as caught:
        compare(change(text), text, "a.json.context.txt")
    assert said in str(caught.value)


def test_what_changes_from_run_to_run_changes_nothing():
    one = replay(rules="Now is 2026-03-04T05:06:07Z, request 3f2b8c1e-1d2c-4a5b-9c8d-0123456789ab.")
    other = replay(rules="Now is 2027-11-12T13:14:15Z, request 9a2b8c1e-1d2c-4a5b-9c8d-ba9876543210.")
    assert difference(one, other).differences == ()
    assert "volatile time: 1 replaced" in snapshot_text(one)
