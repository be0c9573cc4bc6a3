"""The page and the file that `config init` writes say what the options say."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from ctxinspect.config.files import ConfigFile
from ctxinspect.config.load import file_faults, variable_of
from ctxinspect.config.options import USER_ONLY, option_fields
from ctxinspect.config.page import configuration_page, template
from ctxinspect.text.toml_places import TomlText

PAGE = Path(__file__).resolve().parents[2] / "docs" / "configuration.md"


def test_every_option_and_variable_stands_on_the_page():
    page = PAGE.read_text("utf-8")
    assert all(f"`{path}`" in page and f"`{variable_of(path)}`" in page for path in option_fields())
    assert page == configuration_page(), "write it anew: Path('docs/configuration.md').write_text(configuration_page())"


@pytest.mark.parametrize("project", [False, True])
def test_the_file_that_is_written_changes_nothing_and_fits_when_uncommented(project):
    text = template(project=project)
    assert not any(value for value in tomllib.loads(text).values())
    source = "project file" if project else "user file"
    bare = "\n".join(
        line.removeprefix("# ") if " = " in line and "; " not in line else line for line in text.splitlines()
    )
    names = [line.split(" = ")[0] for line in bare.splitlines() if " = " in line and not line.startswith("#")]
    assert {"theme", "mouse", "select"} <= set(names)
    assert project == (not USER_ONLY & set(names))
    assert file_faults(ConfigFile(Path("c.toml"), TomlText(bare, "c.toml")), source) == []
