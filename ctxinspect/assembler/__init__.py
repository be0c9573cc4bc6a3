"""System 1: priority components under a token budget. `assemble` is the whole of it; the rest are its faces."""

from __future__ import annotations

from ctxinspect.assembler.assemble import AssemblyResult, ComponentLike, assemble, token_limit
from ctxinspect.assembler.context import ComponentPriority, ContextAssembler, ContextComponent, summary_of
from ctxinspect.assembler.sections import TRUNCATION_MARK, section_text

__all__ = [
    "TRUNCATION_MARK",
    "AssemblyResult",
    "ComponentLike",
    "ComponentPriority",
    "ContextAssembler",
    "ContextComponent",
    "assemble",
    "section_text",
    "summary_of",
    "token_limit",
]
