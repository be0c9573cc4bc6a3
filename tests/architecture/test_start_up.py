"""What is cheap stays cheap: no face loads what it does not need."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PLAIN = {name: value for name, value in os.environ.items() if not name.startswith("COV")}
"""The environment without what makes a program measure itself."""
HEAVY = ("textual", "pydantic", "tiktoken", "rich")


def loaded(code: str) -> set[str]:
    script = f"{code}\nimport sys\nprint('\\n' + ' '.join(m for m in {HEAVY!r} if m in sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, env=PLAIN)
    return set(done.stdout.splitlines()[-1].split())


@pytest.mark.parametrize("words", ["['--version']", "['--help']", "['explain', 'orphan-result']"])
def test_these_commands_load_neither_textual_nor_pydantic_nor_tiktoken(words):
    assert loaded(f"from ctxinspect.cli import run\nassert run({words}) == 0") == set()


@pytest.mark.parametrize("word", ["--version", "--help"])
def test_version_and_help_load_none_of_the_systems(word):
    code = f"from ctxinspect.cli import run\nassert run([{word!r}]) == 0"
    script = f"{code}\nimport sys\nprint('\\n' + ' '.join(m for m in sys.modules if m.startswith('ctxinspect.')))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, env=PLAIN)
    parts = {name.split(".")[1] for name in done.stdout.splitlines()[-1].split()}
    assert parts <= {"cli", "errors", "text", "version"}


def test_the_version_is_told_within_the_modules_that_click_needs():
    command = [sys.executable, "-X", "importtime", "-m", "ctxinspect", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=PLAIN)
    imported = {line.rsplit("|", 1)[-1].strip().split(".")[0] for line in done.stderr.splitlines()}
    assert not imported & {
        *HEAVY,
        "typing_extensions",
        "platformdirs",
        "importlib_metadata",
        "asyncio",
        "json",
        "pydantic_core",
    }


def test_importing_the_package_loads_nothing_heavy():
    assert loaded("import ctxinspect") == set()


def test_lint_loads_no_textual(tmp_path):
    path = tmp_path / "s.json"
    path.write_text('{"format": "ctxinspect/1", "turns": [{"user": "hi", "assistant": "ho"}]}', "utf-8")
    assert "textual" not in loaded(f"from ctxinspect.cli import run\nassert run(['lint', {str(path)!r}]) == 0")
