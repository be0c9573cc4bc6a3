"""A draft as the body of a Messages request: system beside the messages, results in user messages directly after.

Arguments are objects there and ids hold only letters, digits, `_` and `-`. Thinking is kept with its signature where
this provider made it.
"""

from __future__ import annotations

from typing import Any

from ctxinspect.dialects.draft import Draft, Notes, Written, content_texts
from ctxinspect.dialects.ids import Names, name_calls
from ctxinspect.dialects.pieces import HOLLOW, Piece, Placed, hollow, leading, note_message, pieces_of
from ctxinspect.dialects.values import arguments_object, as_it_stood, finite, object_schema, part_text
from ctxinspect.model.session import CallPart, ResultPart, TextBlock, ThinkingBlock, ToolSchema

__all__ = ["write"]

TARGET = "anthropic"
_MAX_TOKENS = 4096
_THINKING_BUDGET = 1024


def write(draft: Draft) -> Written:
    """The body: `model`, `max_tokens`, `system`, `messages`, `tools` where there are any."""
    notes = Notes()
    body: dict[str, Any] = {"model": notes.model(draft, "Anthropic"), "max_tokens": _MAX_TOKENS}
    notes.general("max_tokens", f"a request needs it and the recording does not hold it: written as {_MAX_TOKENS}")
    note_message(draft, notes, names=False)
    names = name_calls(draft.messages, notes, items=False, plain=True)
    pieces = pieces_of(draft, notes, together=True)
    writer = _Writer(draft, notes, names)
    lead = leading(pieces)
    system = writer.system(pieces[:lead])
    if system:
        body["system"] = system
    body["messages"] = [made for piece in pieces[lead:] for made in writer.messages(piece)]
    if draft.tools:
        body["tools"] = [_tool(tool) for tool in draft.tools]
    if draft.thinking:
        body["thinking"] = {"type": "enabled", "budget_tokens": _THINKING_BUDGET}
        notes.general("thinking", f"its budget is not recorded: written as {_THINKING_BUDGET} tokens")
    return Written(finite(body, notes), tuple(notes.losses))


def _tool(tool: ToolSchema) -> dict[str, Any]:
    made: dict[str, Any] = {"name": tool.name}
    if tool.description:
        made["description"] = tool.description
    return {**made, "input_schema": object_schema(tool)}


class _Writer:
    """Writes the pieces of one draft."""

    def __init__(self, draft: Draft, notes: Notes, names: Names) -> None:
        self._draft = draft
        self._notes = notes
        self._names = names

    def system(self, pieces: list[Piece]) -> str | list[dict[str, Any]]:
        """The leading system messages: a lone text as a string, else blocks."""
        blocks: list[dict[str, Any]] = []
        for number, piece in enumerate(pieces):
            self._note_developer(piece)
            if number:
                self._notes.add(piece.message, piece.index, "boundary", "it joins the system prompt as a block of it")
            blocks += [block for entry in piece.parts for block in self._block(entry, piece)]
        return blocks[0]["text"] if len(blocks) == 1 and blocks[0].keys() == {"type", "text"} else blocks

    def messages(self, piece: Piece) -> list[dict[str, Any]]:
        """The message of a piece, if anything of it can be held: a lone text as a string, else blocks."""
        self._note_developer(piece)
        role = {"tool": "user", "developer": "system"}.get(piece.role, piece.role)
        blocks = [block for entry in piece.parts for block in self._block(entry, piece)]
        content: Any = blocks
        if len(blocks) == 1 and blocks[0].keys() == {"type", "text"}:
            content = blocks[0]["text"]
        if not blocks:
            if hollow(piece):
                self._notes.add(piece.message, piece.index, "message", HOLLOW)
                return []
            if piece.message.shape in ("null", "absent"):
                self._notes.add(piece.message, piece.index, "null", "content was null, and text is required: empty")
            content = ""
        return [{"role": role, "content": content}]

    def _note_developer(self, piece: Piece) -> None:
        if piece.role == "developer":
            self._notes.add(piece.message, piece.index, "role", "developer messages are system text there")

    def _block(self, entry: Placed, piece: Piece) -> list[dict[str, Any]]:
        part = entry.part
        if isinstance(part, CallPart):
            return [self._call(entry, part, piece)]
        if isinstance(part, ResultPart):
            return [self._result(entry, part)]
        if isinstance(part, ThinkingBlock):
            return self._thinking(part, piece)
        kept = as_it_stood(entry, self._draft, TARGET)
        if kept is not None:
            return [kept]
        if isinstance(part, TextBlock) and not part.text:
            return []  # an empty block holds nothing and is refused there
        text = part_text(entry, piece, self._notes)
        return [] if text is None else [{"type": "text", "text": text}]

    def _thinking(self, part: ThinkingBlock, piece: Piece) -> list[dict[str, Any]]:
        if self._draft.origin not in (None, TARGET):
            self._notes.add(part, piece.index, "thinking", "reasoning of another provider is refused there")
        elif part.signature is None:
            self._notes.add(part, piece.index, "thinking", "it has no signature, and is refused without one")
        elif part.redacted:
            return [{"type": "redacted_thinking", "data": part.signature}]
        else:
            return [{"type": "thinking", "thinking": part.text, "signature": part.signature}]
        return []

    def _call(self, entry: Placed, call: CallPart, piece: Piece) -> dict[str, Any]:
        if call.server:
            self._notes.add(call, piece.index, "server tool", "run by the provider: written as an ordinary call")
        arguments = arguments_object(call, piece.index, self._notes)
        return {"type": "tool_use", "id": self._names.ids[entry.slot], "name": call.name, "input": arguments}

    def _result(self, entry: Placed, result: ResultPart) -> dict[str, Any]:
        texts = content_texts(result.content, result, entry.slot.message, self._notes)
        made: dict[str, Any] = {"type": "tool_result", "tool_use_id": self._names.ids[entry.slot]}
        blocks = [{"type": "text", "text": text} for text in texts if text]
        made["content"] = texts[0] if len(texts) == 1 else blocks
        return {**made, "is_error": True} if result.is_error else made
