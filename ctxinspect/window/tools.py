"""What tool schemas cost: each is counted as the JSON a provider is sent, whatever shape or white space it came in.

A schema that cannot be serialised never stops a request; it is charged a flat 1000 tokens and reported.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ctxinspect.tokens.cost import Count
from ctxinspect.tokens.counter import named_counter
from ctxinspect.trace.types import Finding

__all__ = ["UNREADABLE_TOKENS", "ToolCost", "ToolSchemas", "estimate_tool_tokens", "tool_json", "tool_tokens"]

UNREADABLE_TOKENS = 1000
"""What a schema costs that cannot be serialised (specification page 3)."""


@dataclass(frozen=True, slots=True)
class ToolCost:
    """Tokens of every tool in order, and a `tool-schema-unreadable` finding for each that could not be serialised."""

    each: tuple[int, ...]
    findings: tuple[Finding, ...]

    @property
    def tokens(self) -> int:
        """Tokens of all tools."""
        return sum(self.each)


ToolSchemas = Iterable[Any]
"""Tools as dicts, pydantic v2 or v1 models, or objects with `name`, `description` and `args_schema` or `parameters`."""


def tool_json(tool: Any) -> str:
    """The tool as counted: JSON of `{"type": "function", "function": {name, description, parameters}}`.

    Non-ASCII text stands as it is, separators are Python's default. Whatever a foreign schema raises is passed on.
    """
    name, description, parameters = _parts(tool)
    function = {"name": name, "description": description, "parameters": parameters}
    return json.dumps({"type": "function", "function": function}, ensure_ascii=False)


def tool_tokens(tools: ToolSchemas | None, count: Count) -> ToolCost:
    """What these tools cost, in tokens."""
    each: list[int] = []
    findings: list[Finding] = []
    for index, tool in enumerate(tools or ()):
        try:
            text = tool_json(tool)
        except Exception as error:  # noqa: BLE001 - a foreign schema may raise anything, and none may stop a request
            each.append(UNREADABLE_TOKENS)
            reason = " ".join(f"{type(error).__name__}: {error}".split())[:200]
            text = f"tool {index} ({_label(tool)}) cannot be serialised, charged {UNREADABLE_TOKENS} tokens: {reason}"
            findings.append(Finding("tool-schema-unreadable", "error", "window", path=f"$.tools[{index}]", text=text))
        else:
            each.append(count(text))
    return ToolCost(tuple(each), tuple(findings))


def estimate_tool_tokens(tools: ToolSchemas | None, count: Count | None = None) -> int:
    """Tokens of these tools, in cl100k_base unless another counter is given."""
    return tool_tokens(tools, count or named_counter("cl100k_base")).tokens


def _parts(tool: Any) -> tuple[Any, Any, Any]:
    if isinstance(tool, Mapping):
        inner = tool.get("function")
        function = inner if isinstance(inner, Mapping) else tool
        schema = next((function[key] for key in _SCHEMA_KEYS if function.get(key) is not None), None)
        return function.get("name") or "", function.get("description") or "", _schema(schema)
    if isinstance(tool, type):
        return tool.__name__, (tool.__doc__ or "").strip(), _schema(tool)
    name = getattr(tool, "name", None)
    if name is None:
        return _parts(type(tool))
    schema = next((value for key in _SCHEMA_KEYS if (value := getattr(tool, key, None)) is not None), None)
    return name, getattr(tool, "description", None) or "", _schema(schema)


_SCHEMA_KEYS = ("args_schema", "parameters", "input_schema")


def _schema(schema: Any) -> Any:
    """A JSON Schema from a dict or from a pydantic model (v2 before v1, whose method v2 keeps and deprecates)."""
    if schema is None:
        return {}
    if isinstance(schema, Mapping):
        return dict(schema)
    for method in ("model_json_schema", "schema"):
        build = getattr(schema, method, None)
        if callable(build):
            return build()
    msg = f"no schema can be read from {type(schema).__name__}"
    raise TypeError(msg)


def _label(tool: Any) -> str:
    name = tool.get("name") if isinstance(tool, Mapping) else getattr(tool, "name", None)
    return name if isinstance(name, str) else type(tool).__name__
