"""Panel 7: the native messages role by role, as sent or as recorded; every call visibly paired with its result."""

from __future__ import annotations

import json
from dataclasses import dataclass

from ctxinspect.model.session import arguments_text
from ctxinspect.trace.types import MessageRow, Trace
from ctxinspect.view.inspection import Inspection, turn_text
from ctxinspect.view.table import Cell, Column, Detail, Flag, LazyRows, Role, Row, Table, cells

__all__ = ["COLUMNS", "Line", "message_idents", "message_lines", "messages_detail", "messages_table", "pair_numbers"]

COLUMNS = (
    Column("#", 3, align=">", compared=False),
    Column("role", 6),
    Column("turn", 5, shown_from=60),
    Column("tok", 6, align=">"),
    Column("pair", 5, compared=False),
    Column("state", 7),
    Column("text", 10, grow=1),
)
_ROLES: dict[str, Role] = {"system": "accent", "user": "highlight", "assistant": "text", "tool": "text"}
_SHORT = {"assistant": "asst", "developer": "devel", "function": "func"}
_SYNTHETIC = {"label": "[labelled] ", "chat_tool": "[what the person said, from a chat tool] ", "stub": "[stub] "}


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the panel: a message (`call` null), or one of its calls."""

    message: int
    call: int | None
    pair: str


def pair_numbers(trace: Trace) -> dict[tuple[int, int | None], str]:
    """The number of the pair each call and each result belongs to; `?` where the other half is missing.

    A result belongs to the nearest earlier call of its id that has none yet.
    """
    numbers: dict[tuple[int, int | None], str] = {}
    open_calls: dict[str, list[tuple[int, int]]] = {}
    count = 0
    for at, message in enumerate(trace.messages):
        for index, call in enumerate(message.tool_calls):
            numbers[at, index] = "?"
            open_calls.setdefault(call.id or "", []).append((at, index))
        if message.role in ("tool", "function"):
            waiting = open_calls.get(message.tool_call_id or "", [])
            if not waiting:
                numbers[at, None] = "?"
                continue
            count += 1
            numbers[waiting.pop(0)] = numbers[at, None] = str(count)
    return numbers


def message_lines(trace: Trace) -> list[Line]:
    """Every message, each followed by its calls, in the order they are sent."""
    numbers = pair_numbers(trace)
    lines: list[Line] = []
    for at, message in enumerate(trace.messages):
        lines.append(Line(at, None, numbers.get((at, None), "")))
        lines += [Line(at, index, numbers[at, index]) for index in range(len(message.tool_calls))]
    return lines


def messages_table(inspection: Inspection) -> Table:
    """One line a message or call, built when looked at."""
    trace = inspection.trace
    lines = message_lines(trace)
    places = {_key(line): at for at, line in enumerate(lines)}
    faulty = {finding.message for finding in trace.findings if finding.severity == "error"}
    sources = trace.view == "recorded"

    def build(at: int) -> Row:
        line = lines[at]
        message = trace.messages[line.message]
        wrong = message.source_index if sources else line.message
        flag: Flag = "!" if line.call is None and wrong in faulty and wrong is not None else " "
        return _call_row(inspection, line) if line.call is not None else _message_row(inspection, line, flag)

    results = sum(message.role == "tool" for message in trace.messages)
    calls = sum(len(message.tool_calls) for message in trace.messages)
    broken = sum(line.pair == "?" for line in lines)
    summary = f"{len(trace.messages)}, calls {calls} results {results}" + (f" UNPAIRED {broken}" if broken else "")
    title = f"MESSAGES {inspection.label}"
    empty = "The request holds no message."
    return Table(title, summary, COLUMNS, LazyRows(len(lines), build), empty, places.get, message_idents(trace, lines))


def message_idents(trace: Trace, lines: list[Line]) -> list[str]:
    """A name for every line that another request of the session gives to the same message: turn, round, role, number."""
    seen: dict[str, int] = {}
    names: list[str] = []
    for line in lines:
        message = trace.messages[line.message]
        if line.call is None:
            name = f"{message.turn_id}.{message.round}.{message.role}.{message.synthetic}"
            seen[name] = seen.get(name, -1) + 1
            names.append(f"{name}.{seen[name]}")
        else:
            names.append(f"{message.turn_id}.{message.round}.call.{message.tool_calls[line.call].id}.{line.call}")
    return names


def _key(line: Line) -> str:
    return str(line.message) if line.call is None else f"{line.message}.{line.call}"


def _call_row(inspection: Inspection, line: Line) -> Row:
    assert line.call is not None
    call = inspection.trace.messages[line.message].tool_calls[line.call]
    pair = Cell(f"{line.pair}>", "error" if line.pair == "?" else "accent")
    text = f"{call.name} {arguments_text(call.arguments)}"
    return Row(_key(line), cells("", Cell("  call", "dim"), "", "", pair, "", text))


def _message_row(inspection: Inspection, line: Line, flag: Flag) -> Row:
    message = inspection.trace.messages[line.message]
    role = _ROLES.get(message.role, "text")
    pair = Cell(f">{line.pair}" if line.pair else "", "error" if line.pair == "?" else "accent")
    state = Cell("" if message.state == "kept" else message.state, "warn")
    text = message.content or ("(calls only)" if message.tool_calls else "(no text)")
    prefix = _SYNTHETIC.get(message.synthetic or "", "") + (f"[{message.note}] " if message.note else "")
    prefix += "[thinking] " if message.thinking else ""
    prefix += f"{message.name}: " if message.role == "tool" and message.name else ""
    turn = turn_text(message.turn_id, len(inspection.session.turns)) if message.turn_id is not None else ""
    name = Cell(_SHORT.get(message.role, message.role), role)
    number = f"{line.message:02}"
    return Row(
        _key(line), cells(number, name, turn, str(message.tokens), pair, state, prefix + text.lstrip()), flag=flag
    )


def messages_detail(inspection: Inspection, key: str) -> Detail:
    """The whole text of a message or of a call's arguments, with where it came from."""
    number, _, index = key.partition(".")
    messages = inspection.trace.messages
    if not number.isdigit() or int(number) >= len(messages):
        return Detail("messages", (Cell("No such message in this request.", "dim"),))
    message = messages[int(number)]
    if index:
        return _call_detail(inspection, int(number), int(index))
    blocks: list[Cell] = [Cell(_origin(inspection, message), "dim")]
    for finding in inspection.trace.findings:
        at = message.source_index if inspection.trace.view == "recorded" else int(number)
        if finding.message == at and at is not None:
            blocks.append(Cell(f"{finding.severity} {finding.id}: {finding.text}", "warn"))
    blocks += [Cell(f"thinking: {text}", "dim") for text in message.thinking]
    blocks += [Cell(message.content)] if message.content else []
    blocks += [Cell(f"call {call.name} {arguments_text(call.arguments)}", "accent") for call in message.tool_calls]
    return Detail(f"message {int(number):02} {message.role} {message.tokens} tokens", tuple(blocks))


def _origin(inspection: Inspection, message: MessageRow) -> str:
    facts = [f"turn {turn_text(message.turn_id, len(inspection.session.turns))}"] if message.turn_id is not None else []
    facts += [f"round {message.round}"] if message.round is not None else []
    facts += [f"state {message.state}"]
    facts += [f"synthetic {message.synthetic}"] if message.synthetic else []
    facts += [f"answers call {message.tool_call_id} of {message.name}"] if message.tool_call_id else []
    facts += [f"file line {message.line}"] if message.line is not None else []
    facts += [message.note] if message.note else []
    return ", ".join(facts) + f", {len(message.content)} chars"


def _call_detail(inspection: Inspection, number: int, index: int) -> Detail:
    call = inspection.trace.messages[number].tool_calls[index]
    arguments = call.arguments
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False, indent=2)
    pair = pair_numbers(inspection.trace).get((number, index), "?")
    answer = "no result in this request" if pair == "?" else f"pair {pair}"
    blocks = (Cell(f"id {call.id}, {answer}", "dim"), Cell(text or "(no arguments)"))
    return Detail(f"call {call.name} in message {number:02}", blocks)
