"""Imports point down, and every contract is seen to fail when it is broken."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    command = [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()"]
    return subprocess.run(
        [*command, "--no-cache"], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def copy(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("copy")
    shutil.copytree(ROOT / "ctxinspect", folder / "ctxinspect", ignore=shutil.ignore_patterns("__pycache__", "data"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def test_the_code_keeps_every_contract(copy):
    done = lint_imports(copy)
    assert done.returncode == 0, done.stdout
    assert "0 broken" in done.stdout


@pytest.mark.parametrize(
    ("module", "line", "contract"),
    [
        ("model/content.py", "import ctxinspect.pipeline.plan", "imports point down"),
        ("window/__init__.py", "import ctxinspect.assembler", "imports point down"),
        ("view/jsonable.py", "import textual", "only the terminal interface knows Textual"),
        ("config/keys.py", "import ctxinspect.tui.actions", "imports point down"),
        ("config/keys.py", "import textual", "only the terminal interface knows Textual"),
        ("trace/types.py", "import click", "only the terminal interface knows Textual"),
        ("tui/__init__.py", "import ctxinspect.gatekeeper", "front ends call no algorithm"),
        ("cli/__init__.py", "import ctxinspect.testing", "imports point down"),
    ],
)
def test_a_bad_import_breaks_its_contract(copy, module, line, contract):
    path = copy / "ctxinspect" / module
    kept = path.read_text("utf-8")
    try:
        path.write_text(f"{kept}\n{line}\n", "utf-8")
        done = lint_imports(copy)
    finally:
        path.write_text(kept, "utf-8")
    assert done.returncode == 1
    assert f"{contract} BROKEN" in done.stdout


def test_a_package_outside_the_layers_is_refused(copy):
    folder = copy / "ctxinspect" / "stray"
    folder.mkdir()
    try:
        (folder / "__init__.py").write_text('"""Stray."""\n', "utf-8")
        done = lint_imports(copy)
    finally:
        shutil.rmtree(folder)
    assert done.returncode == 1
    assert "stray" in done.stdout
