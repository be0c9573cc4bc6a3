"""`ctxinspect eval` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.test_commands import refused, run

SAMPLES = Path(__file__).resolve().parents[2] / "sample_sessions"
TOPICS = str(SAMPLES / "topics100.json")


def test_the_reference_session_has_no_contamination_and_recalls():
    code, out, err = run("eval", TOPICS)
    assert (code, err) == (0, "")
    assert "0 selected turns of another topic, on 0 switches" in out
    assert "37 of 37 switches back to a topic" in out


def test_a_setting_changes_what_is_measured():
    _, out, _ = run("eval", TOPICS, "--set", "gatekeeper.content_filter=false", "--format", "json")
    (value,) = json.loads(out)["files"]
    assert value["contaminated_switches"] == [56, 57, 94, 98]


def test_every_switch_has_a_row_where_asked():
    _, out, _ = run("eval", TOPICS, "--each")
    assert sum(line.startswith("| t") for line in out.splitlines()) == 41


def test_several_files_are_summed():
    code, out, _ = run("eval", TOPICS, TOPICS)
    assert code == 0
    assert "all 2 sessions: 200 turns, 78 label changes" in out


def test_a_file_without_labels_is_named_and_the_others_are_measured():
    plain = str(SAMPLES / "network_ops.json")
    assert "turns[].topic" in refused("eval", plain)
    code, out, err = run("eval", plain, TOPICS)
    assert code == 2
    assert "network_ops.json: no turn has a topic label" in err
    assert "100 turns" in out
