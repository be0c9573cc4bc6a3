"""What a row suggests: predicates to stop at, the narrowest first, each of which can be parsed; the item to drop."""

from __future__ import annotations

import json

from ctxinspect.view.findings import findings_table
from ctxinspect.view.inspection import Inspection

__all__ = ["droppable_item", "proposals"]


def _quoted(text: str) -> str:
    plain = text.isascii() and text.replace("_", "").replace("-", "").isalnum()
    return text if plain else json.dumps(text, ensure_ascii=False)


def proposals(inspection: Inspection, panel: int, key: str | None) -> tuple[str, ...]:
    """What `break` could be asked for at this row of this panel."""
    if key is None:
        return ("finding severity>=error", "drop", "trunc", "topic")
    return {
        1: _turns,
        2: _gate,
        3: _components,
        4: _anchors,
        5: _recall,
        6: _window,
        7: _messages,
        8: _findings,
    }[panel](inspection, key)


def _turns(inspection: Inspection, key: str) -> tuple[str, ...]:
    fate = inspection.fates.get(int(key))
    gone = (f"drop turn={key}", f"recall turn={key} state=dropped") if fate and fate.state == "dropped" else ()
    return (*gone, f"at {key}", "topic")


def _gate(inspection: Inspection, key: str) -> tuple[str, ...]:
    del key
    gate = inspection.trace.gate
    rule = (f"topic rule={gate.rule}", f"topic decision={gate.decision}") if gate else ()
    return (*rule, "topic margin<0.05", "topic")


def _components(inspection: Inspection, key: str) -> tuple[str, ...]:
    assembly = inspection.trace.assembly
    row = next((row for row in assembly.components if row.name == key), None) if assembly else None
    if row is None or row.state == "kept":
        return (f"change part=component id={_quoted(key)}", "trunc", "drop unit=component")
    kind = "trunc" if row.state == "truncated" else "drop"
    return (f"{kind} component={_quoted(key)}", f"{kind} rule={row.rule}", kind)


def _anchors(inspection: Inspection, key: str) -> tuple[str, ...]:
    del inspection
    term = key.partition(":")[2]
    return (f"cover uncovered={_quoted(term)}", "cover")


def _recall(inspection: Inspection, key: str) -> tuple[str, ...]:
    row = next((row for row in inspection.trace.recall or () if str(row.turn_id) == key), None)
    if row is None:
        return ("cover coverage<0.85", "cover", "recall")
    return (f"recall turn={key} rule={row.rule}", f"recall rule={row.rule}", f"recall turn={key}", "recall")


def _window(inspection: Inspection, key: str) -> tuple[str, ...]:
    kind, _, number = key.partition(":")
    dropped = inspection.trace.window.dropped
    if kind == "dropped" and int(number) < len(dropped):
        unit = dropped[int(number)]
        return (f"drop unit={unit.kind} turn={unit.turn_id}", f"drop unit={unit.kind}", "drop")
    return ("budget used>0.95", "budget", "drop")


def _messages(inspection: Inspection, key: str) -> tuple[str, ...]:
    number = int(key.partition(".")[0])
    messages = inspection.trace.messages
    if number >= len(messages):
        return ("change", "pair")
    row = messages[number]
    words = " ".join(row.content.split()[:4])[:40]
    role = _quoted(row.role)
    text = (f"text {json.dumps(words, ensure_ascii=False)} role={role}",) if words.isascii() and words else ()
    state = (f"text state={row.state}",) if row.state != "kept" else ()
    return (*text, *state, f"change message={number}", "change", "pair")


def _findings(inspection: Inspection, key: str) -> tuple[str, ...]:
    table = findings_table(inspection)
    if table.index(key) is None:
        return ("finding severity>=error", "finding")
    finding = inspection.trace.findings[int(key)]
    return (f"finding id={finding.id}", f"finding severity>={finding.severity}", "finding")


def droppable_item(inspection: Inspection, panel: int, key: str | None) -> str | None:
    """The row's item as `what_if.drop` names it: `component:NAME`, `turn:N`, `page:ID`; null where it has none."""
    if key is None:
        return None
    if panel == 1:
        return f"turn:{key}" if int(key) != inspection.trace.turn_id else None
    if panel == 3:
        assembly = inspection.trace.assembly
        return f"component:{key}" if assembly and any(row.name == key for row in assembly.components) else None
    if panel == 5:
        turn = key.removeprefix("recent:")
        return f"turn:{turn}" if turn.isdigit() else None
    if panel == 7:
        return _message_item(inspection, key)
    return None


def _message_item(inspection: Inspection, key: str) -> str | None:
    number, _, index = key.partition(".")
    if not number.isdigit() or int(number) >= len(inspection.trace.messages):
        return None
    row = inspection.trace.messages[int(number)]
    page = row.tool_calls[int(index)].id if index else row.tool_call_id
    if page:
        return f"page:{page}"
    return f"turn:{row.turn_id}" if row.turn_id not in (None, inspection.trace.turn_id) else None
