"""System 2: how much of the history goes along."""

from __future__ import annotations

from ctxinspect.window.budget import (
    STRATEGY_RATIOS,
    WindowSizes,
    count_tokens,
    input_budget,
    strategy_ratio,
    window_size,
    window_sizes,
)
from ctxinspect.window.fit import Topology, WindowResult, fit_window
from ctxinspect.window.hook import create_pre_model_hook
from ctxinspect.window.log import opening_lines, outcome_lines, share, topology_line, window_label
from ctxinspect.window.messages_unit import trim_messages
from ctxinspect.window.tools import ToolCost, estimate_tool_tokens, tool_json, tool_tokens
from ctxinspect.window.trim import TrimResult, Unit, group_units, trim_turns

__all__ = [
    "STRATEGY_RATIOS",
    "ToolCost",
    "Topology",
    "TrimResult",
    "Unit",
    "WindowResult",
    "WindowSizes",
    "count_tokens",
    "create_pre_model_hook",
    "estimate_tool_tokens",
    "fit_window",
    "group_units",
    "input_budget",
    "opening_lines",
    "outcome_lines",
    "share",
    "strategy_ratio",
    "tool_json",
    "tool_tokens",
    "topology_line",
    "trim_messages",
    "trim_turns",
    "window_label",
    "window_size",
    "window_sizes",
]
