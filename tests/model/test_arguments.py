"""Arguments of a call: an object or not, and why not."""

from __future__ import annotations

import pytest

from ctxinspect.model.arguments import arguments_fault, needs_arguments
from ctxinspect.model.session import ToolSchema


@pytest.mark.parametrize("arguments", [{}, {"a": 1}, "{}", '{"a": [1, {"b": null}]}', '{"n": 1e999}'])
def test_an_object_has_no_fault(arguments):
    assert arguments_fault(arguments) is None


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ("[1]", "a list"),
        ("null", "null"),
        ("true", "a boolean"),
        ('"x"', "a string"),
        ("3", "a number"),
        ('{"a": NaN}', "NaN is not JSON"),
        ('{"a"', "do not parse"),
        ("", "do not parse"),
        ("[" * 200_000, "too deeply"),
    ],
)
def test_a_fault_says_why(arguments, why):
    assert why in (arguments_fault(arguments) or "")


def test_a_tool_needs_arguments_where_its_schema_requires_some():
    assert needs_arguments(ToolSchema(name="a", parameters={"required": ["x"]}))
    assert not needs_arguments(ToolSchema(name="a", parameters={"properties": {"x": {}}}))
    assert not needs_arguments(None)
