"""What is cheap stays cheap: no face loads what it does not need."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("textual", "pydantic", "tiktoken", "rich")


def loaded(code: str) -> set[str]:
    script = f"{code}\nimport sys\nprint('\\n' + ' '.join(m for m in {HEAVY!r} if m in sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split())


@pytest.mark.parametrize("words", ["['--version']", "['--help']", "['explain', 'orphan-result']"])
def test_these_commands_load_neither_textual_nor_pydantic_nor_tiktoken(words):
    assert loaded(f"from ctxinspect.cli import run\nassert run({words}) == 0") == set()


def test_importing_the_package_loads_nothing_heavy():
    assert loaded("import ctxinspect") == set()


def test_lint_loads_no_textual(tmp_path):
    path = tmp_path / "s.json"
    path.write_text('{"format": "ctxinspect/1", "turns": [{"user": "hi", "assistant": "ho"}]}', "utf-8")
    assert "textual" not in loaded(f"from ctxinspect.cli import run\nassert run(['lint', {str(path)!r}]) == 0")
