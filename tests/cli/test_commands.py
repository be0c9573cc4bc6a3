"""Every command says what it found on stdout, what went wrong in one line on stderr, and which in its exit code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT_PATH = Path(__file__).resolve().parents[2]
SAMPLES = ROOT_PATH / "sample_sessions"
NETWORK = str(SAMPLES / "network_ops.json")


def run(*arguments: str, given: bytes = b"", env: dict[str, str] | None = None) -> tuple[int, str, str]:
    """Exit code, stdout and stderr of the program, as a user would see them."""
    done = subprocess.run(
        [sys.executable, "-m", "ctxinspect", *arguments],
        input=given,
        capture_output=True,
        timeout=100,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": "utf-8", **(env or {})},
    )
    return done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")


def refused(*arguments: str, given: bytes = b"") -> str:
    """The one line on stderr of a command that must end with 2 and print nothing."""
    code, out, err = run(*arguments, given=given)
    assert code == 2, err
    assert out == ""
    assert len(err.strip().splitlines()) == 1, err
    assert "Traceback" not in err
    return err


def session(**context: object) -> dict[str, object]:
    return {
        "format": "ctxinspect/1",
        "context": context,
        "turns": [{"user": "Hello there", "assistant": "Hi"}, {"user": "Check port ge-0/0/1", "assistant": "Up"}],
    }


def written(folder: Path, data: object) -> str:
    path = folder / "session.json"
    path.write_bytes(data if isinstance(data, bytes) else json.dumps(data).encode())
    return str(path)


@pytest.mark.parametrize(
    "data",
    [b"", b'{"format": "ctxinspect/1", "turns": [', bytes(range(256)) * 4, b"not json at all"],
    ids=["empty", "truncated", "binary", "not JSON"],
)
def test_a_file_that_cannot_be_read_is_one_line_and_exit_code_2(tmp_path: Path, data: bytes):
    assert "session.json" in refused("trace", written(tmp_path, data), "--turn", "0")


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path):
    assert "absent.json" in refused("trace", str(tmp_path / "absent.json"), "--turn", "0")
    assert tmp_path.name in refused("trace", str(tmp_path), "--turn", "0")


def test_an_unknown_key_is_named_with_its_path_and_the_nearest_name(tmp_path: Path):
    data = session()
    data["context"] = {"window": {"stratgy": "balanced"}}
    err = refused("trace", written(tmp_path, data), "--turn", "0")
    assert "stratgy" in err
    assert "strategy" in err.replace("stratgy", "")
    assert "window" in err


def test_an_unknown_format_is_refused(tmp_path: Path):
    assert "nosuch" in refused("trace", written(tmp_path, session()), "--turn", "0", "--from", "nosuch")
    assert "yaml" in refused("trace", written(tmp_path, session()), "--turn", "0", "--format", "yaml")


def test_a_session_in_a_pipe_is_traced(tmp_path: Path):
    code, out, err = run("trace", "-", "--turn", "1", "--format", "json", given=json.dumps(session()).encode())
    assert (code, err) == (0, "")
    assert json.loads(out)["turn_id"] == 1


def test_an_invalid_context_limit_is_refused_with_its_range(tmp_path: Path):
    err = refused("trace", written(tmp_path, session(window={"context_limit": 0})), "--turn", "0")
    assert "context_limit" in err


def test_a_budget_of_nothing_still_gives_a_trace_with_findings(tmp_path: Path):
    data = session(assembler={"max_tokens": 0}, gatekeeper={"token_budget": 0}, window={"context_tokens": 1})
    code, out, _ = run("trace", written(tmp_path, data), "--turn", "1", "--format", "json")
    assert code == 0
    trace = json.loads(out)
    assert trace["findings"]
    assert trace["messages"][-1]["content"] == "Check port ge-0/0/1"


def test_tools_larger_than_the_budget_are_found(tmp_path: Path):
    data = session(window={"context_tokens": 100})
    data["tools"] = [{"name": "t", "description": "word " * 500, "parameters": {"type": "object", "properties": {}}}]
    code, out, err = run("trace", written(tmp_path, data), "--turn", "1", "--format", "json")
    assert code == 0, err
    trace = json.loads(out)
    assert trace["window"]["tool_tokens"] > trace["window"]["input_budget"]
    assert any(f["severity"] == "error" and f["stage"] == "window" for f in trace["findings"])


@pytest.mark.parametrize("style", ["text", "md", "svg", "json", "jsonl"])
def test_every_format_of_a_trace_is_printed(style: str):
    code, out, err = run("trace", NETWORK, "--turn", "2", "--format", style)
    assert (code, err) == (0, "")
    assert out.endswith("\n")
    assert "\x1b" not in out


def test_every_request_is_one_object_a_line():
    code, out, _ = run("trace", NETWORK, "--turn", "all", "--format", "jsonl")
    assert code == 0
    steps = [(trace["turn_id"], trace["request"]) for trace in map(json.loads, out.splitlines())]
    assert steps == sorted(set(steps))
    assert len(steps) > 1


@pytest.mark.parametrize("turn", ["999", "x", "-1"])
def test_a_turn_that_is_not_there_is_refused(turn: str):
    assert turn in refused("trace", NETWORK, f"--turn={turn}")


@pytest.mark.parametrize(
    ("override", "named"),
    [
        ("window.strategy=reckless", "window.strategy"),
        ("window.stratgy=balanced", "window.strategy"),
        ("nothing", "PATH=VALUE"),
        ("assembler.buffer=1", "assembler.buffer"),
        ("gatekeeper.recent_turns=-1", "gatekeeper.recent_turns"),
    ],
)
def test_an_override_that_cannot_be_is_refused_with_its_path(override: str, named: str):
    assert named in refused("trace", NETWORK, "--turn", "1", "--set", override)


def test_a_pipe_that_closes_early_ends_without_a_word():
    command = [sys.executable, "-m", "ctxinspect", "trace", NETWORK, "--turn", "all", "--format", "jsonl"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        err = process.stderr.read()
        code = process.wait(timeout=100)
    assert (code, err) == (0, b"")


@pytest.mark.parametrize("encoding", ["ascii", "gbk"])
@pytest.mark.parametrize("style", ["text", "md", "json"])
def test_a_terminal_of_another_encoding_never_breaks_the_output(encoding: str, style: str):
    code, out, err = run("trace", NETWORK, "--turn", "2", "--format", style, env={"PYTHONIOENCODING": encoding})
    assert (code, err) == (0, "")
    assert out


def test_schema_samples_and_explain_answer():
    code, out, _ = run("schema", "trace")
    assert code == 0
    assert json.loads(out)["$schema"]
    code, out, _ = run("samples")
    assert code == 0
    assert "network_ops" in out
    code, out, _ = run("explain", "cache-prefix-break")
    assert code == 0
    assert "cache-prefix-break" in out
    assert "cache-prefix-break" in refused("explain", "cache-prefix-brake")


@pytest.mark.parametrize("name", ["trace", "lint", "schema", "samples", "explain"])
def test_a_command_explains_its_use(name: str):
    code, out, err = run(name, "--help")
    assert (code, err) == (0, "")
    assert "Usage" in out
