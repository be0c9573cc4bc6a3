"""The lines of a comparison: within their width, complete, sanitised, in one column or two."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxinspect.model.session import Session
from ctxinspect.pipeline.compare import compare_steps
from ctxinspect.pipeline.effects import effects
from ctxinspect.pipeline.replay import Replay
from ctxinspect.readers import load
from ctxinspect.text.clip import cell_width
from ctxinspect.text.sanitize import sanitize
from ctxinspect.view.diff import comparison_value, diff_lines, setting_lines
from ctxinspect.view.effects import address_ranges, effects_summary, effects_table, session_value
from ctxinspect.view.jsonable import dump
from tests.pipeline.test_compare import overrides
from tests.pipeline.test_laws import sessions
from tests.support.build import call, result, round_, session, turn

SAMPLES = Path(__file__).resolve().parents[2] / "sample_sessions"


@pytest.fixture(scope="module")
def topics() -> Replay:
    return Replay(load(SAMPLES / "topics100.json"))


def compared(replay: Replay, turn_id: int, **paths):
    fork = replay.fork({path.replace("__", "."): value for path, value in paths.items()})
    return compare_steps(replay, replay.step(turn_id), fork, fork.step(turn_id))


def texts(comparison, **more) -> list[str]:
    return [line.text for line in diff_lines(comparison, **{"width": 100, **more})]


@given(sessions(), overrides, st.integers(20, 130), st.booleans(), st.booleans())
@settings(max_examples=25, deadline=None)
def test_every_line_fits_its_width_and_is_clean(data, paths, width, side_by_side, full):
    replay = Replay(Session.model_validate(data))
    fork = replay.fork(paths)
    for step in replay.steps:
        comparison = compare_steps(replay, step, fork, step)
        for line in diff_lines(comparison, width=width, side_by_side=side_by_side, full=full):
            assert cell_width(line.text) <= width
            assert sanitize(line.text) == line.text
            assert line.mark in ("=", "+", "-", "~", " ", "cause")


def test_the_head_says_what_is_compared_how_many_messages_and_how_many_tokens(topics):
    comparison = compared(topics, 58, gatekeeper__overlap_switch=0.01)
    lines = texts(comparison)
    assert lines[0] == "t58 under two settings   messages +2 -2 ~0 =2   tokens 127 -> 218 (+91)"
    assert lines[1] == "setting gatekeeper.overlap_switch 0.2 -> 0.01"
    assert lines[2].startswith("cause   gate: switch -> continue (overlap 0.0662 between 0.01 and 0.45)")


def test_every_link_of_the_chain_has_a_line_of_its_own_marked_as_a_cause(topics):
    comparison = compared(topics, 58, gatekeeper__overlap_switch=0.01)
    causes = [line.text for line in diff_lines(comparison, width=400) if line.mark == "cause"]
    assert [text.split()[0] for text in causes[1:]] == [f"{link.stage}:" for link in comparison.causes[1:]]
    assert len(causes) == len(comparison.causes)


def test_two_equal_requests_say_so(topics):
    step = topics.step(5)
    lines = texts(compare_steps(topics, step, topics, step))
    assert "t5 and itself" in lines[0]
    assert "unchanged" in lines[0]
    assert "no stage decided otherwise" in lines[1]
    assert any("messages unchanged" in line for line in lines)


def test_the_changed_words_of_a_message_stand_in_brackets(topics):
    lines = " ".join(text.strip() for text in texts(compared(topics, 1, gatekeeper__overlap_switch=0.4)))
    assert "try again.[- Never take it with SETNX" in lines
    assert lines.count("-]") == 1


def test_unchanged_messages_far_from_a_change_are_counted_and_shown_whole_when_asked(topics):
    comparison = compared(topics, 40, history="full")
    counted = [line for line in texts(compared(topics, 20, counter="chars/4")) if "messages unchanged" in line]
    assert counted == [(f"= {len(topics.trace(20).messages)} messages unchanged, "
                       f"{sum(m.tokens for m in topics.fork({'counter': 'chars/4'}).trace(20).messages)} tokens")]  # fmt: skip
    long = texts(comparison, full=True)
    for change in comparison.messages:
        row = change.after or change.before
        if change.mark == "+":
            assert any(row.content.split("\n")[0][:20] in line for line in long)


def test_side_by_side_has_before_on_the_left_and_after_on_the_right(topics):
    lines = texts(compared(topics, 58, gatekeeper__overlap_switch=0.01), side_by_side=True)
    body = lines[lines.index("messages") + 1 :]
    half = (100 - 3) // 2
    for line in body:
        if "|" in line:
            left = line.rsplit(" |", 1)[0]
            assert cell_width(left) <= half + 1
    assert any(line.startswith("-") and line.rstrip().endswith("|") for line in body)
    assert any(line.startswith(" " * half + " | +") for line in body)


def test_columns_of_chinese_text_stay_aligned(topics):
    lines = texts(compared(topics, 58, gatekeeper__overlap_switch=0.01), side_by_side=True, width=80)
    ends = {cell_width(line.split(" | ")[0]) for line in lines if " | " in line}
    assert ends == {(80 - 3) // 2}


def test_hostile_content_is_never_drawn_as_it_is():
    bad = "\x1b[31mred \u202e evil\u200b [bold]"
    replay = Replay(session(turn(bad, bad), turn("next " + bad, "x"), components=[], context={"history": "full"}))
    for line in texts(compared(replay, 1, window__context_tokens=20)):
        assert "\x1b" not in line
        assert "\u202e" not in line


def test_a_message_whose_call_ids_changed_says_which():
    turns = [turn("look", "done", round_([call("c1")], [result("c1", "x " * 400)])), turn("and", "y")]
    replay = Replay(session(*turns, context={"history": "full"}))
    lines = texts(compared(replay, 1, sequence__handle_over_tokens=10))
    assert any(line.startswith("~") and "tool" in line and "->" in line for line in lines)


def test_json_holds_every_message_once_with_edits_or_content(topics):
    comparison = compared(topics, 1, gatekeeper__overlap_switch=0.4)
    value = json.loads(dump(comparison_value(comparison)))
    assert value["format"] == "ctxinspect-diff/1"
    assert [m["mark"] for m in value["messages"]] == [change.mark for change in comparison.messages]
    assert value["settings"] == [{"path": "gatekeeper.overlap_switch", "before": 0.2, "after": 0.4}]
    assert [link["stage"] for link in value["causes"]] == [link.stage for link in comparison.causes]
    (changed,) = [m for m in value["messages"] if m["mark"] == "~"]
    assert changed["edits"]
    assert changed["tokens"][0] > changed["tokens"][1]
    assert not value["identical"]


# --- all requests ---


def test_the_summary_counts_requests_and_names_them_in_stretches(topics):
    fork = topics.fork({"gatekeeper.overlap_switch": 0.4})
    found = list(effects(topics, fork))
    first, *_, last = effects_summary(found)
    changed = [effect.step.turn for effect in found if effect.changed]
    assert first.startswith(f"{len(changed)} of 100 requests differ: t1")
    assert last.startswith("over all requests: tokens ")
    assert "switches 40 -> 44 (+4)" in last


def test_neighbours_are_one_stretch_and_what_is_not_named_is_counted(topics):
    found = list(effects(topics, topics))
    assert address_ranges(found, [at in (1, 2, 3, 7) for at in range(100)]) == "t1 to t3, t7"
    assert address_ranges(found, [at % 2 == 0 for at in range(100)]).endswith("t22 and 38 more")
    assert address_ranges(found, [False] * 100) == ""


def test_nothing_changed_is_a_sentence_and_an_empty_table(topics):
    found = list(effects(topics, topics))
    assert next(effects_summary(found)) == "no request differs: the model would see the same in all 100"
    assert effects_table(found) == []


def test_the_table_has_a_row_for_every_request_that_differs_and_counts_the_rest(topics):
    fork = topics.fork({"gatekeeper.overlap_switch": 0.4})
    found = list(effects(topics, fork))
    rows = effects_table(found)
    differing = sum(effect.changed or effect.stage is not None for effect in found)
    assert len(rows) == 2 + differing + 1
    assert rows[-1] == f"{100 - differing} more requests are the same on both sides"


def test_settings_of_the_gatekeeper_under_a_whole_history_say_why_they_change_nothing():
    replay = Replay(load(SAMPLES / "home_assistant.json"))
    lines = list(setting_lines(replay.settings, replay.fork({"gatekeeper.alpha": 0.1}).settings))
    assert lines[0] == "setting gatekeeper.alpha 0.8 -> 0.1"
    assert "history is full" in lines[1]
    assert len(list(setting_lines(replay.settings, replay.fork({"window.unit": "message"}).settings))) == 1


def test_the_json_of_a_session_has_totals_and_every_effect(topics):
    fork = topics.fork({"gatekeeper.overlap_switch": 0.4})
    found = list(effects(topics, fork))
    value = json.loads(dump(session_value(topics, fork, found, None)))
    assert value["requests"] == len(value["effects"]) == 100
    assert value["totals"]["switches"] == [40, 44]
    assert value["first"] is None
    assert value["effects"][1]["step"] == "t1"
