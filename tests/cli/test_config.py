"""`config`, `keys`, `doctor`, `completion`, and the flags that all commands share, as a user sees them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from ctxinspect.tui.actions import ACTIONS
from tests.cli.test_commands import NETWORK, ROOT_PATH, SAMPLES


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "work").mkdir()
    return tmp_path


def run(home: Path, *arguments: str, **env: str) -> tuple[int, str, str]:
    """The program in an empty folder of a user without files."""
    clean = {
        name: value for name, value in os.environ.items() if not name.startswith(("CTXINSPECT", "XDG", "NO_COLOR"))
    }
    places = {"HOME": str(home), "XDG_CONFIG_HOME": str(home / "config"), "XDG_STATE_HOME": str(home / "state")}
    done = subprocess.run(
        [sys.executable, "-m", "ctxinspect", *arguments], cwd=home / "work", capture_output=True, timeout=100, check=False,
        env={**clean, **places, "PYTHONPATH": str(ROOT_PATH), "TERM": "xterm-256color", **env}, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def project(home: Path, text: str) -> None:
    (home / "work" / "ctxinspect.toml").write_text(text)


def test_path_names_the_files_and_folders_there_are_and_are_not(home):
    code, out, _ = run(home, "config", "path")
    assert code == 0
    assert f"{home}/config/ctxinspect/config.toml  (absent)" in out
    project(home, "")
    _, out, _ = run(home, "config", "path", "--json")
    assert json.loads(out)["project"] == str(home / "work" / "ctxinspect.toml")


def test_init_writes_a_file_once_and_validate_is_content_with_it(home):
    code, out, _ = run(home, "config", "init")
    assert (code, out.strip()) == (0, f"{home}/config/ctxinspect/config.toml")
    code, _, err = run(home, "config", "init")
    assert code == 2
    assert "--force" in err
    assert run(home, "config", "init", "--force")[0] == 0
    assert run(home, "config", "init", "--project")[0] == 0
    code, out, err = run(home, "config", "validate")
    assert (code, err) == (0, "")
    assert out.count(": fine") == 2


def test_show_says_where_every_value_came_from(home):
    project(home, "mouse = false\n")
    code, out, _ = run(home, "config", "show", CTXINSPECT_THEME="nord")
    lines = {line.split()[0]: line for line in out.splitlines()}
    assert code == 0
    assert lines["mouse"].endswith(f"project file {home}/work/ctxinspect.toml:1")
    assert lines["theme"].endswith("environment CTXINSPECT_THEME")
    assert lines["history_size"].endswith("default")
    _, out, _ = run(home, "--color", "never", "config", "show", "--json")
    assert json.loads(out)["color"] == {"value": "never", "source": "flag", "place": "--color"}


def test_validate_names_file_line_key_and_the_nearest_name_of_everything(home):
    project(home, 'them = "x"\n[lint]\nfail_on = "error"\nslect = []\n')
    code, out, err = run(home, "config", "validate")
    assert (code, out) == (2, "")
    place = f"ctxinspect: {home}/work/ctxinspect.toml"
    assert err.splitlines() == [
        f"{place}:1: unknown key 'them'; did you mean \"theme\"?",
        f"{place}:4: unknown key 'lint.slect'; did you mean \"lint.select\"?",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[keys]\n"lgo" = "x"', ':2: keys.lgo: no such action; did you mean "log"?'),
        ('[keys]\n"log" = "ctrl+m"', ":2: keys.log: a terminal sends enter for ctrl+m"),
        (
            '[lint]\nignore = ["orphan-resul"]',
            ":2: lint.ignore: no rule 'orphan-resul'; did you mean \"orphan-result\"?",
        ),
        ('lint.fail_on = "eror"', ":1: lint.fail_on:"),
    ],
)
def test_validate_knows_actions_keys_rules_and_expressions(home, text, said):
    project(home, text)
    code, _, err = run(home, "config", "validate")
    assert code == 2
    assert said in err


def test_validate_finds_a_variable_that_means_nothing(home):
    code, _, err = run(home, "config", "validate", CTXINSPECT_THEM="nord")
    assert code == 2
    assert "CTXINSPECT_THEME" in err


def test_the_schema_takes_what_is_valid_and_nothing_else(home):
    code, out, _ = run(home, "config", "schema")
    schema = json.loads(out)
    assert code == 0
    jsonschema.validate({"theme": "nord", "lint": {"select": ["orphan-result"]}, "keys": {"log": ["x"]}}, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"them": "nord"}, schema)


def test_defaults_of_lint_come_from_the_file_and_flags_come_first(home):
    assert run(home, "lint", NETWORK)[0] == 0
    project(home, '[lint]\nfail_on = "info"\n')
    assert run(home, "lint", NETWORK)[0] == 1
    assert run(home, "lint", NETWORK, "--fail-on", "error")[0] == 0
    project(home, '[lint]\nselect = ["history-trimmed"]\n')
    _, out, _ = run(home, "lint", NETWORK, "--format", "json")
    assert {finding["id"] for file in json.loads(out)["files"] for finding in file["findings"]} == {"history-trimmed"}
    project(home, "[lint]\nfail = 3\n")
    code, _, err = run(home, "lint", NETWORK)
    assert code == 2
    assert "ctxinspect.toml:2: unknown key 'lint.fail'" in err
    assert run(home, "lint", "--help")[0] == 0


def test_keys_lists_every_action_by_id_with_its_keys(home):
    code, out, _ = run(home, "keys", "--json")
    rows = json.loads(out)["actions"]
    assert code == 0
    assert [(row["id"], tuple(row["keys"])) for row in rows] == [(action.id, action.keys) for action in ACTIONS]
    project(home, '[keys]\n"log" = "j"\n')
    code, out, err = run(home, "keys")
    assert code == 0
    assert "ctxinspect.toml:2" in next(line for line in out.splitlines() if line.split()[:1] == ["log"])
    assert "key j: log has it, so list.down loses it" in err
    _, out, err = run(home, "keys", "--json", "--defaults")
    assert (json.loads(out)["actions"], err) == (rows, "")


def test_listing_keys_and_options_loads_no_textual(home):
    for words in (["keys"], ["config", "show"], ["config", "validate"], ["completion", "bash"]):
        script = f"from ctxinspect.cli import run\nimport sys\nrun({words!r})\nassert 'textual' not in sys.modules"
        done = subprocess.run([sys.executable, "-c", script], cwd=ROOT_PATH, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr


def test_doctor_tells_terminal_options_and_installation_and_what_is_wrong(home):
    code, out, _ = run(home, "doctor", "--json", NO_COLOR="1")
    facts = {fact["name"]: fact for fact in json.loads(out)["facts"]}
    assert code == 0
    assert facts["TERM"]["value"] == "xterm-256color"
    assert facts["color"]["value"] == "never  (environment NO_COLOR)"
    assert facts["cl100k_base"]["value"].startswith("intact")
    assert all(fact["fault"] == "" for fact in facts.values())
    project(home, "them = 3")
    code, out, _ = run(home, "doctor", TERM="dumb", CTXINSPECT_CLIPBOARD="osc52")
    assert code == 1
    assert "WRONG: the inspector needs a terminal" in out
    assert "unknown key 'them'" in out


@pytest.mark.parametrize(
    ("shell", "word"), [("bash", "complete -o nosort"), ("zsh", "#compdef ctxinspect"), ("fish", "complete")]
)
def test_completion_prints_a_script_for_each_shell(home, shell, word):
    code, out, err = run(home, "completion", shell)
    assert (code, err) == (0, "")
    assert word in out
    assert "_CTXINSPECT_COMPLETE" in out


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("br", {"plain,break", "file,br"}),
        ("lint ", {"file,"}),
        ("break --format j", {"plain,json", "plain,jsonl"}),
        ("config v", {"plain,validate"}),
        ("trace x --set window.s", {"plain,window.strategy="}),
        ("break x --on tr", {"plain,trunc"}),
        ("lint --select orphan-r", {"plain,orphan-result"}),
        ("explain orphan-r", {"plain,orphan-result"}),
        ("trace x --from inspect", {"plain,inspect_eval"}),
        ("open --theme dra", {"plain,dracula"}),
        ("--col", {"plain,--color", "file,--col"}),
    ],
)
def test_the_shell_completes_commands_options_values_and_files(home, words, wanted):
    number = len(words.split()) if not words.endswith(" ") else len(words.split()) + 1
    _, out, _ = run(
        home, COMP_WORDS=f"ctxinspect {words}", COMP_CWORD=str(number), _CTXINSPECT_COMPLETE="bash_complete"
    )
    assert set(out.split()) == wanted


@pytest.mark.parametrize("arguments", [["--color", "never"], ["--color=always", "--no-mouse"], ["--theme", "nord"], []])
def test_options_before_a_file_open_the_inspector(home, arguments):
    code, out, err = run(home, *arguments, str(SAMPLES / "network_ops.json"))
    assert (code, out) == (2, "")
    assert "needs a terminal" in err
    assert len(err.splitlines()) == 1


def test_colour_is_refused_where_it_is_no_choice_and_never_stands_in_a_pipe(home):
    assert "'sometimes'" in run(home, "--color", "sometimes", "trace", NETWORK, "--turn", "0")[2]
    for flags in ([], ["--color", "auto"], ["--color", "never"]):
        code, out, _ = run(home, *flags, "break", NETWORK, "--on", "topic")
        assert code == 0
        assert "\x1b" not in out
