"""Panel 2: the topic gate: every rule in the order it is tried, with value, threshold and margin, and the one that fired."""

from __future__ import annotations

from ctxinspect.trace.types import Anchor, GateTrace
from ctxinspect.view.inspection import Inspection, turn_text
from ctxinspect.view.reasons import GATE_RULES
from ctxinspect.view.table import Cell, Column, Detail, Flag, Row, Table, cells, note, ratio, signed

__all__ = ["COLUMNS", "gate_detail", "gate_table"]

COLUMNS = (
    Column("rule", 13, grow=1),
    Column("value", 5, align=">"),
    Column("thr", 5, align=">"),
    Column("margin", 6, align=">"),
    Column("", 3),
)
_EMPTY = "No gate in RECORDED; a: REPLAY."
_NEAR = 0.05
"""A margin below this is called a near miss."""


def _order(*, deictic_first: bool) -> list[str]:
    if deictic_first:
        return ["no_history", "deictic", "no_anchors", "overlap", "new_topic", "middle"]
    return ["no_history", "no_anchors", "overlap", "new_topic", "deictic", "middle"]


def gate_table(inspection: Inspection) -> Table:
    """The rules, then the active topic and the anchors shared with it and new."""
    gate = inspection.trace.gate
    if gate is None:
        return Table("GATE", "", COLUMNS, (), _EMPTY)
    rules = _order(deictic_first=inspection.settings.gatekeeper.deictic_first)
    fired = rules.index(gate.rule)
    rows: list[Row] = []
    for at, rule in enumerate(rules):
        state = "yes" if at == fired else "no" if at < fired else "-"
        rows += _rule_rows(inspection, gate, at + 1, rule, state)
    turns = len(inspection.session.turns)
    topic = f"{turn_text(gate.topic_start, turns)}-{turn_text(inspection.trace.turn_id, turns)}"
    rows.append(note("topic", f"topic   {topic}, {gate.blocks} blocks before"))
    rows.append(note("shared", f"shared  {_terms(gate, in_topic=True)}", "text"))
    rows.append(note("new", f"new     {_terms(gate, in_topic=False)}", "text"))
    decision = gate.decision.upper() if gate.decision == "switch" else gate.decision
    return Table("GATE", f"{decision} by {gate.rule}", COLUMNS, tuple(rows), _EMPTY)


def _rule_rows(inspection: Inspection, gate: GateTrace, number: int, rule: str, state: str) -> list[Row]:
    settings = inspection.settings.gatekeeper
    flag: Flag = "*" if state == "yes" else " "
    role = "highlight" if state == "yes" else "text" if state == "no" else "dim"
    name = Cell(f"{number} {rule}", role)  # type: ignore[arg-type]
    last = Cell(state, role)  # type: ignore[arg-type]
    if rule == "overlap":
        figures = (ratio(gate.overlap), f">{settings.overlap_continue:g}", signed(gate.margins.overlap_continue))
        return [Row(rule, cells(name, *figures, last), flag=flag)]
    if rule == "new_topic":
        first = (ratio(gate.overlap), f"<{settings.overlap_switch:g}", signed(gate.margins.overlap_switch))
        second = (ratio(gate.new_ratio), f">{settings.new_ratio_switch:g}", signed(gate.margins.new_ratio_switch))
        return [
            Row(rule, cells(name, *first, last), flag=flag),
            Row("new_ratio", cells(Cell("  new_ratio", role), *second, "")),  # type: ignore[arg-type]
        ]
    value = {"no_history": f"t={gate.blocks}", "deictic": "match" if gate.deictic else "none"}.get(rule, "-")
    if rule == "no_anchors":
        value = str(sum(anchor.kind != "fallback" for anchor in gate.anchors))
    return [Row(rule, cells(name, value, "", "", last), flag=flag)]


def _terms(gate: GateTrace, *, in_topic: bool) -> str:
    terms: list[Anchor] = [anchor for anchor in gate.anchors if anchor.in_topic == in_topic]
    shown = ", ".join(f"{anchor.term} {anchor.idf:.1f}" for anchor in terms[:8])
    return (shown + (f" ... +{len(terms) - 8}" if len(terms) > 8 else "")) or "none"


def gate_detail(inspection: Inspection, key: str) -> Detail:
    """The rule in words: its value, its threshold, how far off it was."""
    gate, settings = inspection.trace.gate, inspection.settings.gatekeeper
    if gate is None:
        return Detail("gate", (Cell(_EMPTY),))
    lines = [f"Decision: {gate.decision}, because {GATE_RULES[gate.rule]} (rule {gate.rule})."]
    if key == "overlap":
        lines.append(_distance("overlap", gate.overlap, settings.overlap_continue, above=True, then="continue"))
    elif key in ("new_topic", "new_ratio"):
        lines.append(_distance("overlap", gate.overlap, settings.overlap_switch, above=False, then="switch"))
        lines.append(_distance("new ratio", gate.new_ratio, settings.new_ratio_switch, above=True, then="switch"))
    elif key == "deictic":
        lines.append(f"Matched text: {gate.deictic}" if gate.deictic else "The query starts with no deictic word.")
    elif key in ("shared", "new"):
        terms = [anchor for anchor in gate.anchors if anchor.in_topic == (key == "shared")]
        lines += [f"{anchor.term}  {anchor.kind}, df {anchor.df}, idf {anchor.idf:.3f}" for anchor in terms]
    elif key in GATE_RULES:
        lines.append(f"It fires when {GATE_RULES[key]}.")
    lines.append("query: " + inspection.trace.query)
    return Detail(f"gate {key}", tuple(Cell(line) for line in lines))


def _distance(name: str, value: float, threshold: float, *, above: bool, then: str) -> str:
    margin = value - threshold
    side = "above" if margin > 0 else "below"
    near = " A near miss." if abs(margin) < _NEAR else ""
    wanted = "more" if above else "less"
    return f"{name} {value:.4f} is {abs(margin):.4f} {side} {threshold:g}; {then} needs {wanted}.{near}"
