"""`ctxinspect convert`: bodies on stdout or in a file, losses on stderr, one line for bad usage."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ctxinspect.readers.load import load
from tests.cli.test_commands import NETWORK, refused, run, session, written
from tests.support.sdk import check_body

BROKEN = {
    "model": "gpt-4o",
    "messages": [
        {"role": "user", "content": "Look"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "a", "type": "function", "function": {"name": "look", "arguments": "{}"}}],
        },
        {"role": "user", "content": "And?"},
    ],
}


@pytest.mark.parametrize("target", ["openai", "openai-responses", "anthropic", "gemini"])
def test_a_session_becomes_one_body_and_what_it_lost_goes_to_stderr(target: str):
    code, out, err = run("convert", NETWORK, "--to", target)
    assert code == 0
    check_body(target, json.loads(out))
    assert "not as recorded: timestamp (8 times, here first)" in err
    assert all(line.startswith(NETWORK) for line in err.splitlines())


def test_a_native_file_opens_again_as_the_same_session(tmp_path: Path):
    for style, name in (("json", "copy.json"), ("jsonl", "copy.jsonl")):
        code, out, err = run("convert", NETWORK, "--to", "native", "--format", style, "-o", str(tmp_path / name))
        assert (code, out, err) == (0, "", "")
        again = load(tmp_path / name)
        assert again.turns == load(NETWORK).turns
    assert len((tmp_path / "copy.jsonl").read_text("utf-8").splitlines()) == len(again.turns) + 1


def test_one_request_is_written_as_it_is_built(tmp_path: Path):
    file = written(tmp_path, session(history="full"))
    _, out, _ = run("convert", file, "--to", "openai", "--turn", "1")
    assert [m["content"] for m in json.loads(out)["messages"]] == ["Hello there", "Hi", "Check port ge-0/0/1"]
    _, out, _ = run("convert", file, "--to", "openai", "--turn", "1", "--answer", "--model", "gpt-4o")
    assert json.loads(out)["messages"][-1]["content"] == "Up"
    assert json.loads(out)["model"] == "gpt-4o"


def test_settings_change_the_request_that_is_written(tmp_path: Path):
    file = written(tmp_path, session(history="full"))
    _, out, _ = run("convert", file, "--to", "openai", "--turn", "t1r0", "--set", "window.context_tokens=10")
    assert [m["content"] for m in json.loads(out)["messages"]] == ["Check port ge-0/0/1"]


def test_all_requests_are_one_body_a_line_and_open_as_a_capture(tmp_path: Path):
    file = written(tmp_path, session(history="full"))
    code, out, _ = run("convert", file, "--to", "openai", "--turn", "all")
    assert code == 0
    assert [len(json.loads(line)["messages"]) for line in out.splitlines()] == [1, 3]
    log = tmp_path / "log.jsonl"
    log.write_text(out, "utf-8")
    assert len(load(log).recorded) == 2


def test_every_single_loss_and_repair_stands_in_a_file_of_its_own(tmp_path: Path):
    file = written(tmp_path, BROKEN)
    losses = tmp_path / "losses.jsonl"
    code, out, err = run("convert", file, "--to", "anthropic", "--repair", "--losses", str(losses))
    assert code == 0
    assert "[interrupted: no result]" in out
    assert "repaired: stub a: result added" in err
    records = [json.loads(line) for line in losses.read_text("utf-8").splitlines()]
    assert [record["type"] for record in records] == ["repair", "loss", "loss"]
    assert records[0] == {
        "type": "repair",
        "step": None,
        "kind": "stub",
        "path": "$.messages[1]",
        "line": 1,
        "call_id": "a",
        "text": "result added: [interrupted: no result]",
        "detail": "",
    }


def test_a_recording_stays_broken_without_repair(tmp_path: Path):
    code, out, err = run("convert", written(tmp_path, BROKEN), "--to", "openai")
    assert (code, err) == (0, "")
    assert json.loads(out) == BROKEN


def test_lone_surrogates_and_separators_survive_the_way_through(tmp_path: Path):
    text = "a\ud800b\u2028c\x1b[31md"
    file = tmp_path / "odd.json"
    file.write_text(json.dumps({"model": "gpt-4o", "messages": [{"role": "user", "content": text}]}), "utf-8")
    _, out, _ = run("convert", str(file), "--to", "anthropic", "--turn", "all")
    assert json.loads(out)["messages"][0]["content"] == text
    assert "\x1b" not in out


def test_standard_input_is_read(tmp_path: Path):
    code, out, err = run("convert", "-", "--to", "openai", given=json.dumps(BROKEN).encode())
    assert (code, err) == (0, "")
    assert json.loads(out) == BROKEN


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path):
    kept = tmp_path / "kept.json"
    kept.write_text("before", "utf-8")
    refused("convert", written(tmp_path, b"{"), "--to", "openai", "-o", str(kept))
    assert kept.read_text("utf-8") == "before"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "--to"),
        (("--to", "yaml"), "openai-responses"),
        (("--to", "native", "--view", "replay"), "--view does not go with --to native"),
        (("--to", "native", "--turn", "all"), "--turn all does not go with --to native"),
        (("--to", "native", "--model", "m"), "--model does not go with --to native"),
        (("--to", "openai", "--turn", "99"), "turns 0 to 1"),
        (("--to", "openai", "--turn", "0", "--request", "7"), "requests 0 to 0"),
        (("--to", "openai", "--request", "0"), "--request needs --turn"),
        (("--to", "openai", "--answer"), "--answer goes with --turn"),
        (("--to", "openai", "--turn", "all", "--format", "json"), "use --format jsonl"),
        (("--to", "openai", "--set", "window.strategy=aggressive"), "--turn all"),
        (("--to", "openai", "--view", "recorded"), "no recording"),
    ],
)
def test_options_that_do_not_fit_are_one_line(tmp_path: Path, arguments: tuple[str, ...], said: str):
    assert said in refused("convert", written(tmp_path, session()), *arguments)
