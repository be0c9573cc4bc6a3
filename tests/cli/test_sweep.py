"""`ctxinspect sweep` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.test_commands import refused, run

SAMPLES = Path(__file__).resolve().parents[2] / "sample_sessions"
PRESSURE = str(SAMPLES / "rag_pressure.json")
TOPICS = str(SAMPLES / "topics100.json")


def rows(out: str) -> list[list[str]]:
    table = [line for line in out.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("| ").split(" | ")] for line in table[2:]]


def test_values_parted_by_commas_are_one_row_each_with_the_needle_and_the_flips():
    code, out, err = run("sweep", PRESSURE, "--set", "assembler.max_tokens=520,640,760,880", "--needle", "Example 2")
    assert (code, err) == (0, "")
    assert [row[0] for row in rows(out)] == ["520 *", "640", "760", "880"]
    assert [row[-1] for row in rows(out)] == ["2 of 9", "4 of 9", "9 of 9", "9 of 9"]
    assert "needle Example 2 out -> in between assembler.max_tokens 627 and 628" in out


def test_a_json_array_gives_its_items():
    _, out, _ = run("sweep", PRESSURE, "--set", "sequence.handle_over_tokens=[null, 10]")
    assert [row[0] for row in rows(out)] == ["as is *", "null", "10"]


def test_words_and_several_settings_are_combined():
    _, out, _ = run(
        "sweep", TOPICS, "--set", "gatekeeper.lexical=idf,bm25", "--set", "gatekeeper.content_filter=true,false"
    )
    assert [row[:2] for row in rows(out)] == [
        ["idf *", "true"],
        ["idf", "false"],
        ["bm25", "true"],
        ["bm25", "false"],
    ]


def test_what_a_fork_drops_is_swept_item_by_item():
    _, out, _ = run("sweep", PRESSURE, "--set", "what_if.drop=component:tool_guide,component:closing")
    assert [row[0] for row in rows(out)][1:] == ['["component:tool_guide"]', '["component:closing"]']


def test_json_is_the_whole_sweep():
    _, out, _ = run("sweep", PRESSURE, "--set", "assembler.max_tokens=520,640", "--format", "json")
    value = json.loads(out)
    assert value["format"] == "ctxinspect-sweep/1"
    assert [row["as_is"] for row in value["rows"]] == [True, False]


def test_bad_usage_is_one_line_that_says_what_would_be_right():
    assert "--set PATH=V1,V2" in refused("sweep", PRESSURE)
    assert "did you mean" in refused("sweep", PRESSURE, "--set", "assembler.max_token=1,2")
    assert "max_tokens=-1" in refused("sweep", PRESSURE, "--set", "assembler.max_tokens=520,-1")
    assert "a value is missing" in refused("sweep", PRESSURE, "--set", "assembler.max_tokens=520,,640")
    assert "200" in refused("sweep", PRESSURE, "--set", "assembler.max_tokens=" + ",".join(map(str, range(1, 300))))
    assert "is empty" in refused("sweep", PRESSURE, "--set", "assembler.max_tokens=1", "--needle", " ")
