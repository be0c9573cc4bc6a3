"""The program on a real terminal: refusals, a pipe, colour or none, copies, and how little a step sends."""

from __future__ import annotations

import os
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.support.build import session, turn
from tests.support.pty import Terminal

ROOT = Path(__file__).resolve().parents[2]
TOPICS = ROOT / "sample_sessions" / "topics100.json"
PRESSURE = ROOT / "sample_sessions" / "rag_pressure.json"
STEP_BYTES = 10_000
"""What a step may send to the terminal at 120x40."""


@pytest.fixture
def env(tmp_path):
    """An environment of its own: no configuration, no state, no clipboard of this machine."""
    away = dict.fromkeys(("DISPLAY", "WAYLAND_DISPLAY", "SSH_TTY", "SSH_CONNECTION", "SSH_CLIENT", "CTXINSPECT_THEME"))
    return {"XDG_STATE_HOME": str(tmp_path / "state"), "XDG_CONFIG_HOME": str(tmp_path / "config"), **away}


@pytest.mark.parametrize("case", ["no keyboard", "dumb", "no screen"])
def test_without_a_terminal_one_line_names_the_headless_commands(case, tmp_path):
    environ = {**os.environ, "TERM": "dumb" if case == "dumb" else "xterm-256color"}
    done = subprocess.run(
        [sys.executable, "-m", "ctxinspect", str(PRESSURE)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=environ,
        start_new_session=True,  # no controlling terminal to fall back on
        check=False,
        timeout=60,
    )
    assert done.returncode == 2
    assert done.stdout == b""
    assert b"\x1b" not in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert b"ctxinspect trace FILE --turn N" in done.stderr


def test_the_refusals_come_before_the_toolkit_is_loaded():
    code = (
        "import sys\nfrom ctxinspect.cli import run\n"
        f"assert run([{str(PRESSURE)!r}]) == 2\nassert 'textual' not in sys.modules"
    )
    environ = {**os.environ, "TERM": "dumb"}
    subprocess.run([sys.executable, "-c", code], env=environ, check=True, capture_output=True, timeout=60)


def test_a_session_from_a_pipe_opens_and_takes_keys(env):
    with Terminal(["-"], env=env, stdin=PRESSURE) as terminal:
        terminal.until("t6/7")
        terminal.press("[")
        assert "t5/7" in terminal.lines[0]
        terminal.press("q")
        assert terminal.wait() == 0


def test_a_reader_that_has_seen_enough_ends_it_silently():
    command = f"{sys.executable} -m ctxinspect trace {TOPICS} --turn all --format jsonl | head -1"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, check=False, timeout=60)
    assert done.stderr == b""
    assert done.stdout.startswith(b"{")


@pytest.mark.parametrize("keys", ["", "?", "\x10", "yx"])
def test_with_no_color_no_colour_is_ever_sent(env, keys):
    with Terminal([str(PRESSURE)], env={**env, "NO_COLOR": "1"}) as terminal:
        terminal.until("t6/7")
        for key in keys:
            terminal.press(key)
        told = b";".join(re.findall(rb"\x1b\[([0-9;]*)m", terminal.received)).split(b";")
        assert set(told) <= {b"0", b"1", b"2", b"3", b"4", b"7", b"39", b"49"}


def test_an_empty_no_color_counts_as_unset(env):
    with Terminal([str(PRESSURE)], env={**env, "NO_COLOR": ""}) as terminal:
        terminal.until("t6/7")
        assert b"38;2;" in terminal.received


@pytest.mark.parametrize("arguments", [["trace", str(PRESSURE), "--turn", "1"], ["lint", str(PRESSURE)], ["--help"]])
def test_piped_commands_send_no_escape(arguments):
    done = subprocess.run(
        [sys.executable, "-m", "ctxinspect", *arguments], capture_output=True, check=False, timeout=60
    )
    assert b"\x1b" not in done.stdout + done.stderr


@pytest.mark.parametrize("theme", ["ctx-dark", "ctx-ansi"])
def test_a_step_sends_at_most_ten_kilobytes(env, theme):
    with Terminal([str(TOPICS), "--at", "t50", "--theme", theme], size=(120, 40), env=env) as terminal:
        terminal.until("t50/100")
        indexed(terminal)
        for key in "..s]":
            terminal.press(key)  # what the first moves alone draw
        sent = {
            "request": [terminal.press(".") for _ in range(8)],
            "turn": [terminal.press("[") for _ in range(4)],
            "stage": [terminal.press("s") for _ in range(9)],
            "panel": [terminal.press("\t") for _ in range(9)],
            "row": [terminal.press("j") for _ in range(4)],
        }
    medians = {kind: statistics.median(counts) for kind, counts in sent.items()}
    assert all(median <= STEP_BYTES for median in medians.values()), medians
    assert max(sent["request"] + sent["turn"]) <= 1.2 * STEP_BYTES, sent
    assert medians["row"] <= 0.2 * STEP_BYTES


def indexed(terminal: Terminal) -> None:
    """Wait until the strip knows every turn."""
    terminal.until(lambda text: "indexing" not in text and "S40" in text)


def test_a_long_copy_goes_to_a_file_and_its_path_is_said(env, tmp_path):
    long = tmp_path / "long.json"
    long.write_text(session(turn("word " * 40_000, None)).model_dump_json(), "utf-8")
    with Terminal([str(long)], size=(160, 30), env=env) as terminal:
        terminal.until("t0/1")
        terminal.press("7jym")
        said = terminal.until("COPY   wrote")
        (path,) = (tmp_path / "state" / "ctxinspect" / "copies").iterdir()
        assert path.stat().st_size > 200_000
        assert re.search(rf"wrote 200\.\d kB to {re.escape(str(path)[:40])}", said)


def test_a_short_copy_is_sent_to_the_terminal(env):
    with Terminal([str(TOPICS), "--at", "t99"], env=env) as terminal:
        terminal.until("t99/100")
        terminal.press("y")
        terminal.press("p")
        terminal.until("COPY   sent 3 B to the terminal (OSC 52)")
        assert b"\x1b]52;c;dDk5\x07" in terminal.received


def test_under_tmux_the_copy_goes_through_tmux(env, tmp_path):
    (tmp_path / "bin").mkdir()
    tmux = tmp_path / "bin" / "tmux"
    tmux.write_text(f'#!/bin/sh\necho "$@" > {tmp_path}/called\ncat > {tmp_path}/given\n')
    tmux.chmod(0o755)
    environ = {**env, "TMUX": "/tmp/none,1,0", "PATH": f"{tmux.parent}:{os.environ['PATH']}"}
    with Terminal([str(TOPICS), "--at", "t99"], env=environ) as terminal:
        terminal.until("t99/100")
        terminal.press("y")
        terminal.press("p")
        terminal.until("COPY   gave 3 B to tmux")
    assert (tmp_path / "called").read_text() == "load-buffer -w -\n"
    assert (tmp_path / "given").read_text() == "t99"


def test_the_pager_gets_the_terminal_and_gives_it_back(env, tmp_path):
    pager = tmp_path / "pager"
    pager.write_text('#!/bin/sh\nprintf "PAGER HAS IT\\r\\n"\nhead -3 "$1"\nread answer\n')
    pager.chmod(0o755)
    with Terminal([str(PRESSURE)], size=(120, 40), env={**env, "PAGER": str(pager)}) as terminal:
        terminal.until("t6/7")
        terminal.press("v")
        terminal.until("PAGER HAS IT")
        terminal.press("\n")
        text = terminal.until("BACK   from")
        assert "3 COMPONENTS" in text
        terminal.press(",")
        assert "t5/7" in terminal.lines[0]


def test_a_pager_that_is_not_there_is_one_line(env):
    with Terminal([str(PRESSURE)], env={**env, "PAGER": "/no/such/pager"}) as terminal:
        terminal.until("t6/7")
        terminal.press("v")
        terminal.until("ERROR  the pager '/no/such/pager' is not to be found")


def test_a_live_resize_keeps_address_and_selection(env):
    with Terminal([str(TOPICS), "--at", "t50"], size=(120, 40), env=env) as terminal:
        terminal.until("t50/100")
        terminal.press("7")
        terminal.press("jj")
        chosen = next(line for line in terminal.lines if line.lstrip(" |").startswith(">") or "|>" in line)
        for size in ((80, 24), (20, 5), (1, 1), (10, 3), (200, 60), (120, 40)):
            terminal.resize(*size)
            time.sleep(0.1)
            terminal.settle()
        terminal.until("t50/100")
        assert chosen.split("|")[-1] in terminal.text


@pytest.mark.parametrize("key", ["q", "\x11", "\x03"])
def test_leaving_gives_the_terminal_back(env, key):
    with Terminal([str(PRESSURE)], env=env) as terminal:
        terminal.until("t6/7")
        terminal.press(key)
        assert terminal.wait() == 0
        assert b"\x1b[?1049l" in terminal.received
        assert b"Traceback" not in terminal.received
