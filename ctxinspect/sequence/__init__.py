"""System 3: history as native messages with strictly paired tool calls (specification page 4)."""

from __future__ import annotations

from ctxinspect.sequence.handles import handle_text, toolresult_read
from ctxinspect.sequence.pages import PageFate
from ctxinspect.sequence.render import STUB_TEXT, RenderedTurn, Sequencer

__all__ = ["STUB_TEXT", "PageFate", "RenderedTurn", "Sequencer", "handle_text", "toolresult_read"]
