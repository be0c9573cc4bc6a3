"""System 4: which old turns are worth their tokens (specification page 5). Lexical evidence only, no model."""

from __future__ import annotations

from ctxinspect.gatekeeper.anchor import extract_anchors
from ctxinspect.gatekeeper.engine import Engine
from ctxinspect.gatekeeper.gatekeeper import ContextGatekeeper
from ctxinspect.gatekeeper.selection import Selection
from ctxinspect.gatekeeper.topic_gate import DEICTIC_PATTERNS

__all__ = ["DEICTIC_PATTERNS", "ContextGatekeeper", "Engine", "Selection", "extract_anchors"]
