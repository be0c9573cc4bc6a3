"""Writers of wire dialects: a request in neutral form becomes the body of a provider's API, and what is lost is named."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from ctxinspect.dialects import anthropic, gemini, openai, openai_responses
from ctxinspect.dialects.draft import Draft, Loss, Target, Written
from ctxinspect.dialects.pieces import merged_runs

__all__ = ["WRITERS", "Draft", "Loss", "Target", "Written", "merged_runs", "write_body"]

WRITERS: Mapping[Target, Callable[[Draft], Written]] = MappingProxyType(
    {
        "openai": openai.write,
        "openai-responses": openai_responses.write,
        "anthropic": anthropic.write,
        "gemini": gemini.write,
    }
)
"""The writer of each target."""


def write_body(target: Target, draft: Draft) -> Written:
    """The body of a request to the target's API, and what it does not hold."""
    return WRITERS[target](draft)
