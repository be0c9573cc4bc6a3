"""Arguments of a tool call as JSON: whether they are an object, and whether a tool can do without them."""

from __future__ import annotations

import json
from typing import NoReturn

from ctxinspect.model.session import Arguments, ToolSchema

__all__ = ["arguments_fault", "needs_arguments"]


def arguments_fault(arguments: Arguments) -> str | None:
    """Why the arguments are no JSON object, as the end of a sentence; None where they are one.

    NaN and the infinities are not JSON. An empty string does not parse either.
    """
    if not isinstance(arguments, str):
        return None
    try:
        value = json.loads(arguments, parse_constant=_refuse, parse_int=_size, parse_float=_size)
    except (ValueError, RecursionError) as error:
        reason = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
        return f"do not parse: {reason}" if not isinstance(error, RecursionError) else "are nested too deeply to parse"
    return None if isinstance(value, dict) else f"are no object but {_kind(value)}"


def needs_arguments(tool: ToolSchema | None) -> bool:
    """Whether the tool is known to require at least one parameter."""
    return tool is not None and bool(tool.parameters.get("required"))


def _refuse(constant: str) -> NoReturn:
    msg = f"{constant} is not JSON"
    raise ValueError(msg)


def _size(digits: str) -> int:
    """Numbers are not converted: their value does not matter here, and huge ones would be refused."""
    return len(digits)


def _kind(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, str):
        return "a string"
    return "a list" if isinstance(value, list) else "a number"
