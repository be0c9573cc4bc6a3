"""A time-travel debugger for LLM context. The public names are loaded when they are first asked for, not before."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ctxinspect.assembler import ComponentPriority, ContextAssembler, ContextComponent
    from ctxinspect.gatekeeper import ContextGatekeeper, extract_anchors
    from ctxinspect.readers import load
    from ctxinspect.recorder import Recorder
    from ctxinspect.sequence import toolresult_read
    from ctxinspect.window import count_tokens, create_pre_model_hook, estimate_tool_tokens

__all__ = [
    "ComponentPriority",
    "ContextAssembler",
    "ContextComponent",
    "ContextGatekeeper",
    "Recorder",
    "count_tokens",
    "create_pre_model_hook",
    "estimate_tool_tokens",
    "extract_anchors",
    "load",
    "toolresult_read",
]

_HOMES = {
    "ComponentPriority": "assembler",
    "ContextAssembler": "assembler",
    "ContextComponent": "assembler",
    "ContextGatekeeper": "gatekeeper",
    "Recorder": "recorder",
    "count_tokens": "window",
    "create_pre_model_hook": "window",
    "estimate_tool_tokens": "window",
    "extract_anchors": "gatekeeper",
    "load": "readers",
    "toolresult_read": "sequence",
}


def __getattr__(name: str) -> Any:
    """A public name, from the package it lives in."""
    home = _HOMES.get(name)
    if home is None:
        msg = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(msg)
    return getattr(import_module(f"{__name__}.{home}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
