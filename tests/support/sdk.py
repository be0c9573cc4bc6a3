"""Whether a body is what a provider's own SDK types say it should be; for Gemini, a schema written from its reference.

The SDKs declare lists as iterables, which a validator only reads when somebody else does: so everything is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

import jsonschema
from pydantic import TypeAdapter

__all__ = ["check_body"]

_TEXT = {"type": "string"}
_PART = {
    "type": "object",
    "minProperties": 1,
    "additionalProperties": False,
    "properties": {
        "text": _TEXT,
        "thought": {"type": "boolean"},
        "thoughtSignature": _TEXT,
        "functionCall": {
            "type": "object",
            "required": ["name"],
            "additionalProperties": False,
            "properties": {"id": _TEXT, "name": _TEXT, "args": {"type": "object"}},
        },
        "functionResponse": {
            "type": "object",
            "required": ["name", "response"],
            "additionalProperties": False,
            "properties": {"id": _TEXT, "name": _TEXT, "response": {"type": "object"}},
        },
    },
}
_PARTS = {"type": "array", "minItems": 1, "items": _PART}
GEMINI = {
    "type": "object",
    "required": ["contents"],
    "additionalProperties": False,
    "properties": {
        "systemInstruction": {"type": "object", "required": ["parts"], "properties": {"parts": _PARTS}},
        "contents": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["role", "parts"],
                "additionalProperties": False,
                "properties": {"role": {"enum": ["user", "model"]}, "parts": _PARTS},
            },
        },
        "tools": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["functionDeclarations"],
                "properties": {
                    "functionDeclarations": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "required": ["name"],
                            "additionalProperties": False,
                            "properties": {
                                "name": _TEXT,
                                "description": _TEXT,
                                "parametersJsonSchema": {"type": "object"},
                            },
                        },
                    }
                },
            },
        },
    },
}


@cache
def _adapter(target: str) -> TypeAdapter[Any]:
    if target == "openai":
        from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming as Params
    elif target == "openai-responses":
        from openai.types.responses.response_create_params import ResponseCreateParamsNonStreaming as Params
    else:
        from anthropic.types.message_create_params import MessageCreateParamsNonStreaming as Params
    return TypeAdapter(Params)


def check_body(target: str, body: Mapping[str, Any]) -> None:
    """Raises where the body is not what the target's types say."""
    if target == "gemini":
        jsonschema.validate(body, GEMINI)
        return
    _read(_adapter(target).validate_python(body))


def _read(value: Any) -> None:
    if isinstance(value, str | bytes):
        return
    if isinstance(value, Mapping):
        for item in value.values():
            _read(item)
    elif isinstance(value, Iterable):
        for item in value:
            _read(item)
