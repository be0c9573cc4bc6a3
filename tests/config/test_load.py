"""One configuration from many sources: the nearer one wins, every value knows its origin, and every fault its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctxinspect.config import Config, load_config
from ctxinspect.config.files import read_config_file
from ctxinspect.config.load import file_faults, unknown_variables, variable_of
from ctxinspect.config.options import THEMES, USER_ONLY, option_fields
from ctxinspect.errors import CtxInspectError


@pytest.fixture
def user(tmp_path: Path) -> Path:
    path = tmp_path / "user" / "config.toml"
    path.parent.mkdir()
    path.write_text("")
    return path


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    (folder / "inner" / "deep").mkdir(parents=True)
    return folder


def load(user: Path, start: Path, flags=None, **environ: str) -> Config:
    return load_config(start, {"CTXINSPECT_CONFIG": str(user), **environ}, flags)


def failure(user: Path, start: Path, flags=None, **environ: str) -> str:
    with pytest.raises(CtxInspectError) as raised:
        load(user, start, flags, **environ)
    assert "\n" not in str(raised.value)
    return str(raised.value)


def test_without_any_source_every_value_is_the_default(user, project):
    config = load(user, project)
    assert config == Config()
    assert {str(config.origin(path)) for path, _ in config.values()} == {"default"}


def test_flag_beats_environment_beats_project_beats_user_beats_default(user, project):
    assert load(user, project).theme == "auto"
    user.write_text('theme = "nord"')
    assert load(user, project).theme == "nord"
    (project / "ctxinspect.toml").write_text('# mine\ntheme = "dracula"')
    config = load(user, project / "inner" / "deep")
    assert (config.theme, str(config.origin("theme"))) == ("dracula", f"project file {project}/ctxinspect.toml:2")
    config = load(user, project, CTXINSPECT_THEME="ctx-ansi")
    assert (config.theme, str(config.origin("theme"))) == ("ctx-ansi", "environment CTXINSPECT_THEME")
    config = load(user, project, {"theme": "ctx-dark", "color": None}, CTXINSPECT_THEME="ctx-ansi")
    assert (config.theme, str(config.origin("theme"))) == ("ctx-dark", "flag --theme")
    assert str(config.origin("color")) == "default"


def test_the_nearest_project_file_is_the_only_one(user, project):
    (project / "pyproject.toml").write_text(
        '[tool.ctxinspect]\nmouse = false\n[tool.ctxinspect.lint]\nfail_on = "info"\n'
    )
    (project / "inner" / "pyproject.toml").write_text("[tool.other]\nctxinspect = 1\n")
    config = load(user, project / "inner")
    assert (config.mouse, config.lint.fail_on) == (False, "info")
    assert config.origin("lint.fail_on").place.endswith("pyproject.toml:4")
    (project / "inner" / "ctxinspect.toml").write_text("")
    assert load(user, project / "inner").mouse is True


def test_a_broken_pyproject_of_others_is_passed_over_and_one_that_names_us_is_not(user, project):
    (project / "pyproject.toml").write_text("[tool\n")
    assert load(user, project) == Config()
    (project / "pyproject.toml").write_text("[tool.ctxinspect]\nmouse = \n")
    assert "pyproject.toml:2: not TOML" in failure(user, project)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('\nthem = "nord"', "ctxinspect.toml:2: unknown key 'them'; did you mean \"theme\"?"),
        ("[lint]\nfailon = 'x'", "ctxinspect.toml:2: unknown key 'lint.failon'; did you mean \"lint.fail_on\"?"),
        ("[lnt]\nselect = []", "ctxinspect.toml:1: unknown key 'lnt'; did you mean \"lint\"?"),
        ("mouse = 'yes'", 'ctxinspect.toml:1: mouse is "yes"; expected true or false'),
        ("theme = 'drakula'", 'did you mean "dracula"?'),
        ("history_size = -1", "history_size is -1; expected a whole number from 0 to 100000"),
        ("history_size = true", "history_size is true; expected a whole number"),
        ("lint.select = 'x'", 'lint.select is "x"; expected a list of strings'),
        ("[layout]\nnarrow = 150", "ctxinspect.toml:2: layout: narrow 150, std 120, wide 200"),
        ("[keys]\nlog = 3", "ctxinspect.toml:2: keys.log is 3; expected a key or a list of keys"),
        ("lint = 3", "unknown key 'lint'"),
        ("keys = 3", "unknown key 'keys'"),
        ("[", "ctxinspect.toml:1: not TOML"),
    ],
)
def test_a_fault_names_file_line_key_and_what_would_be_right(user, project, text, said):
    (project / "ctxinspect.toml").write_text(text)
    assert said in failure(user, project)


@pytest.mark.parametrize("name", sorted(USER_ONLY))
def test_a_project_names_no_program_and_no_file(user, project, name):
    (project / "ctxinspect.toml").write_text(f'{name} = "rm -rf /"')
    assert "a project may not" in failure(user, project)
    user.write_text(f'{name} = "mine"')
    (project / "ctxinspect.toml").write_text("")
    assert dict(load(user, project).values())[name] == "mine"


def test_keys_are_read_by_id_in_either_spelling_and_joined_over_files(user, project):
    user.write_text('[keys]\nrequest.next = "n"\nlog = []\n')
    (project / "ctxinspect.toml").write_text('[keys]\n"request.next" = ["x", "y"]\n"zoom" = "Z"\n')
    config = load(user, project)
    assert dict(config.keys) == {"request.next": ("x", "y"), "log": (), "zoom": ("Z",)}
    assert config.origin("keys.request.next").place.endswith("ctxinspect.toml:2")
    assert config.origin("keys.log").place.endswith("config.toml:3")


def test_every_option_has_a_variable_and_an_empty_one_counts_as_unset(user, project):
    given = {"theme": "nord", "color": "always", "mouse": "off", "history_size": "7", "lint.select": "a, b", "layout.wide": "300",
             "clipboard": "file", "lint.provider": "gemini", "lint.per_file_ignores": '{"a*": ["b"]}'}  # fmt: skip
    for path in option_fields():
        text = given.get(path, "text") if path not in ("layout.narrow", "layout.std", "lint.ignore") else "90"
        text = "120" if path == "layout.std" else text
        config = load(user, project, **{variable_of(path): text})
        assert config.origin(path).place == variable_of(path)
        assert load(user, project, **{variable_of(path): ""}) == Config()
    assert load(user, project, CTXINSPECT_MOUSE="off", CTXINSPECT_LINT_SELECT="a, b").lint.select == ("a", "b")


def test_a_variable_that_does_not_fit_is_named(user, project):
    assert failure(user, project, CTXINSPECT_MOUSE="perhaps") == "CTXINSPECT_MOUSE=perhaps: expected true or false"
    assert "CTXINSPECT_HISTORY_SIZE=many: expected a whole number" in failure(
        user, project, CTXINSPECT_HISTORY_SIZE="many"
    )
    assert 'did you mean "ctx-dark"?' in failure(user, project, {"theme": "ctxdark"})
    assert unknown_variables({"CTXINSPECT_THEM": "x", "PATH": "y", "CTXINSPECT_LOG": "z"}) == [
        'CTXINSPECT_THEM: no such variable; did you mean "CTXINSPECT_THEME"?'
    ]


def test_a_file_that_was_asked_for_must_be_there(tmp_path, project):
    assert "no such file" in failure(tmp_path / "absent.toml", project)


@pytest.mark.parametrize(
    ("environ", "wanted", "place"),
    [
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, "never", "NO_COLOR"),
        ({"NO_COLOR": "", "FORCE_COLOR": "1"}, "always", "FORCE_COLOR"),
        ({"FORCE_COLOR": "0"}, "auto", ""),
        ({"CLICOLOR_FORCE": "1"}, "always", "CLICOLOR_FORCE"),
        ({"TERM": "dumb", "FORCE_COLOR": "1"}, "never", "TERM"),
        ({"NO_COLOR": "1", "CTXINSPECT_COLOR": "always"}, "always", "CTXINSPECT_COLOR"),
    ],
)
def test_colour_follows_the_variables_that_others_use_too(user, project, environ, wanted, place):
    config = load(user, project, **environ)
    assert (config.color, config.origin("color").place) == (wanted, place)


def test_a_file_beats_the_pager_of_the_environment_and_the_variable_of_ours_beats_the_file(user, project):
    assert load(user, project, PAGER="more").pager == "more"
    user.write_text('pager = "less"')
    assert load(user, project, PAGER="more").pager == "less"
    assert load(user, project, PAGER="more", CTXINSPECT_PAGER="bat").pager == "bat"
    assert load(user, project, EDITOR="ed", VISUAL="vi").editor == "vi"


def test_every_fault_of_a_file_is_found(tmp_path):
    path = tmp_path / "ctxinspect.toml"
    path.write_text('them = "x"\nmouse = 1\n[lint]\nselect = 4\n')
    faults = [str(fault) for fault in file_faults(read_config_file(path), "project file")]
    assert [fault.split(":")[1] for fault in faults] == ["1", "2", "4"]


def test_the_themes_are_those_of_the_toolkit_and_ours():
    from textual.theme import BUILTIN_THEMES

    assert sorted(THEMES) == sorted({"auto", "ctx-dark", "ctx-ansi", *BUILTIN_THEMES})
