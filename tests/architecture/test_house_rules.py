"""Size limits of the house: modules, functions, classes; every module says what is always true in it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MODULES = sorted((ROOT / "ctxinspect").rglob("*.py"))


def faults(source: str) -> list[str]:
    """What in this source is over a limit."""
    tree = ast.parse(source)
    found = [] if ast.get_docstring(tree) else ["no module docstring"]
    if len(source.splitlines()) > 400:
        found.append(f"{len(source.splitlines())} lines")
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or 0) - node.lineno + 1
            if length > 60:
                found.append(f"{node.name} has {length} lines")
        elif isinstance(node, ast.ClassDef):
            methods = [n for n in node.body if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
            if len(methods) > 20:
                found.append(f"{node.name} has {len(methods)} methods")
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_keeps_the_limits(path):
    assert faults(path.read_text("utf-8")) == []


def test_a_module_over_the_limits_is_seen():
    long_function = "def f():\n" + "    x = 1\n" * 61
    many = "class C:\n" + "".join(f"    def m{i}(self): ...\n" for i in range(21))
    assert faults(long_function) == ["no module docstring", "f has 62 lines"]
    assert faults(f'"""Doc."""\n{many}') == ["C has 21 methods"]
    assert faults('"""Doc."""\n' + "\n" * 401) == ["402 lines"]
