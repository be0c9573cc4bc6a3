"""Colour repeats what a letter says, stands only where it was asked for, and changes no character of the text."""

from __future__ import annotations

import re

from ctxinspect.cli.paint import paint_finding, paint_hit
from tests.cli.test_commands import NETWORK, run

ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


def test_the_letter_and_the_rule_of_a_finding_are_painted_and_nothing_else():
    line = "run.json:7: t4r1.render E missing-result c7 $.turns[4]: no result W here"
    painted = paint_finding(line)
    assert ESCAPES.sub("", painted) == line
    assert "\x1b[1;31mE missing-result\x1b[0m c7" in painted
    assert paint_finding("run.json: ingest W bad-content: x").count("\x1b") == 2
    assert paint_finding("run.json: 0 errors, 1 warning, 1 info").count("\x1b") == 0


def test_the_address_of_a_hit_is_painted():
    assert paint_hit("t4.gate          switch") == "\x1b[36mt4.gate\x1b[0m          switch"


def test_colour_comes_by_flag_or_variable_and_never_into_a_pipe_by_itself():
    for arguments in (["break", NETWORK, "--on", "topic"], ["lint", NETWORK]):
        plain = run(*arguments)[1]
        assert "\x1b" not in plain
        for painted in (
            run("--color", "always", *arguments)[1],
            run(*arguments, "--color", "always")[1],
            run(*arguments, env={"FORCE_COLOR": "1"})[1],
            run(*arguments, "--color=always", env={"NO_COLOR": "1"})[1],
        ):
            assert ESCAPES.sub("", painted) == plain
            assert painted != plain
        assert run(*arguments, env={"FORCE_COLOR": "1", "NO_COLOR": "1"})[1] == plain
        assert run(*arguments, env={"FORCE_COLOR": "1", "TERM": "dumb"})[1] == plain
        assert run("--color", "never", *arguments, env={"FORCE_COLOR": "1"})[1] == plain


def test_formats_for_machines_are_never_painted():
    for arguments in (["break", NETWORK, "--on", "topic", "--format", "jsonl"], ["lint", NETWORK, "--format", "json"]):
        assert "\x1b" not in run(*arguments, "--color", "always")[1]
