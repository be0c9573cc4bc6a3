"""`lint`: what makes it fail, in every format; what is wrong with its use in one line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from ctxinspect.cli import run
from tests.support.shared import case_file

SAMPLES = Path(__file__).resolve().parents[2] / "sample_sessions"
NETWORK, BROKEN = str(SAMPLES / "network_ops.json"), str(SAMPLES / "broken.json")
Lint = Callable[..., tuple[int, str, str]]


@pytest.fixture
def lint(capfd: pytest.CaptureFixture[str]) -> Lint:
    def command(*words: str) -> tuple[int, str, str]:
        code = run(["lint", *words])
        out, err = capfd.readouterr()
        return code, out, err

    return command


@pytest.mark.parametrize(("words", "code"), [
    ((NETWORK,), 0),
    ((NETWORK, "--fail-on", "info"), 1),
    ((NETWORK, "--fail-on", "finding id=history-trimmed"), 1),
    ((NETWORK, "--fail-on", "finding id=orphan-result"), 0),
    ((NETWORK, "--fail-on", "budget used>99%"), 0),
    ((NETWORK, "--fail-on", "budget used>30%"), 1),
    ((NETWORK, "--fail-on", "budget used>30%", "--exit-zero"), 0),
    ((NETWORK, "--fail-on", "drop unit=turn"), 1),
    ((BROKEN,), 1),
    ((BROKEN, "--select", "low-headroom"), 0),
])  # fmt: skip
def test_the_exit_code_says_whether_it_fails(lint: Lint, words: tuple[str, ...], code: int):
    assert lint(*words)[0] == code


def test_the_expression_that_failed_is_named_with_its_places(lint: Lint):
    _, out, _ = lint(NETWORK, "--fail-on", "drop unit=turn")
    assert 'fail-on "drop unit=turn": turn dropped' in out
    assert out.rstrip().endswith("breaks")


@pytest.fixture
def breaks(tmp_path: Path) -> str:
    path = tmp_path / "gate.toml"
    path.write_text(
        'format = "ctxinspect-breaks/1"\n\n[[breakpoint]]\non = "drop unit=turn"\n\n'
        '[[breakpoint]]\non = "at 1"\nenabled = false\n',
        "utf-8",
    )
    return str(path)


def test_a_file_of_breakpoints_is_a_gate(lint: Lint, breaks: str):
    code, out, err = lint(NETWORK, "--breaks", breaks)
    assert (code, err) == (1, "")
    assert 'break 1 "drop unit=turn"' in out
    assert "at 1" not in out
    assert lint(str(SAMPLES / "home_assistant.json"), "--breaks", breaks, "--fail-on", "error")[0] == 0


@pytest.mark.parametrize("style", ["json", "jsonl", "sarif", "junit", "github", "html"])
def test_breaks_are_in_every_format(lint: Lint, breaks: str, style: str):
    code, out, _ = lint(NETWORK, "--breaks", breaks, "--format", style)
    assert code == 1
    assert "drop unit=turn" in out


def test_the_line_of_a_document_is_the_real_one(lint: Lint):
    file = case_file("001")
    code, out, _ = lint(str(file), "--format", "json")
    assert code == 1
    (found,) = json.loads(out)["files"][0]["findings"]
    lines = file.read_text("utf-8").split("\n")
    assert "call_vent" in "".join(lines[found["line"] - 1 : found["line"] + 3])


@pytest.mark.parametrize(("words", "said"), [
    (("--fail-on", "eror"), "--fail-on"),
    (("--breaks", "none.toml"), "none.toml"),
    (("--select", "orphan-resutl"), "orphan-result"),
    (("--baseline", BROKEN), "no baseline"),
    (("--format", "xml"), "xml"),
    (("--provider", "openia"), "openia"),
])  # fmt: skip
def test_bad_usage_is_one_line_and_exit_code_2(lint: Lint, words: tuple[str, ...], said: str):
    code, out, err = lint(NETWORK, *words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err


def test_a_broken_file_of_breakpoints_names_file_and_line(lint: Lint, tmp_path: Path):
    path = tmp_path / "gate.toml"
    path.write_text('format = "ctxinspect-breaks/1"\n[[breakpoint]]\non = "drop unti=turn"\n', "utf-8")
    code, _, err = lint(NETWORK, "--breaks", str(path))
    assert code == 2
    assert f"{path}:3" in err


def test_one_file_that_does_not_open_does_not_hide_the_others(lint: Lint, tmp_path: Path):
    bad = tmp_path / "bad.json"
    bad.write_text("{", "utf-8")
    code, out, err = lint(str(bad), BROKEN)
    assert code == 2
    assert "orphan-result" in out
    assert "bad.json:1" in err


def test_a_baseline_lets_known_faults_pass(lint: Lint, tmp_path: Path):
    _, report, _ = lint(BROKEN, "--format", "json")
    base = tmp_path / "base.json"
    base.write_text(report, "utf-8")
    code, out, _ = lint(BROKEN, "--baseline", str(base))
    assert code == 0
    assert "0 errors, 0 warnings" in out


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project folder with a recording in `runs/`, in which the commands run."""
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "broken.json").write_bytes(Path(BROKEN).read_bytes())
    monkeypatch.setenv("CTXINSPECT_CONFIG", str(tmp_path / "user.toml"))
    (tmp_path / "user.toml").write_text("", "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def found(out: str) -> set[str]:
    return {row["id"] for file in json.loads(out)["files"] for row in file["findings"]}


def test_a_project_says_what_is_judged_and_what_fails(lint: Lint, project: Path):
    config = project / "pyproject.toml"
    config.write_text(
        '[tool.ctxinspect.lint]\nselect = ["orphan-result"]\nfail_on = "finding id=low-headroom"\n', "utf-8"
    )
    code, out, _ = lint("runs/broken.json", "--format", "json")
    assert (code, found(out)) == (0, {"orphan-result"})
    assert lint("runs/broken.json", "--fail-on", "error")[0] == 1
    assert found(lint("runs/broken.json", "--format", "json", "--select", "missing-result")[1]) == {"missing-result"}


@pytest.mark.parametrize("pattern", ["runs/*", "broken.json", "runs/broken.*", "*"])
def test_rules_are_ignored_for_files_of_a_pattern(lint: Lint, project: Path, pattern: str):
    config = project / "ctxinspect.toml"
    config.write_text(f'[lint.per_file_ignores]\n"{pattern}" = ["orphan-result", "id-too-long"]\n', "utf-8")
    codes = found(lint("runs/broken.json", "--format", "json")[1])
    assert "missing-result" in codes
    assert not codes & {"orphan-result", "bad-call-id"}
    (project / "other").mkdir()
    if pattern == "runs/*":
        other = project / "other" / "file.json"
        other.write_bytes(Path(BROKEN).read_bytes())
        assert "orphan-result" in found(lint("other/file.json", "--format", "json")[1])


@pytest.mark.parametrize(("text", "said"), [
    ('[lint.per_file_ignores]\n"*" = ["orphan-resutl"]\n', "orphan-result"),
    ('[lint]\nper_file_ignores = ["x"]\n', "a table of lists of strings"),
    ('[lint]\nselect = ["orphan-resutl"]\n', "orphan-result"),
    ('[lint]\nfail_on = "eror"\n', "error"),
])  # fmt: skip
def test_what_is_wrong_in_a_project_is_one_line(lint: Lint, project: Path, text: str, said: str):
    (project / "ctxinspect.toml").write_text(text, "utf-8")
    code, out, err = lint("runs/broken.json")
    assert (code, out) == (2, "")
    assert said in err.splitlines()[-1]


def test_a_plan_is_shown_as_text_or_json_and_changes_nothing(lint: Lint):
    file = case_file("001")
    before = file.read_bytes()
    code, out, _ = lint(str(file), "--fix-plan")
    assert code == 0
    assert "sequence: system user assistant[call_soil call_vent] tool(call_soil) +tool(call_vent) user" in out
    code, out, _ = lint(str(file), "--fix-plan", "--format", "json")
    assert json.loads(out)["plans"][0]["steps"][0]["kind"] == "stub"
    assert lint(str(file), "--fix-plan", "--format", "html")[0] == 2
    assert file.read_bytes() == before
