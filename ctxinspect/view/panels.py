"""The nine panels: their digits for good, their names, and the functions that build their tables and details."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ctxinspect.view.anchors import anchors_detail, anchors_table
from ctxinspect.view.breakpoints import breakpoints_detail, breakpoints_table
from ctxinspect.view.components import components_detail, components_table
from ctxinspect.view.findings import findings_detail, findings_table
from ctxinspect.view.gate import gate_detail, gate_table
from ctxinspect.view.inspection import Inspection
from ctxinspect.view.messages import messages_detail, messages_table
from ctxinspect.view.recall import recall_detail, recall_table
from ctxinspect.view.table import Detail, Table
from ctxinspect.view.turns import turns_detail, turns_table
from ctxinspect.view.window import window_detail, window_table

__all__ = ["PANELS", "PanelSpec", "panel_named"]


@dataclass(frozen=True, slots=True)
class PanelSpec:
    """A panel: its digit, its name, its short name for the tab row, its builders, and what it shows in a sentence."""

    number: int
    name: str
    short: str
    table: Callable[[Inspection], Table]
    detail: Callable[[Inspection, str], Detail]
    help: str


PANELS: tuple[PanelSpec, ...] = (
    PanelSpec(1, "turns", "turns", turns_table, turns_detail, "every turn and its fate in this request"),
    PanelSpec(2, "gate", "gate", gate_table, gate_detail, "the topic decision and how near it was"),
    PanelSpec(3, "components", "comps", components_table, components_detail, "the system prompt under its budget"),
    PanelSpec(4, "anchors", "anch", anchors_table, anchors_detail, "the query's anchors and what covers them"),
    PanelSpec(5, "recall", "recall", recall_table, recall_detail, "old turns scored, taken or left out"),
    PanelSpec(6, "window", "win", window_table, window_detail, "the window, spent step by step"),
    PanelSpec(7, "messages", "msgs", messages_table, messages_detail, "what is sent, role by role"),
    PanelSpec(8, "findings", "lint", findings_table, findings_detail, "what is wrong, and since which stage"),
    PanelSpec(9, "breakpoints", "brk", breakpoints_table, breakpoints_detail, "stops on context events"),
)


def panel_named(number: int) -> PanelSpec:
    """The panel with this digit (1 to 9)."""
    return PANELS[number - 1]
