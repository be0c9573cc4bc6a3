"""The page on CI works as written: its commands run, its tables are the program's, its hooks are those of the repository."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from ctxinspect.cli import run
from ctxinspect.testing import assert_context
from ctxinspect.view.volatile import RULES

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "ci.md").read_text("utf-8")


def fenced(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


def commands() -> list[str]:
    """Every call of the program on the page: shell blocks, and the `run` lines of the workflow."""
    lines = [line for block in fenced("sh") for line in block.splitlines()]
    lines += [line.strip().removeprefix("run: ") for line in fenced("yaml")[0].splitlines()]
    return [line.partition(" # ")[0].strip() for line in lines if line.startswith("ctxinspect ")]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for folder in ("runs", "sessions"):
        (tmp_path / folder).mkdir()
        for name in ("home_assistant.json", "rag_pressure.json"):
            shutil.copy(ROOT / "sample_sessions" / name, tmp_path / folder)
    blocks = fenced("toml")
    (tmp_path / "gate.toml").write_text(next(b for b in blocks if "ctxinspect-breaks" in b), "utf-8")
    (tmp_path / "pyproject.toml").write_text(next(b for b in blocks if "tool.ctxinspect" in b), "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_every_command_of_the_page_runs(project: Path, capfd: pytest.CaptureFixture[str]):
    told = commands()
    assert len(told) > 15
    for line in told:
        words, _, target = line.partition(" > ")
        arguments = [
            name
            for word in shlex.split(words)[1:]
            for name in (sorted(map(str, project.glob(word))) if "*" in word else [word])
        ]
        code = run(arguments)
        out, err = capfd.readouterr()
        assert code in (0, 1), (line, err)
        if target:
            (project / target).write_text(out, "utf-8")
    assert (project / "ctxinspect.sarif").is_file()


def test_the_table_of_what_is_replaced_is_the_programs():
    rows = re.findall(r"^\| ([a-z ]+) \| .* \| .* \|$", PAGE, re.MULTILINE)
    assert [row for row in rows if row != "rule"] == [rule.name for rule in RULES]


def test_the_failure_that_is_shown_is_the_one_that_comes():
    namespace: dict[str, object] = {}
    exec(compile(fenced("python")[0], "ci.md", "exec"), namespace)
    with pytest.raises(AssertionError) as caught:
        assert_context(namespace["session"], turn=1, contains="H-4471")  # type: ignore[arg-type]
    shown = PAGE[PAGE.index("    t1r0 of the session") :].split("\n\n")[0]
    assert shown.splitlines()[0].strip() == str(caught.value).splitlines()[0]
    assert shown.splitlines()[1].strip() in str(caught.value)


def test_the_hooks_of_the_page_are_those_of_the_repository():
    defined = re.findall(r"^- id: (\S+)$", (ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"), re.MULTILINE)
    used = re.findall(r"^ +- id: (\S+)$", fenced("yaml")[1], re.MULTILINE)
    assert used == defined == ["ctxinspect-lint", "ctxinspect-snapshot"]
