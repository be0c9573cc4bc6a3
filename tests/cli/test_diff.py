"""`ctxinspect diff` as a user meets it: what is on stdout, what on stderr, which exit code."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.test_commands import refused, run

SAMPLES = Path(__file__).resolve().parents[2] / "sample_sessions"
TOPICS = str(SAMPLES / "topics100.json")
NETWORK = str(SAMPLES / "network_ops.json")


def recorded_file(folder: Path) -> str:
    """A recorded call whose tool result is large enough for the replay to store it."""
    call = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    data = {
        "model": "gpt-4o",
        "messages": [
            {"role": "user", "content": "look"},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "c1", "content": "word " * 3000},
            {"role": "assistant", "content": "seen"},
            {"role": "user", "content": "again"},
        ],
    }
    path = folder / "call.json"
    path.write_text(json.dumps(data), "utf-8")
    return str(path)


def test_two_requests_are_compared_with_their_cause():
    code, out, err = run("diff", TOPICS, "19", "t20")
    assert (code, err) == (0, "")
    assert out.startswith("t19 -> t20   messages +5 -9 ~0 =1   tokens 505 -> 211 (-294)\n")
    assert "gate: continue -> switch (overlap 0 < 0.2, new 1 > 0.7)" in out
    assert max(len(line) for line in out.splitlines()) <= 120


def test_one_address_is_compared_with_the_request_before_it():
    _, out, _ = run("diff", NETWORK, "t3r2")
    assert out.startswith("t3r1 -> t3r2 ")
    assert "ingest: 1 more round of t3" in out


def test_a_setting_shows_the_first_request_that_differs_and_how_many_others():
    code, out, err = run("diff", TOPICS, "--set", "gatekeeper.overlap_switch=0.01")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == "first request that differs: t58"
    assert "setting gatekeeper.overlap_switch 0.2 -> 0.01" in lines
    assert any(line.startswith("1 of 100 requests differ: t58") for line in lines)


def test_the_search_stops_at_the_first_request_where_asked():
    _, out, _ = run("diff", TOPICS, "--set", "gatekeeper.overlap_switch=0.4", "--first")
    assert out.startswith("first request that differs: t1\n")
    assert "requests differ" not in out


def test_an_address_with_a_setting_compares_that_request():
    _, out, _ = run("diff", NETWORK, "5", "--set", "window.strategy=aggressive")
    assert out.startswith("t5r1 under two settings")
    assert "window: strategy conservative -> aggressive" in out


def test_two_addresses_with_a_setting_are_both_under_it():
    _, out, _ = run("diff", TOPICS, "1", "2", "--set", "history=full", "--format", "json")
    value = json.loads(out)
    assert value["settings"] == []
    assert value["after"]["messages"] == 6


def test_every_request_has_a_row_where_asked():
    _, out, _ = run("diff", NETWORK, "--set", "window.unit=message", "--each")
    rows = [line for line in out.splitlines() if line.startswith("| t")]
    assert len(rows) == 16


def test_a_recording_is_compared_with_its_replay(tmp_path: Path):
    code, out, err = run("diff", recorded_file(tmp_path), "--recorded", "--exit-code")
    assert (code, err) == (1, "")
    assert "t0r1 recorded -> t0r1 replay" in out or "recorded -> t1 replay" in out
    assert "kept -> handle" in out
    _, out, _ = run("diff", recorded_file(tmp_path), "1", "--recorded", "--format", "json")
    value = json.loads(out)
    assert (value["before"]["view"], value["after"]["view"]) == ("recorded", "replay")


def test_json_of_a_session_holds_every_request():
    code, out, err = run("diff", NETWORK, "--set", "window.strategy=aggressive", "--format", "json")
    assert (code, err) == (0, "")
    value = json.loads(out)
    assert value["format"] == "ctxinspect-effects/1"
    assert value["first"] == value["comparison"]["before"]["address"]
    assert value["changed"] == sum(effect["changed"] for effect in value["effects"])


def test_side_by_side_keeps_to_the_width_given():
    _, out, _ = run("diff", TOPICS, "19", "20", "--side-by-side", "--width", "90")
    assert " | + " in out
    assert "\x1b" not in out


def test_the_exit_code_tells_a_difference_only_where_asked():
    assert run("diff", TOPICS, "3", "4")[0] == 0
    assert run("diff", TOPICS, "3", "4", "--exit-code")[0] == 1
    assert run("diff", TOPICS, "3", "3", "--exit-code")[0] == 0
    assert run("diff", TOPICS, "--set", "window.context_limit=128", "--exit-code")[0] == 0


def test_a_fork_that_changes_nothing_says_so():
    _, out, _ = run("diff", str(SAMPLES / "home_assistant.json"), "--set", "gatekeeper.alpha=0.1")
    assert "history is full" in out
    assert "no request differs: the model would see the same in all 27" in out


def test_bad_usage_is_one_line_that_says_what_would_be_right():
    assert "diff FILE 41 42" in refused("diff", TOPICS)
    assert "at most two" in refused("diff", TOPICS, "1", "2", "3")
    assert "turns 0 to 99" in refused("diff", TOPICS, "1", "400")
    assert "expected 42" in refused("diff", TOPICS, "x1", "2")
    assert "first request" in refused("diff", TOPICS, "0")
    assert "no recording" in refused("diff", TOPICS, "--recorded")
    assert "did you mean" in refused("diff", TOPICS, "--set", "window.stratgy=balanced")
    assert "balanced" in refused("diff", TOPICS, "--set", "window.strategy=tight")


def test_colour_repeats_the_marks_and_only_where_asked():
    _, out, _ = run("diff", TOPICS, "19", "20", "--color", "always")
    lines = out.splitlines()
    assert any(line.startswith("\x1b[31m- ") for line in lines)
    assert any(line.startswith("\x1b[36m+ ") for line in lines)
    assert any(line.startswith("\x1b[35mcause ") for line in lines)
    assert all(line.endswith("\x1b[0m") for line in lines if line.startswith("\x1b"))
    assert "\x1b" not in run("diff", TOPICS, "19", "20")[1]
