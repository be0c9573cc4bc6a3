from __future__ import annotations

import json

import pydantic
import pydantic.v1
import pytest
from langchain_core.tools import StructuredTool

from ctxinspect.model.session import ToolSchema
from ctxinspect.window import count_tokens, estimate_tool_tokens, tool_json, tool_tokens

SCHEMA = {"type": "object", "properties": {"ort": {"type": "string", "description": "Stadt, z. B. 北京"}}}
DICT = {"name": "weather", "description": "Tells the weather", "parameters": SCHEMA}
COUNTED = json.dumps({"type": "function", "function": DICT}, ensure_ascii=False)


class Look(pydantic.BaseModel):
    """Looks something up."""

    term: str


class OldLook(pydantic.v1.BaseModel):
    """Looks something up, as before."""

    term: str


class Plain:
    name = "weather"
    description = "Tells the weather"
    args_schema = SCHEMA


@pytest.mark.parametrize(
    "tool",
    [
        DICT,
        {"type": "function", "function": DICT},
        {"name": "weather", "description": "Tells the weather", "input_schema": SCHEMA},
        ToolSchema(name="weather", description="Tells the weather", parameters=SCHEMA),
        Plain(),
    ],
    ids=["flat", "openai", "anthropic", "session", "object"],
)
def test_a_tool_is_counted_alike_whatever_its_shape(tool):
    assert tool_json(tool) == COUNTED
    assert estimate_tool_tokens([tool]) == count_tokens(COUNTED)


def test_white_space_in_the_file_does_not_change_the_count():
    pretty = json.loads(json.dumps(DICT, indent=4))
    assert estimate_tool_tokens([pretty]) == estimate_tool_tokens([DICT])


def test_pydantic_models_of_both_versions_give_their_own_schema():
    new, old = json.loads(tool_json(Look)), json.loads(tool_json(OldLook))
    assert new["function"]["name"] == "Look"
    assert new["function"]["parameters"] == Look.model_json_schema()
    assert old["function"]["description"] == "Looks something up, as before."
    assert "term" in old["function"]["parameters"]["properties"]
    assert json.loads(tool_json(Look(term="x"))) == new


def test_an_object_with_a_pydantic_args_schema_is_read():
    def look(term: str) -> str:
        """Look a term up."""
        return term

    tool = StructuredTool.from_function(look)
    function = json.loads(tool_json(tool))["function"]
    assert function["name"] == "look"
    assert function["description"] == tool.description
    assert "term" in function["parameters"]["properties"]


def test_missing_parts_are_empty():
    assert json.loads(tool_json({"name": "x"}))["function"] == {"name": "x", "description": "", "parameters": {}}


def test_a_schema_that_cannot_be_serialised_costs_1000_and_is_reported():
    circular = {"name": "loop", "parameters": {}}
    circular["parameters"]["self"] = circular
    cost = tool_tokens([DICT, circular, {"name": "set", "parameters": {"a": {1, 2}}}, object()], count_tokens)
    assert cost.each == (count_tokens(COUNTED), 1000, 1000, 1000)
    assert cost.tokens == sum(cost.each)
    assert [(f.id, f.severity, f.stage, f.path) for f in cost.findings] == [
        ("tool-schema-unreadable", "error", "window", f"$.tools[{i}]") for i in (1, 2, 3)
    ]
    assert "loop" in cost.findings[0].text


def test_a_schema_whose_own_code_fails_stops_nothing():
    class Broken:
        name = "broken"

        class args_schema:  # noqa: N801
            @staticmethod
            def model_json_schema():
                raise RuntimeError("two\nlines")

    cost = tool_tokens([Broken()], count_tokens)
    assert cost.tokens == 1000
    assert "\n" not in cost.findings[0].text


def test_no_tools_cost_nothing():
    assert estimate_tool_tokens([]) == estimate_tool_tokens(None) == 0
