"""The words a row is about: what one would look for in the session to ask after it."""

from __future__ import annotations

from ctxinspect.model.content import content_text
from ctxinspect.model.session import arguments_text
from ctxinspect.text.sanitize import one_line
from ctxinspect.view.inspection import Inspection
from ctxinspect.view.marks import GONE

__all__ = ["row_text"]

_LENGTH = 80
"""Characters of a long text that name it well enough."""


def row_text(inspection: Inspection, panel: int, key: str | None) -> str:
    """The first line of the text behind a row of a panel, an empty string where the row has none."""
    if key is None or key.startswith(GONE):
        return ""
    text = _text(inspection, panel, key)
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    return one_line(line[:_LENGTH]).strip() if line.isprintable() else ""


def _text(inspection: Inspection, panel: int, key: str) -> str:
    trace = inspection.trace
    if panel == 1 and key.isdigit():
        return content_text(inspection.session.turns[int(key)].user)
    if panel == 3 and trace.assembly is not None:
        return next((row.content for row in trace.assembly.components if row.name == key), "")
    if panel == 4:
        return key.partition(":")[2]
    if panel == 5:
        turn = key.removeprefix("recent:")
        return content_text(inspection.session.turns[int(turn)].user) if turn.isdigit() else ""
    if panel == 6 and key.startswith("dropped:"):
        unit = trace.window.dropped[int(key.partition(":")[2])]
        return content_text(inspection.session.turns[unit.turn_id].user) if unit.turn_id is not None else ""
    if panel == 7:
        number, _, index = key.partition(".")
        message = trace.messages[int(number)]
        if index:
            return arguments_text(message.tool_calls[int(index)].arguments)
        calls = (arguments_text(call.arguments) for call in message.tool_calls)
        return next((text for text in (message.content, *message.thinking, *calls) if text.strip()), "")
    return ""
