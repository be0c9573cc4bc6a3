"""OpenAI Responses: items in, items out; `instructions` beside them; an earlier response may hold the context."""

from __future__ import annotations

from typing import Any

from ctxinspect.model.session import RecordedMessage, TextBlock, ToolSchema, Usage
from ctxinspect.readers.wire.dialect import Body, Wire, schema_of, tokens
from ctxinspect.readers.wire.items import ITEM_KINDS, ItemReader, is_item
from ctxinspect.readers.wire.openai_chat import is_chat_list
from ctxinspect.readers.wire.parts import Where, text_or_none
from ctxinspect.readers.wire.responses_events import assemble, is_chunk

__all__ = ["WIRE", "instructions_message", "is_item_list", "responses_usage"]

_TEXTS = ("input_text", "output_text", "input_image", "input_file")
_REQUEST_KEYS = ("model", "instructions", "previous_response_id", "conversation", "reasoning", "store", "tools")


def is_item_list(value: Any) -> bool:
    """Whether a list is one of items and not of chat messages."""
    if not isinstance(value, list) or not value:
        return False
    head = value[:60]
    if sum(map(is_item, head)) * 10 < len(head) * 9:
        return False
    return any(_own(item) for item in head) or not is_chat_list(value)


def _own(item: Any) -> bool:
    """Something in it that only items have."""
    if not isinstance(item, dict):
        return False
    kind = item.get("type")
    if isinstance(kind, str) and (kind in ITEM_KINDS or kind.endswith("_call_output")):
        return True
    content = item.get("content")
    blocks = content if isinstance(content, list) else []
    return any(isinstance(block, dict) and block.get("type") in _TEXTS for block in blocks)


def instructions_message(text: str, where: Where) -> RecordedMessage:
    """The system prompt that stands beside the items."""
    block = TextBlock(text=text, line=where.line, path=where.path)
    return RecordedMessage(role="system", parts=(block,), marks=("top_level",), line=where.line, path=where.path)


def responses_usage(usage: Any) -> Usage | None:
    """Usage of a response; `input` includes what was cached."""
    if not isinstance(usage, dict):
        return None
    details = usage.get("input_tokens_details")
    cached = details.get("cached_tokens") if isinstance(details, dict) else usage.get("cached_input_tokens")
    made = Usage(
        input=tokens(usage.get("input_tokens")), cached=tokens(cached), output=tokens(usage.get("output_tokens"))
    )
    return made if made != Usage() else None


def _messages(body: Body, where: Where) -> list[RecordedMessage]:
    made: list[RecordedMessage] = []
    instructions = body.get("instructions")
    if isinstance(instructions, str) and instructions:
        made.append(instructions_message(instructions, where.at("instructions")))
    given = body.get("input")
    place = where.at("input")
    if isinstance(given, str):
        block = TextBlock(text=given, line=place.line, path=place.path)
        made.append(RecordedMessage(role="user", parts=(block,), line=place.line, path=place.path))
        return made
    return made + _read(given, place)


def _read(items: Any, where: Where, first: int = 0) -> list[RecordedMessage]:
    reader = ItemReader()
    for number, item in enumerate(items if isinstance(items, list) else []):
        reader.add(item, first + number, where.at(number))
    return reader.messages


def _answer(body: Body, where: Where, index: int) -> list[RecordedMessage]:
    return _read(body.get("output"), where.at("output"), index)


def _tools(body: Body) -> tuple[ToolSchema, ...] | None:
    tools = body.get("tools")
    if not isinstance(tools, list):
        return None
    return tuple(schema for schema in map(schema_of, tools) if schema is not None)


def _is_request(body: Body) -> bool:
    given = body.get("input")
    if body.get("object") == "response" or "output" in body:
        return False
    if isinstance(given, str):
        return any(key in body for key in _REQUEST_KEYS) and "embedding" not in str(body.get("model"))
    if given == []:
        return "previous_response_id" in body
    return is_item_list(given) or (is_chat_list(given) and any(key in body for key in _REQUEST_KEYS))


def _is_response(body: Body) -> bool:
    return isinstance(body.get("output"), list) and (body.get("object") == "response" or any(map(_own, body["output"])))


def _notes(body: Body) -> tuple[str, ...]:
    """Of a response that was still being made, that there would have been more."""
    unfinished = body.get("status") in ("in_progress", "queued")
    return ("the response was not complete when it was recorded",) if unfinished else ()


def _conversation(body: Body) -> str | None:
    given = body.get("conversation")
    return text_or_none(given.get("id") if isinstance(given, dict) else given)


WIRE = Wire(
    dialect="openai-responses",
    is_request=_is_request,
    is_response=_is_response,
    is_chunk=is_chunk,
    messages=_messages,
    answer=_answer,
    assemble=assemble,
    tools=_tools,
    usage=lambda body: responses_usage(body.get("usage")),
    chained=lambda body: text_or_none(body.get("previous_response_id")),
    conversation=_conversation,
    notes=_notes,
)
