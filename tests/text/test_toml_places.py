"""The line of a key in a TOML text, and texts as TOML strings that are read back as they were."""

from __future__ import annotations

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxinspect.errors import InputError
from ctxinspect.text.toml_places import TomlText, line_of, toml_text

TEXT = """# top
theme = "x"
a.b = 1

[lint]  # section
"fail on" = 3
select = [
  "x",
]
[[row]]
n = 1
[[row]]
n = 2
[row.sub]
m = 3
inline = { deep = 1 }
"""


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("theme",), 2),
        (("a", "b"), 3),
        (("lint",), 5),
        (("lint", "fail on"), 6),
        (("lint", "select", 0), 7),
        (("row", 0, "n"), 11),
        (("row", 1, "n"), 13),
        (("row", 1, "sub", "m"), 15),
        (("row", 1, "sub", "inline", "deep"), 16),
        (("nowhere",), 1),
    ],
)
def test_a_path_has_the_line_where_it_stands_or_where_what_holds_it_stands(path, line):
    tomllib.loads(TEXT)
    assert line_of(TEXT, path) == line


@given(st.text())
def test_a_text_is_read_back_as_it_was(text):
    assert tomllib.loads(f"x = {toml_text(text)}")["x"] == text


def test_a_text_that_is_no_toml_says_where():
    with pytest.raises(InputError, match=r"^f\.toml:2: not TOML: "):
        _ = TomlText("a = 1\nb = \n", "f.toml").data
