"""The pytest plugin, in the example project of the documentation: approving, passing, failing with the cause."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from ctxinspect.errors import InputError
from ctxinspect.testing import ContextSnapshot

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "docs" / "example_project"
APPROVED = Path("tests/approved/test_context/test_the_whole_context_is_what_was_approved.context.txt")


def installed() -> bool:
    return any(entry.value == "ctxinspect.testing.plugin" for entry in entry_points(group="pytest11"))


def run_pytest(folder: Path, *words: str) -> tuple[int, str]:
    plugin = [] if installed() else ["-p", "ctxinspect.testing.plugin"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *plugin, *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_ADDOPTS": "", "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def project(tmp_path: Path) -> Path:
    if not EXAMPLE.is_dir():
        pytest.skip("docs/example_project is not part of this installation")
    return Path(shutil.copytree(EXAMPLE, tmp_path / "project"))


def test_the_example_project_passes_as_it_is_and_a_change_is_named_then_approved(project: Path):
    code, out = run_pytest(project, "-q")
    assert code == 0, out
    assert "6 passed" in out

    source = project / "assistant.py"
    source.write_text(source.read_text("utf-8").replace("Answer briefly", "Answer in one sentence"), "utf-8")
    before = (project / APPROVED).read_bytes()
    code, out = run_pytest(project, "-q")
    assert code == 1
    assert 'cause: t0.assemble component "rules"' in out
    assert "pytest --approve-contexts" in out
    assert (project / APPROVED).read_bytes() == before

    code, out = run_pytest(project, "-q", "--approve-contexts")
    assert code == 0, out
    assert (project / APPROVED).read_bytes() != before
    assert b"Answer in one sentence" in (project / APPROVED).read_bytes()


def test_the_plugin_loads_nothing_of_the_program_at_the_start_of_pytest(tmp_path: Path):
    (tmp_path / "test_loaded.py").write_text(
        "import sys\n"
        "def test_loaded():\n"
        "    heavy = {'pydantic', 'tiktoken', 'textual', 'click'} & set(sys.modules)\n"
        "    ours = {name for name in sys.modules if name.startswith('ctxinspect')}\n"
        "    assert ours == {'ctxinspect', 'ctxinspect.testing', 'ctxinspect.testing.plugin'}, ours\n"
        "    assert not heavy, heavy\n",
        "utf-8",
    )
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "ctxinspect.testing.plugin"]
    done = subprocess.run(
        [*command, "--rootdir", str(tmp_path), str(tmp_path)],
        env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=100, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr


def session(word: str = "there") -> dict[str, object]:
    return {"format": "ctxinspect/1", "turns": [{"user": f"Hello {word}", "assistant": "Hi"}]}


def test_what_was_never_approved_fails_and_writes_nothing(tmp_path: Path):
    snapshot = ContextSnapshot(tmp_path, "test_it[a/b c]")
    with pytest.raises(AssertionError, match=r"no approved context .*test_it-a-b-c-[0-9a-f]{8}\.context\.txt"):
        snapshot(session())
    assert list(tmp_path.iterdir()) == []


def test_approving_writes_and_comparing_passes_then(tmp_path: Path):
    ContextSnapshot(tmp_path, "t", approving=True)(session())
    ContextSnapshot(tmp_path, "t")(session())
    with pytest.raises(AssertionError, match=r"cause: t0\.ingest message user t0"):
        ContextSnapshot(tmp_path, "t")(session("you"))
    with pytest.raises(AssertionError, match=r'setting window\.strategy: "balanced" -> "conservative"'):
        ContextSnapshot(tmp_path, "t")(session(), settings={"window.strategy": "conservative"})


def test_two_sessions_of_one_test_need_two_names(tmp_path: Path):
    snapshot = ContextSnapshot(tmp_path, "t", approving=True)
    snapshot(session())
    snapshot(session("you"), "second")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["t.context.txt", "t.second.context.txt"]
    with pytest.raises(AssertionError, match="a name of its own"):
        snapshot(session(), "second")


@pytest.mark.parametrize("content", [b"ctxinspect-snapshot/9\n", b"\xff\xfe", b""])
def test_an_approved_file_of_another_kind_is_named(tmp_path: Path, content: bytes):
    snapshot = ContextSnapshot(tmp_path, "t")
    snapshot.path().write_bytes(content)
    with pytest.raises(InputError, match=r"t\.context\.txt"):
        snapshot(session())


def test_no_two_tests_of_a_file_share_an_approved_context(tmp_path: Path):
    names = [
        "test_a",
        "test_a[1]",
        "test_a[x/y]",
        "test_a[x:y]",
        "TestOne::test_a",
        "TestTwo::test_a",
        "test_" + "長" * 99,
    ]
    paths = [
        ContextSnapshot(tmp_path, name).path(given) for name in names for given in (None, "small", "s/all", "s:all")
    ]
    assert len(set(paths)) == len(paths)
    assert ContextSnapshot(tmp_path, "test_a[1]").path() == tmp_path / "test_a-1.context.txt"
    assert ContextSnapshot(tmp_path, "TestOne::test_a").path() == tmp_path / "TestOne-test_a.context.txt"
    for path in paths:
        assert path.parent == tmp_path
        assert len(path.name.encode()) < 255
