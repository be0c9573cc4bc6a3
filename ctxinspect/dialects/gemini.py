"""A draft as the body of a Gemini `generateContent` request: contents of parts, results by the name of their tool.

The model is in the address of such a call, not in its body. A result is an object there: text stands under `output`, or
under `error` where the tool failed; text that is a JSON object is that object.
"""

from __future__ import annotations

import json
from typing import Any

from ctxinspect.dialects.draft import Draft, Notes, Written, content_texts, joined_texts
from ctxinspect.dialects.ids import Names, name_calls
from ctxinspect.dialects.pieces import HOLLOW, Piece, Placed, hollow, labelled, leading, note_message, pieces_of
from ctxinspect.dialects.values import arguments_object, finite, part_text
from ctxinspect.model.session import CallPart, ResultPart, ThinkingBlock, ToolSchema

__all__ = ["write"]

TARGET = "gemini"


def write(draft: Draft) -> Written:
    """The body: `systemInstruction`, `contents`, `tools` where there are any."""
    notes = Notes()
    if draft.model:
        notes.general("model", f"{draft.model} belongs into the address of the call, not into its body")
    note_message(draft, notes, names=False)
    names = name_calls(draft.messages, notes, items=False, required=False)
    pieces = pieces_of(draft, notes, together=True)
    writer = _Writer(draft, notes, names)
    lead = leading(pieces)
    body: dict[str, Any] = {}
    system = writer.system(pieces[:lead])
    if system:
        body["systemInstruction"] = {"parts": system}
    body["contents"] = writer.contents(pieces[lead:])
    if draft.tools:
        body["tools"] = [{"functionDeclarations": [_tool(tool) for tool in draft.tools]}]
    if draft.thinking:
        notes.general("thinking", "that extended thinking was switched on cannot be said there")
    return Written(finite(body, notes), tuple(notes.losses))


def _tool(tool: ToolSchema) -> dict[str, Any]:
    made: dict[str, Any] = {"name": tool.name}
    if tool.description:
        made["description"] = tool.description
    if tool.parameters:
        made["parametersJsonSchema"] = tool.parameters
    return made


class _Writer:
    """Writes the pieces of one draft."""

    def __init__(self, draft: Draft, notes: Notes, names: Names) -> None:
        self._draft = draft
        self._notes = notes
        self._names = names

    def system(self, pieces: list[Piece]) -> list[dict[str, Any]]:
        """The parts of the leading system messages."""
        parts: list[dict[str, Any]] = []
        for number, piece in enumerate(pieces):
            if number:
                self._notes.add(piece.message, piece.index, "boundary", "it joins the system prompt as a part of it")
            if piece.role == "developer":
                self._notes.add(piece.message, piece.index, "role", "developer messages are system text there")
            parts += self._parts(piece)
        return parts

    def contents(self, pieces: list[Piece]) -> list[dict[str, Any]]:
        """The contents; calls directly behind another content of the model join it, since they are refused there."""
        made: list[dict[str, Any]] = []
        for piece in pieces:
            content = self._content(piece)
            if content is None:
                self._notes.add(piece.message, piece.index, "message", HOLLOW)
            elif made and made[-1]["role"] == content["role"] == "model" and _asks(content):
                why = "calls directly behind another message of the model are refused there: it joins that message"
                self._notes.add(piece.message, piece.index, "boundary", why)
                made[-1]["parts"] += content["parts"]
            else:
                made.append(content)
        return made

    def _content(self, piece: Piece) -> dict[str, Any] | None:
        """One content: role `model` for the assistant, `user` for all others; None where nothing can be held."""
        if piece.role in ("system", "developer"):
            why = "a system message among the contents is not taken there: a labelled user message"
            self._notes.add(piece.message, piece.index, "role", why)
            piece = labelled(piece, f"[{piece.role}]")
        parts = self._parts(piece)
        if not parts and hollow(piece):
            return None
        if not parts and piece.message.shape in ("null", "absent"):
            self._notes.add(piece.message, piece.index, "null", "content was null, and a part is required: empty text")
        return {"role": "model" if piece.role == "assistant" else "user", "parts": parts or [{"text": ""}]}

    def _parts(self, piece: Piece) -> list[dict[str, Any]]:
        made = [self._part(entry, piece) for entry in piece.parts]
        parts = [part for part in made if part is not None]
        # A lone empty text beside calls or results holds nothing and is refused there.
        return [part for part in parts if part != {"text": ""}] or parts[:1]

    def _part(self, entry: Placed, piece: Piece) -> dict[str, Any] | None:
        part = entry.part
        if isinstance(part, CallPart):
            return self._call(entry, part, piece)
        if isinstance(part, ResultPart):
            return self._result(entry, part)
        if isinstance(part, ThinkingBlock):
            return self._thinking(part, piece)
        text = part_text(entry, piece, self._notes)
        return None if text is None else {"text": text}

    def _thinking(self, part: ThinkingBlock, piece: Piece) -> dict[str, Any] | None:
        own = self._draft.origin in (None, TARGET)
        if not part.text and not (own and part.signature):
            self._notes.add(part, piece.index, "thinking", "reasoning without text of another provider")
            return None
        made: dict[str, Any] = {"text": part.text, "thought": True}
        if part.signature and own:
            made["thoughtSignature"] = part.signature
        elif part.signature:
            self._notes.add(part, piece.index, "signature", "a signature of another provider means nothing there")
        return made

    def _call(self, entry: Placed, call: CallPart, piece: Piece) -> dict[str, Any]:
        arguments = arguments_object(call, piece.index, self._notes)
        if call.server:
            self._notes.add(call, piece.index, "server tool", "run by the provider: written as an ordinary call")
        named = self._names.ids[entry.slot]
        return {"functionCall": {**({"id": named} if named else {}), "name": call.name, "args": arguments}}

    def _result(self, entry: Placed, result: ResultPart) -> dict[str, Any]:
        text = joined_texts(content_texts(result.content, result, entry.slot.message, self._notes))
        name = self._names.tools[entry.slot]
        if name == "unknown" and not result.name:
            self._notes.add(
                result, entry.slot.message, "name", 'a result needs the name of its tool: written as "unknown"'
            )
        named = self._names.ids[entry.slot]
        response = _response(text, failed=result.is_error)
        return {"functionResponse": {**({"id": named} if named else {}), "name": name, "response": response}}


def _asks(content: dict[str, Any]) -> bool:
    return any("functionCall" in part for part in content["parts"])


def _response(text: str, *, failed: bool) -> dict[str, Any]:
    """The text as an object; whether the tool failed can be told from its keys."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        value = None
    if isinstance(value, dict) and ("error" in value) == failed:
        return value
    return {"error" if failed else "output": text}
