"""Whatever is given, the answer is one clear line and exit code 2: what is wrong, where, and what would be right."""

from __future__ import annotations

import gzip
import json
import os
import re
import threading
from pathlib import Path

import pytest

from ctxinspect.cli import run

ROOT = Path(__file__).resolve().parents[2]
NETWORK = ROOT / "sample_sessions" / "network_ops.json"


def native(**more: object) -> bytes:
    return json.dumps({"format": "ctxinspect/1", "turns": [{"user": "hi", "assistant": "ho"}], **more}).encode()


FILES: dict[str, tuple[bytes, str]] = {
    "empty.json": (b"", "the file is empty"),
    "blank.jsonl": (b" \n \n", "the file is empty"),
    "truncated.json": (NETWORK.read_bytes()[:3000], "the file is cut short"),
    "binary.bin": (bytes(range(256)) * 40, "binary"),
    "text.txt": (b"hello world, this is no session\n", "unknown format"),
    "keys.json": (b'{"a": 1, "b": [1, 2]}', "the keys a, b"),
    "list.json": (b"[1, 2, 3]", "unknown format"),
    "wrongkey.json": (
        b'{"format": "ctxinspect/1", "turns": [{"usr": "hi"}]}',
        'unknown key "usr" @ $.turns[0].usr; did you mean "user"?',
    ),
    "wrongtype.json": (b'{"format": "ctxinspect/1", "turns": [{"user": 5}]}', "$.turns[0].user"),
    "later.json": (b'{"format": "ctxinspect/9", "turns": []}', 'this version reads "ctxinspect/1"'),
    "line.jsonl": (b'{"format": "ctxinspect/1"}\n{"turn": 1}\n', "line.jsonl:2: unknown key"),
    "damaged.gz": (gzip.compress(native())[:30], "damaged"),
    "limit0.json": (
        native(context={"window": {"context_limit": 0}}),
        "context_limit must be a positive integer, not 0",
    ),
    "limitx.json": (
        native(context={"window": {"context_limit": "128"}}),
        'context_limit must be a positive integer, not "128"',
    ),
    "limitbool.json": (
        native(context={"window": {"context_limit": True}}),
        "context_limit must be a positive integer, not true",
    ),
    "limithalf.json": (
        native(context={"window": {"context_limit": 1.5}}),
        "context_limit must be a positive integer, not 1.5",
    ),
}


def refused(capfd: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line of a command that ends with 2."""
    code = run(arguments)
    out, err = capfd.readouterr()
    assert (code, out) == (2, ""), err
    assert len(err.splitlines()) == 1, err
    assert err.startswith("ctxinspect: ")
    return err


@pytest.mark.parametrize("command", [["trace", "--turn", "0"], ["lint"]], ids=["trace", "lint"])
@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_no_session_is_one_line(name, command, tmp_path, capfd):
    content, said = FILES[name]
    path = tmp_path / name
    path.write_bytes(content)
    err = refused(capfd, command[0], str(path), *command[1:])
    assert said in err
    assert name in err


def test_a_missing_file_and_a_folder_without_sessions_are_named(tmp_path, capfd):
    assert "no such file" in refused(capfd, "trace", str(tmp_path / "nowhere.json"), "--turn", "0")
    assert "no session in this folder" in refused(capfd, "lint", str(tmp_path))


def test_a_session_without_turns_has_none_to_trace(tmp_path, capfd):
    path = tmp_path / "none.json"
    path.write_bytes(b'{"format": "ctxinspect/1", "turns": []}')
    assert "turn 0: no such turn; the session has no turns" in refused(capfd, "trace", str(path), "--turn", "0")
    assert run(["lint", str(path)]) == 0


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are of Unix")
def test_a_named_pipe_is_read_to_its_end(tmp_path, capfd):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(native(),), daemon=True)
    writer.start()
    assert run(["lint", str(path)]) == 0
    writer.join(timeout=10)
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.parametrize("term", ["dumb", "xterm"])
def test_without_a_terminal_the_inspector_names_the_headless_command(term, capfd, monkeypatch):
    monkeypatch.setenv("TERM", term)
    err = refused(capfd, str(NETWORK))
    assert "needs a terminal" in err
    assert "ctxinspect trace FILE --turn N" in err


@pytest.mark.parametrize(
    ("change", "findings"),
    [
        ("assembler.max_tokens=0", {"pinned-dropped"}),
        ("window.context_tokens=10", {"tools-over-budget", "system-over-budget", "over-budget"}),
        ("window.context_tokens=1600", {"over-budget"}),
        ("gatekeeper.token_budget=0", set()),
    ],
)
def test_a_budget_of_nothing_is_told_and_no_amount_is_below_nothing(change, findings, capfd):
    assert run(["trace", str(NETWORK), "--turn", "1", "--set", change, "--format", "json"]) == 0
    trace = json.loads(capfd.readouterr().out)
    assert findings <= {finding["id"] for finding in trace["findings"]}
    assert run(["trace", str(NETWORK), "--turn", "1", "--set", change, "--format", "text"]) == 0
    text = capfd.readouterr().out
    window = text[text.index("== window ==") :].split("\n== ")[0]
    assert re.search(r"\| -[0-9]", window) is None
    assert not any(
        word.startswith("-") and word[1:].isdigit() for word in " ".join(f["text"] for f in trace["findings"]).split()
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--set", "window.context_limit=0"], "window.context_limit=0: expected a positive integer, in K tokens"),
        (["--set", "window.context_limit=1.5"], "expected a positive integer, in K tokens"),
        (["--set", "window.stratgy=x"], 'did you mean "window.strategy"?'),
        (["--set", "window"], "expected PATH=VALUE"),
        (["--request", "9"], "turn 1 has requests 0 to"),
        (["--format", "xml"], "'xml' is not one of"),
    ],
)
def test_a_wrong_flag_says_what_would_be_right(arguments, said, capfd):
    assert said in refused(capfd, "trace", str(NETWORK), "--turn", "1", *arguments)
