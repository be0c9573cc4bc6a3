"""A draft as the body of a Chat Completions request: every call has an id, every result is a message of its own.

Reasoning has no place there, payloads are not in a recording, and text that followed a call stands before it.
"""

from __future__ import annotations

from typing import Any

from ctxinspect.dialects.draft import Draft, Notes, Written, content_texts
from ctxinspect.dialects.ids import Names, name_calls
from ctxinspect.dialects.pieces import HOLLOW, Piece, Placed, hollow, note_message, pieces_of
from ctxinspect.dialects.values import arguments_string, finite, has_order_loss, part_text
from ctxinspect.model.content import ThinkingPart
from ctxinspect.model.session import CallPart, ResultPart, ToolSchema

__all__ = ["write"]

_THINKING = "Chat Completions has no place for reasoning"


def write(draft: Draft) -> Written:
    """The body: `model`, `messages`, `tools` where there are any."""
    notes = Notes()
    body: dict[str, Any] = {"model": notes.model(draft, "OpenAI")}
    note_message(draft, notes, names=True)
    names = name_calls(draft.messages, notes, items=False)
    writer = _Writer(draft, notes, names)
    body["messages"] = [made for piece in pieces_of(draft, notes, together=False) for made in writer.messages(piece)]
    if draft.tools:
        body["tools"] = [_tool(tool) for tool in draft.tools]
    if draft.thinking:
        notes.general("thinking", "that extended thinking was switched on cannot be said there")
    return Written(finite(body, notes), tuple(notes.losses))


def _tool(tool: ToolSchema) -> dict[str, Any]:
    function: dict[str, Any] = {"name": tool.name}
    if tool.description:
        function["description"] = tool.description
    if tool.parameters:
        function["parameters"] = tool.parameters
    return {"type": "function", "function": function}


class _Writer:
    """Writes the pieces of one draft."""

    def __init__(self, draft: Draft, notes: Notes, names: Names) -> None:
        self._draft = draft
        self._notes = notes
        self._names = names

    def messages(self, piece: Piece) -> list[dict[str, Any]]:
        """The messages that a piece becomes: one, or one for each result."""
        if piece.role == "tool":
            return [self._result(entry, piece) for entry in piece.parts]
        made: dict[str, Any] = {"role": piece.role, "content": self._content(piece)}
        if piece.message.name:
            made["name"] = piece.message.name
        if piece.role == "assistant":
            self._add_calls(made, piece)
        if not made["content"] and len(made) == 2 and hollow(piece):
            self._notes.add(piece.message, piece.index, "message", HOLLOW)
            return []
        if piece.role != "assistant" and made["content"] is None:
            self._notes.add(piece.message, piece.index, "null", "content was null, and text is required: empty")
            made["content"] = ""
        return [made]

    def _content(self, piece: Piece) -> str | list[dict[str, Any]] | None:
        blocks: list[dict[str, Any]] = []
        for entry in piece.parts:
            if isinstance(entry.part, ThinkingPart):
                self._notes.add(entry.part, piece.index, "thinking", _THINKING)
                continue
            text = part_text(entry, piece, self._notes)
            if text is not None:
                blocks.append({"type": "text", "text": text})
        if len(blocks) == 1:
            return str(blocks[0]["text"])
        if blocks:
            return blocks
        return None if piece.message.shape in ("null", "absent") or piece.message.calls else ""

    def _add_calls(self, made: dict[str, Any], piece: Piece) -> None:
        if has_order_loss(piece):
            self._notes.add(piece.message, piece.index, "order", "text that followed a call stands before it there")
        calls: list[dict[str, Any]] = []
        for entry in piece.parts:
            call = entry.part
            if not isinstance(call, CallPart):
                continue
            if call.server:
                self._notes.add(call, piece.index, "server tool", "run by the provider: written as an ordinary call")
            if "legacy_function" in piece.message.marks and not call.id and "function_call" not in made:
                made["function_call"] = {"name": call.name, "arguments": arguments_string(call)}
            else:
                calls.append(self._call(entry, call))
        if calls:
            made["tool_calls"] = calls

    def _call(self, entry: Placed, call: CallPart) -> dict[str, Any]:
        made: dict[str, Any] = {"id": self._names.ids[entry.slot]}
        if call.freeform:
            return {**made, "type": "custom", "custom": {"name": call.name, "input": arguments_string(call)}}
        return {**made, "type": "function", "function": {"name": call.name, "arguments": arguments_string(call)}}

    def _result(self, entry: Placed, piece: Piece) -> dict[str, Any]:
        result = entry.part
        assert isinstance(result, ResultPart)
        texts = content_texts(result.content, result, piece.index, self._notes)
        if result.is_error:
            self._notes.add(result, piece.index, "error flag", "a tool message cannot say that the tool failed")
        content: Any = texts[0] if len(texts) == 1 else [{"type": "text", "text": text} for text in texts]
        if piece.message.role == "function" and not result.call_id:
            return {"role": "function", "name": self._names.tools[entry.slot], "content": "\n".join(texts)}
        return {"role": "tool", "tool_call_id": self._names.ids[entry.slot], "content": content or ""}
