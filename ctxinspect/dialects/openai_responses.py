"""A draft as the body of a Responses request: every part of an assistant message is an item of its own.

Calls and outputs are held together by `call_id`; items keep their own id where the draft has it. Reasoning is an item
of the provider that made it: without its id it cannot be sent.
"""

from __future__ import annotations

from typing import Any

from ctxinspect.dialects.draft import Draft, Notes, Written, content_texts
from ctxinspect.dialects.ids import Names, name_calls
from ctxinspect.dialects.pieces import HOLLOW, Piece, Placed, hollow, note_message, pieces_of
from ctxinspect.dialects.values import arguments_string, as_it_stood, finite, object_schema, part_text
from ctxinspect.model.content import ThinkingPart
from ctxinspect.model.session import CallPart, ResultPart, TextBlock, ThinkingBlock, ToolSchema

__all__ = ["write"]

TARGET = "openai-responses"
_THINKING = "reasoning without the id of its item, or of another provider, is refused there"


def write(draft: Draft) -> Written:
    """The body: `model`, `instructions` where a lone system text leads, `input`, `tools` where there are any."""
    notes = Notes()
    body: dict[str, Any] = {"model": notes.model(draft, "OpenAI")}
    note_message(draft, notes, names=False)
    names = name_calls(draft.messages, notes, items=draft.origin == TARGET)
    pieces = pieces_of(draft, notes, together=False)
    instructions = _instructions(pieces)
    if instructions is not None:
        body["instructions"] = instructions
        pieces = pieces[1:]
    writer = _Writer(draft, notes, names)
    items: list[dict[str, Any]] = []
    body["input"] = items
    before = ""
    for piece in pieces:
        made = writer.items(piece)
        if before == piece.role == "assistant" and made and made[0]["type"] != "message":
            why = "it goes on after another assistant message, and items do not say where one ends"
            notes.add(piece.message, piece.index, "boundary", why)
        items += made
        before = piece.role if made else before
    if draft.tools:
        body["tools"] = [_tool(tool) for tool in draft.tools]
    if draft.thinking:
        notes.general("thinking", "that extended thinking was switched on cannot be said there")
    return Written(finite(body, notes), tuple(notes.losses))


def _instructions(pieces: list[Piece]) -> str | None:
    if not pieces or pieces[0].role != "system" or len(pieces[0].parts) != 1:
        return None
    part = pieces[0].parts[0].part
    return part.text if isinstance(part, TextBlock) and part.text else None


def _tool(tool: ToolSchema) -> dict[str, Any]:
    made: dict[str, Any] = {"type": "function", "name": tool.name}
    if tool.description:
        made["description"] = tool.description
    return {**made, "parameters": object_schema(tool), "strict": False}


class _Writer:
    """Writes the pieces of one draft."""

    def __init__(self, draft: Draft, notes: Notes, names: Names) -> None:
        self._draft = draft
        self._notes = notes
        self._names = names

    def items(self, piece: Piece) -> list[dict[str, Any]]:
        """The items that a piece becomes."""
        if piece.role == "tool":
            return [self._output(entry, piece) for entry in piece.parts]
        if piece.role == "assistant":
            return self._said(piece)
        blocks = self._blocks(piece)
        content: Any = blocks
        if len(blocks) == 1 and blocks[0].get("type") == "input_text":
            content = blocks[0]["text"]
        if not blocks:
            if hollow(piece):
                return self._left_out(piece)
            if piece.message.shape in ("null", "absent"):
                self._notes.add(piece.message, piece.index, "null", "content was null, and text is required: empty")
            content = ""
        return [{"type": "message", "role": piece.role, "content": content}]

    def _blocks(self, piece: Piece) -> list[dict[str, Any]]:
        blocks: list[dict[str, Any]] = []
        for entry in piece.parts:
            kept = as_it_stood(entry, self._draft, TARGET)
            text = None if kept is not None else part_text(entry, piece, self._notes)
            if kept is not None:
                blocks.append(kept)
            elif text is not None:
                blocks.append({"type": "input_text", "text": text})
            elif isinstance(entry.part, ThinkingPart):
                self._notes.add(entry.part, piece.index, "thinking", _THINKING)
        return blocks

    def _said(self, piece: Piece) -> list[dict[str, Any]]:
        """An assistant message: texts in a row are one item, calls and reasoning one each."""
        items: list[dict[str, Any]] = []
        texts: list[str] = []
        for entry in piece.parts:
            kept = as_it_stood(entry, self._draft, TARGET)
            text = None if kept is not None else part_text(entry, piece, self._notes)
            if text is not None:
                texts.append(text)
                continue
            made = kept or self._item(entry, piece)
            if made is not None:
                items += self._message(texts, piece, len(items))
                texts = []
                items.append(made)
        items += self._message(texts, piece, len(items))
        if not items and hollow(piece):
            return self._left_out(piece)
        return items or [{"type": "message", "role": "assistant", "content": ""}]

    def _left_out(self, piece: Piece) -> list[dict[str, Any]]:
        self._notes.add(piece.message, piece.index, "message", HOLLOW)
        return []

    @staticmethod
    def _message(texts: list[str], piece: Piece, number: int) -> list[dict[str, Any]]:
        if not texts or (texts == [""] and piece.message.calls):
            return []
        if len(texts) == 1:
            return [{"type": "message", "role": "assistant", "content": texts[0]}]
        blocks = [{"type": "output_text", "text": text, "annotations": []} for text in texts]
        made_up = f"msg_{piece.index}_{number}"
        return [
            {"type": "message", "id": made_up, "role": "assistant", "status": "completed", "content": blocks},
        ]

    def _item(self, entry: Placed, piece: Piece) -> dict[str, Any] | None:
        part = entry.part
        if isinstance(part, CallPart):
            return self._call(entry, part, piece)
        return self._reasoning(entry, part, piece) if isinstance(part, ThinkingBlock) else None

    def _reasoning(self, entry: Placed, part: ThinkingBlock, piece: Piece) -> dict[str, Any] | None:
        """A reasoning item; recordings that keep its encrypted content and not its id get one made up."""
        named = part.item_id
        if not named and part.signature and self._draft.origin == TARGET:
            named = f"rs_m{entry.slot.message}p{entry.slot.part}"
            self._notes.add(part, piece.index, "id", "a reasoning item needs one and has none: made up", named)
        if not named or self._draft.origin not in (None, TARGET):
            self._notes.add(part, piece.index, "thinking", _THINKING)
            return None
        summary = [{"type": "summary_text", "text": part.text}] if part.text else []
        made: dict[str, Any] = {"type": "reasoning", "id": named, "summary": summary}
        return {**made, "encrypted_content": part.signature} if part.signature else made

    def _call(self, entry: Placed, call: CallPart, piece: Piece) -> dict[str, Any]:
        if call.server:
            self._notes.add(call, piece.index, "server tool", "run by the provider: written as an ordinary call")
        made: dict[str, Any] = {"type": "custom_tool_call" if call.freeform else "function_call"}
        if call.item_id and self._draft.origin in (None, TARGET) and call.item_id != call.id:
            made["id"] = call.item_id
        made |= {"call_id": self._names.ids[entry.slot], "name": call.name}
        return {**made, "input" if call.freeform else "arguments": arguments_string(call)}

    def _output(self, entry: Placed, piece: Piece) -> dict[str, Any]:
        result = entry.part
        assert isinstance(result, ResultPart)
        texts = content_texts(result.content, result, piece.index, self._notes)
        if result.is_error:
            self._notes.add(result, piece.index, "error flag", "an output cannot say that the tool failed")
        call = self._names.calls.get(entry.slot)
        kind = "custom_tool_call_output" if call is not None and call.freeform else "function_call_output"
        output: Any = texts[0] if len(texts) == 1 else [{"type": "input_text", "text": text} for text in texts]
        return {"type": kind, "call_id": self._names.ids[entry.slot], "output": output or ""}
