"""Panel 6: the window as a waterfall, from its whole size down to what is left, and the units that were dropped."""

from __future__ import annotations

from ctxinspect.tokens.cost import PRIMING
from ctxinspect.trace.types import Dropped
from ctxinspect.view.inspection import Inspection, turn_text
from ctxinspect.view.reasons import explain_rule
from ctxinspect.view.table import Cell, Column, Detail, Row, Table, cells

__all__ = ["COLUMNS", "window_detail", "window_table"]

COLUMNS = (
    Column("step", 18, grow=1),
    Column("tokens", 7, align=">"),
    Column("left", 7, align=">"),
    Column("share", 10, shown_from=46),
)
_BAR = 10
"""Cells of a full bar."""
_STEPS = {
    "window": "The whole context window of the model.",
    "ratio": "The share of the window kept for the answer by the strategy; the rest is the input budget.",
    "tools": "Tool schemas, charged before any message.",
    "system": "The system message.",
    "history": "Messages of earlier turns.",
    "current": "The current turn: its user message and its rounds so far.",
    "priming": "The start of the reply, charged with every request.",
    "left": "What is left of the input budget, or by how much the request is over it.",
}


def window_table(inspection: Inspection) -> Table:
    """Each row takes its tokens from what the row before left."""
    trace, window = inspection.trace, inspection.trace.window
    system = sum(m.tokens for m in trace.messages if m.turn_id is None and m.role in ("system", "developer"))
    current = sum(m.tokens for m in trace.messages if m.turn_id == trace.turn_id)
    history = sum(m.tokens for m in trace.messages) - system - current
    priming = window.request_tokens - system - current - history
    rows = [_bar("window", "window", window.size, window.size, window.size)]
    left = window.input_budget
    rows.append(_bar("ratio", f"free ({window.strategy})", -(window.size - left), left, window.size))
    for key, name, tokens in (
        ("tools", "tool schemas", window.tool_tokens),
        ("system", "system prompt", system),
        ("history", "earlier turns", history),
        ("current", "current turn", current),
        ("priming", "reply priming", priming),
    ):
        shown = name
        if key == "priming" and tokens not in (0, PRIMING):
            shown = "reply priming and unit"
        left -= tokens
        rows.append(_bar(key, shown, -tokens, left, window.size))
    title = "over the input" if left < 0 else "left of the input"
    rows.append(
        Row("left", cells(Cell(title, "title"), "", Cell(str(abs(left)), "error" if left < 0 else "highlight")))
    )
    rows += [_dropped(inspection, at, unit) for at, unit in enumerate(window.dropped)]
    rows += [Row(f"log:{at}", (Cell(line, "dim"),)) for at, line in enumerate(window.log)]
    lost = sum(unit.tokens for unit in window.dropped)
    share = 100 * (window.request_tokens + window.tool_tokens) / window.input_budget if window.input_budget else 0.0
    summary = f"{share:.1f}% of input budget {window.input_budget}"
    summary += f", {len(window.dropped)} dropped ({lost} tok)" if window.dropped else ""
    units = {f"dropped:{at}": f"dropped {_unit(inspection, unit)}" for at, unit in enumerate(window.dropped)}
    idents = [units.get(row.key, row.key) for row in rows]
    return Table("WINDOW", summary, COLUMNS, tuple(rows), "", idents=idents)


def _bar(key: str, name: str, tokens: int, left: int, size: int) -> Row:
    length = min(_BAR, max(0, round(_BAR * left / size))) if size else 0
    role = "error" if left < 0 else "text"
    return Row(key, cells(name, str(tokens), Cell(str(max(0, left)), role), Cell("#" * length, "dim")))  # type: ignore[arg-type]


def _unit(inspection: Inspection, unit: Dropped) -> str:
    name = turn_text(unit.turn_id, len(inspection.session.turns))
    return f"{unit.kind} {name}" + (f" round {unit.round}" if unit.round is not None else "")


def _dropped(inspection: Inspection, at: int, unit: Dropped) -> Row:
    return Row(f"dropped:{at}", cells(Cell(f"dropped {_unit(inspection, unit)}", "warn"), str(unit.tokens), ""))


def window_detail(inspection: Inspection, key: str) -> Detail:
    """What the row stands for, in words."""
    window = inspection.trace.window
    kind, _, number = key.partition(":")
    if kind == "dropped" and int(number) < len(window.dropped):
        unit = window.dropped[int(number)]
        text = f"{_unit(inspection, unit)}: {unit.tokens} tokens. {explain_rule('trimmed')}"
        return Detail("window dropped", (Cell(text),))
    if kind == "log" and int(number) < len(window.log):
        return Detail("window log", (Cell(window.log[int(number)]),))
    budget = (
        f"{window.size} x {window.ratio:g} ({window.strategy}) = input budget {window.input_budget}; "
        f"minus tools {window.tool_tokens} = message budget {max(0, window.message_budget)}; request {window.request_tokens}; "
        f"trimming by {window.unit}."
    )
    return Detail(f"window {key}", (Cell(_STEPS.get(key, "")), Cell(budget, "dim")))
