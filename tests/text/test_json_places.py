"""The line of a path in a JSON text is the one a person sees there."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxinspect.text.json_places import json_lines

TEXT = """{
  "a": [1, {"b": "x\\ny"},
    [], {},
    {"c": [
      null,
      true]}],
  "k\\u0065y": "z",
  "a.b": 3, "last": -1.5e3
}
"""


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("$", 1),
        ("$.a", 2),
        ("$.a[0]", 2),
        ("$.a[1].b", 2),
        ("$.a[2]", 3),
        ("$.a[4].c", 4),
        ("$.a[4].c[1]", 6),
        ("$.key", 7),
        ("$.last", 8),
    ],
)
def test_a_path_has_the_line_of_its_value(path: str, line: int):
    assert json_lines(TEXT, [path]) == {path: line}


@pytest.mark.parametrize("path", ["", "a", "$.none", "$.a[9]", "$.a[1].b[0]", "$..a", "$.a[x]", "$" + "[0]" * 400])
def test_a_path_that_leads_nowhere_has_no_line(path: str):
    assert json_lines(TEXT, [path]) == {}


@pytest.mark.parametrize("text", ["", "{", '{"a": ', "[1, 2", "nothing", '{"a" 1}', "[" * 5000])
def test_what_is_no_json_has_no_lines(text: str):
    assert json_lines(text, ["$.a", "$[1]"]) in ({}, {"$[1]": 1})


def test_of_a_key_that_stands_twice_the_last_one_counts():
    assert json_lines('{"a": 1,\n"a": 2}', ["$.a"]) == {"$.a": 2}


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.from_regex(r"[a-z]{1,3}", fullmatch=True), inner, max_size=4)
    ),
    max_leaves=20,
)


def paths(value: object, here: str = "$") -> list[str]:
    if isinstance(value, dict):
        return [here, *(p for key, item in value.items() for p in paths(item, f"{here}.{key}"))]
    if isinstance(value, list):
        return [here, *(p for at, item in enumerate(value) for p in paths(item, f"{here}[{at}]"))]
    return [here]


@given(VALUES)
def test_every_path_of_every_document_is_found_and_lines_never_go_back(value: object):
    asked = paths(value)
    lines = json_lines(json.dumps(value, indent=1), asked)
    assert list(lines) == asked
    assert list(lines.values()) == sorted(lines.values())
