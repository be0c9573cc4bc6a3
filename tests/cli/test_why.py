"""`ctxinspect why` and `ctxinspect track` as a user sees them: stdout, stderr, exit code."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.test_commands import SAMPLES, refused, run, session, written

TOPICS = str(SAMPLES / "topics100.json")
AGENT = str(SAMPLES / "coding_agent.json")
DOCS = SAMPLES.parent / "docs" / "why.md"


def test_an_early_sentence_is_told_at_a_late_turn_of_its_topic_and_its_flip_holds_when_set():
    code, out, err = run("why", TOPICS, "--turn", "97", "Would Redlock")
    assert (code, err) == (0, "")
    assert "OUT    turn 4, user" in out
    assert "cover    x covered by turn 2" in out
    flag = re.findall(r"--set (\S+) \(now", out)[0]
    code, out, _ = run("why", TOPICS, "--turn", "97", "Would Redlock", "--set", flag)
    assert code == 0
    assert "1 in, 0 out" in out.splitlines()[0]


def test_at_a_turn_of_another_topic_another_stage_decides():
    _, out, _ = run("why", TOPICS, "--turn", "98", "Would Redlock")
    assert "recall   x turn 4 shares no anchor" in out
    code, out, _ = run("why", TOPICS, "--turn", "98", "Would Redlock", "--set", "history=full")
    assert code == 0
    assert "1 in, 0 out" in out.splitlines()[0]


def test_the_answer_as_json_has_every_stage_and_every_flip_with_its_flag():
    code, out, _ = run("why", TOPICS, "--turn", "97", "Would Redlock", "--format", "json")
    assert code == 0
    answer = json.loads(out)
    assert answer["format"] == "ctxinspect-why/1"
    (place,) = answer["places"]
    assert place["path"] == "$.turns[4].user"
    assert [stage["stage"] for stage in place["stages"]] == ["gate", "recall", "prune", "cover"]
    assert place["flips"][0]["set"] == ["gatekeeper.recall_limit=1"]
    assert all(flip["verified"] for flip in place["flips"])


def test_a_request_of_a_turn_is_chosen_by_option_or_address():
    first = run("why", AGENT, "--turn", "0", "--request", "0", "LOST_AFTER")[1]
    assert "5 places said later" in first
    assert run("why", AGENT, "--turn", "t0r0", "LOST_AFTER")[1] == first


def test_a_text_that_is_nowhere_is_fine():
    code, out, err = run("why", AGENT, "--turn", "0", "no such words")
    assert (code, err) == (0, "")
    assert "nowhere in the session" in out


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("--turn", "0", ""), "empty"),
        (("--turn", "999", "x"), "999"),
        (("--turn", "0", "--request", "99", "x"), "99"),
        (("--turn", "0", "--view", "recorded", "x"), "native"),
        (("--turn", "0", "--set", "histori=full", "x"), "history"),
        (("--turn", "0", "--flips", "-1", "x"), "-1"),
        (("--turn", "0"), "TEXT"),
        (("x",), "--turn"),
    ],
)
def test_bad_usage_of_why_is_one_line(arguments: tuple[str, ...], named: str):
    assert named in refused("why", AGENT, *arguments)


def test_hostile_content_reaches_no_line_raw(tmp_path: Path):
    data = session(history="full")
    data["turns"][0]["user"] = "needle \x1b[31mred\x1b[0m \u202e\n[bold]next[/bold]"
    _, out, _ = run("why", written(tmp_path, data), "--turn", "1", "needle")
    assert "\x1b" not in out
    assert "\u202e" not in out
    assert "[bold]" in out


def test_a_track_is_a_strip_and_the_causes_of_its_changes():
    code, out, err = run("track", AGENT, "LOST_AFTER", "window_old")
    assert (code, err) == (0, "")
    assert "  t0   .####################...." in out
    assert "turn 7 resets history" in out
    assert "call_01 was switched off" in out


def test_facts_of_a_file_must_survive_and_those_that_do_not_are_named(tmp_path: Path):
    facts = tmp_path / "facts.txt"
    facts.write_text("# facts\n\nLOST_AFTER\nnothing of the kind\n", "utf-8")
    code, out, err = run("track", AGENT, "--from-file", str(facts), "--must-survive")
    assert code == 1
    assert err.count("missing:") == 1
    assert '"LOST_AFTER" was in at t0r1 and is out at t7' in err
    assert "nothing of the kind" in out
    facts.write_text("parcels\n", "utf-8")
    assert run("track", AGENT, "--from-file", str(facts), "--must-survive", "--set", "history_resets=ignore")[0] in (
        0,
        1,
    )


def test_a_fact_that_survives_gives_exit_code_0(tmp_path: Path):
    path = written(tmp_path, session(history="full"))
    code, out, err = run("track", path, "Hello there", "--must-survive")
    assert (code, err) == (0, "")
    assert "##" in out


def test_a_track_as_json_has_one_cell_a_request():
    answer = json.loads(run("track", AGENT, "LOST_AFTER", "--format", "json")[1])
    (text,) = answer["texts"]
    assert len(text["states"]) == len(answer["steps"]) == 25
    assert text["first_in"] == [0, 1]
    assert [change["rule"] for change in text["changes"]] == ["said", "history_reset"]
    assert answer["survived"] is False


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ((), "no text"),
        (("",), "empty"),
        (("--from-file", "absent.txt"), "absent.txt"),
        (("x", "--view", "recorded"), "native"),
    ],
)
def test_bad_usage_of_track_is_one_line(arguments: tuple[str, ...], named: str):
    assert named in refused("track", AGENT, *arguments)


def test_a_file_of_facts_without_a_fact_or_not_text_is_refused(tmp_path: Path):
    facts = tmp_path / "facts.txt"
    facts.write_bytes(b"# only a comment\n")
    assert "no fact" in refused("track", AGENT, "--from-file", str(facts))
    facts.write_bytes(b"\xff\xfe\x00")
    assert "UTF-8" in refused("track", AGENT, "--from-file", str(facts))


def test_what_the_page_shows_is_what_the_commands_print():
    shown = re.findall(
        r"^```\n\$ ctxinspect (why|track) sample_sessions/(\S+) (.*)\n((?:.*\n)*?)```",
        DOCS.read_text("utf-8"),
        re.MULTILINE,
    )
    assert len(shown) == 3
    for command, file, rest, body in shown:
        arguments = [word.strip("'") for word in re.findall(r"'[^']*'|\S+", rest)]
        assert run(command, str(SAMPLES / file), *arguments)[1] == body


def test_a_text_that_begins_with_a_dash_stands_behind_two():
    network = str(SAMPLES / "network_ops.json")
    code, out, _ = run("track", network, "--", "-14.9 dBm")
    assert code == 0
    assert "in 6 of 16 requests" in out
    assert refused("track", network, "-14.9 dBm").endswith("begins with a dash stands behind --.\n")
