"""No output of any command holds a secret, and `--show-secrets` gives it back on every command that opens a session."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ctxinspect.cli.exits import guarded
from ctxinspect.cli.group import COMMANDS, cli

KEY = "sk-" + "ant-api03-" + "Qz7Rk2" * 6
TOKEN = "q7Wm2Zx9Lr4Tn8Kp1Vb6"
NOTHING_OPENED = {"completion", "config", "doctor", "explain", "keys", "samples", "schema"}


@pytest.fixture(params=["native", "foreign"])
def file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    call = {"id": "call_1", "name": "http", "arguments": {"headers": {"Authorization": f"Bearer {TOKEN}"}, "k": KEY}}
    native = {
        "format": "ctxinspect/1",
        "title": KEY,
        "components": [{"name": "system", "content": f"Use {KEY}."}],
        "turns": [
            {
                "user": f"{KEY}\nis mine",
                "rounds": [{"tool_calls": [call], "tool_results": [{"call_id": "call_1", "content": KEY}]}],
                "assistant": f"I used {KEY}.",
            }
        ],
    }
    function = {"name": "http", "arguments": json.dumps(call["arguments"])}
    foreign = {
        "model": "gpt-4o",
        "messages": [
            {"role": "system", "content": f"Use {KEY}."},
            {"role": "user", "content": f"{KEY}\nis mine"},
            {"role": "assistant", "tool_calls": [{"id": "call_1", "type": "function", "function": function}]},
            {"role": "tool", "tool_call_id": "call_1", "content": KEY},
            {"role": "assistant", "content": f"I used {KEY}. "},
        ],
    }
    made = tmp_path / "session.json"
    made.write_text(json.dumps(native if request.param == "native" else foreign), encoding="utf-8")
    return made


def _said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    code = guarded(cli, list(arguments))
    captured = capsys.readouterr()
    assert code in (0, 1), captured.err
    return captured.out + captured.err


_OUTPUTS = [
    *(("trace", "FILE", "--turn", "0", "--format", style) for style in ("json", "jsonl", "text", "md", "svg", "html")),
    ("trace", "FILE", "--turn", "all", "--format", "jsonl", "--ledger"),
    *(
        ("lint", "FILE", "--replay", "--format", style)
        for style in ("text", "json", "jsonl", "sarif", "junit", "github", "html")
    ),
    ("lint", "FILE", "--fix-plan"),
    *(("convert", "FILE", "--to", to) for to in ("native", "openai", "openai-responses", "anthropic", "gemini")),
    ("convert", "FILE", "--to", "openai", "--turn", "all"),
    ("diff", "FILE", "0", "--set", "window.strategy=aggressive"),
    ("why", "FILE", "used", "--turn", "0"),
    ("track", "FILE", "used"),
    ("break", "FILE", "--on", "finding"),
    ("inspect-file", "FILE"),
    ("inspect-file", "FILE", "--format", "json"),
]


@pytest.mark.parametrize("arguments", _OUTPUTS, ids=" ".join)
def test_no_output_holds_a_secret(arguments: tuple[str, ...], file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = _said(capsys, *(str(file) if word == "FILE" else word for word in arguments))
    assert KEY[:20] not in out
    assert "Rk2Qz7" not in out
    assert TOKEN[:8] not in out


def test_asked_for_they_are_shown_and_nothing_is_said_of_masks(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = _said(capsys, "trace", str(file), "--turn", "0", "--format", "json", "--show-secrets")
    assert KEY in out
    assert "masked" not in out


def test_one_line_on_stderr_says_how_many_were_masked(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert guarded(cli, ["trace", str(file), "--turn", "0"]) == 0
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert "2 secrets are masked" in err
    assert "--show-secrets" in err


def test_the_rule_fires_on_masks_with_the_same_words(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def found(*more: str) -> list[str]:
        guarded(cli, ["lint", str(file), "--replay", "--select", "secret-in-context", "--format", "jsonl", *more])
        return [json.loads(line)["text"] for line in capsys.readouterr().out.splitlines()]

    assert found() == found("--show-secrets") != []


def test_approved_contexts_hold_no_secret(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert guarded(cli, ["snapshot", "update", str(file.parent)]) == 0
    approved = file.with_name(file.name + ".context.txt").read_text(encoding="utf-8")
    assert KEY[:20] not in approved
    assert TOKEN[:8] not in approved
    assert guarded(cli, ["snapshot", "check", str(file.parent)]) == 0
    capsys.readouterr()


@pytest.mark.parametrize("command", [*sorted(set(COMMANDS) - NOTHING_OPENED), "open"])
def test_every_command_that_opens_a_session_has_the_option(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert guarded(cli, [command, "--help"]) == 0
    assert "--show-secrets" in capsys.readouterr().out
