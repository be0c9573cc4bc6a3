"""The JSON Schemas of the two formats, generated from the very types that hold the data."""

from __future__ import annotations

from typing import Any

from pydantic import TypeAdapter

from ctxinspect.model.session import Session
from ctxinspect.trace.types import Trace

__all__ = ["session_schema", "trace_schema"]

_DRAFT = "https://json-schema.org/draft/2020-12/schema"


def session_schema() -> dict[str, Any]:
    """JSON Schema of a native session, `ctxinspect/1`."""
    return {"$schema": _DRAFT, "title": "ctxinspect/1", **Session.model_json_schema()}


def trace_schema() -> dict[str, Any]:
    """JSON Schema of a trace, `ctxinspect-trace/1`."""
    return {"$schema": _DRAFT, "title": "ctxinspect-trace/1", **TypeAdapter(Trace).json_schema(mode="serialization")}
