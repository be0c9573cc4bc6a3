"""Gemini `contents` and parts, camelCase or snake_case: calls and results often have no id and pair by name and order.

Function results arrive as role user (formerly function); both are read as user messages that hold results.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ctxinspect.model.session import (
    CallPart,
    MediaBlock,
    OtherPart,
    RecordedMessage,
    RecordedPart,
    ResultPart,
    TextBlock,
    ThinkingBlock,
    ToolSchema,
    Usage,
)
from ctxinspect.readers.media import kind_of, media_facts
from ctxinspect.readers.wire.dialect import Body, Wire, tokens, usage_total
from ctxinspect.readers.wire.parts import (
    Shape,
    Where,
    arguments_of,
    as_text,
    identifier,
    linked_facts,
    result_content,
    text_or_none,
)

__all__ = ["WIRE", "gemini_parts", "gemini_usage", "is_contents", "joined"]

_ROLES = {"model": "assistant", "user": "user", "function": "user", "system": "system"}


def _field(value: Mapping[str, Any], camel: str) -> Any:
    """A field by its camelCase name, or by the snake_case one that REST accepts too."""
    if camel in value:
        return value[camel]
    return value.get("".join(f"_{char.lower()}" if char.isupper() else char for char in camel))


def is_contents(value: Any) -> bool:
    """Whether a value is a list of Gemini contents."""
    return (
        isinstance(value, list)
        and bool(value)
        and all(isinstance(item, dict) and isinstance(item.get("parts"), list) for item in value[:60])
        and all("role" not in item or str(item["role"]) in _ROLES for item in value[:60])
    )


def gemini_parts(value: Any, where: Where) -> tuple[Shape, list[RecordedPart]]:
    """The parts of a content: a string, one part, or a list of them."""
    if value is None:
        return "null", []
    if isinstance(value, str):
        return "string", [TextBlock(text=value, line=where.line, path=where.path)]
    if isinstance(value, dict):
        return "parts", [_part(value, where)]
    if not isinstance(value, list):
        fault = "parts are no list"
        return "bad", [OtherPart(kind="parts", text=as_text(value), fault=fault, line=where.line, path=where.path)]
    return "parts", [_part(item, where.at(number)) for number, item in enumerate(value)]


def _part(part: Any, where: Where) -> RecordedPart:
    line, path = where
    if isinstance(part, str):
        return TextBlock(text=part, line=line, path=path)
    if not isinstance(part, dict):
        return OtherPart(kind="part", text=as_text(part), fault="a part is no object", line=line, path=path)
    signature = text_or_none(_field(part, "thoughtSignature"))
    text = part.get("text")
    if part.get("thought") is True:
        return ThinkingBlock(text=as_text(text or ""), signature=signature, line=line, path=path)
    if isinstance(text, str):
        return TextBlock(text=text, line=line, path=path)
    return _structured(part, where) or OtherPart(kind=_kind(part), text=as_text(part), line=line, path=path)


def _kind(part: dict[str, Any]) -> str:
    return next(iter(part), "empty")


def _structured(part: dict[str, Any], where: Where) -> RecordedPart | None:
    line, path = where
    call, answer = _field(part, "functionCall"), _field(part, "functionResponse")
    if isinstance(call, dict):
        name, given = as_text(call.get("name") or ""), arguments_of(call.get("args"))
        return CallPart(id=identifier(call.get("id")), name=name, arguments=given, line=line, path=path)
    if isinstance(answer, dict):
        return ResultPart(
            call_id=identifier(answer.get("id")),
            name=text_or_none(answer.get("name")),
            content=result_content(answer.get("response"), where.at("functionResponse").at("response")),
            is_error=isinstance(answer.get("response"), dict) and "error" in answer["response"],
            line=line,
            path=path,
        )
    code, output = _field(part, "executableCode"), _field(part, "codeExecutionResult")
    if isinstance(code, dict):
        return CallPart(name="code_execution", arguments=code, server=True, line=line, path=path)
    if isinstance(output, dict):
        failed = "FAILED" in str(output.get("outcome"))
        content = as_text(output.get("output") or "")
        return ResultPart(name="code_execution", content=content, is_error=failed, server=True, line=line, path=path)
    inline, linked = _field(part, "inlineData"), _field(part, "fileData")
    source = inline if isinstance(inline, dict) else linked if isinstance(linked, dict) else None
    if source is None:
        return None
    media_type = as_text(_field(source, "mimeType") or "")
    data = source.get("data")
    facts = media_facts(data, media_type) if isinstance(data, str) else linked_facts(_field(source, "fileUri"))
    return MediaBlock(
        type=kind_of(media_type), media_type=media_type, bytes=facts[1], sha256=facts[2], line=line, path=path
    )


def _content(value: Any, index: int, where: Where, role: str | None = None) -> RecordedMessage:
    fields = value if isinstance(value, dict) else {"parts": value}
    shape, parts = gemini_parts(fields.get("parts"), where.at("parts") if isinstance(value, dict) else where)
    said = role or _ROLES.get(str(fields.get("role", "user")), as_text(fields.get("role")))
    return RecordedMessage(role=said, index=index, shape=shape, parts=tuple(parts), line=where.line, path=where.path)


def _messages(body: Body, where: Where) -> list[RecordedMessage]:
    made: list[RecordedMessage] = []
    system = _field(body, "systemInstruction")
    if system not in (None, "", {}, []):
        place = where.at("systemInstruction")
        made.append(_content(system, 0, place, "system").model_copy(update={"marks": ("top_level",)}))
    listed, place = body.get("contents"), where.at("contents")
    if isinstance(listed, str):
        return [*made, _content(listed, 0, place, "user")]
    items = listed if isinstance(listed, list) else []
    return [*made, *(_content(item, index, place.at(index)) for index, item in enumerate(items))]


def _answer(body: Body, where: Where, index: int) -> list[RecordedMessage]:
    candidates = body.get("candidates")
    first = candidates[0] if isinstance(candidates, list) and candidates else None
    content = first.get("content") if isinstance(first, dict) else None
    if not isinstance(content, dict) or not content.get("parts"):
        return []
    place = where.at("candidates").at(0).at("content")
    made = _content(content, index, place, "assistant")
    return [made.model_copy(update={"id": text_or_none(body.get("responseId"))})]


def _notes(body: Body) -> tuple[str, ...]:
    candidates = body.get("candidates")
    number = len(candidates) if isinstance(candidates, list) else 0
    return (f"the response has {number} candidates; the first one is shown",) if number > 1 else ()


def _tools(body: Body) -> tuple[ToolSchema, ...] | None:
    listed = body.get("tools")
    listed = [listed] if isinstance(listed, dict) else listed
    if not isinstance(listed, list):
        return None
    found: list[ToolSchema] = []
    for tool in listed:
        declared = _field(tool, "functionDeclarations") if isinstance(tool, dict) else None
        for function in declared if isinstance(declared, list) else []:
            if isinstance(function, dict):
                schema = _field(function, "parametersJsonSchema") or function.get("parameters")
                found.append(
                    ToolSchema(
                        name=as_text(function.get("name") or ""),
                        description=as_text(function.get("description") or ""),
                        parameters=schema if isinstance(schema, dict) else {},
                    )
                )
        if isinstance(tool, dict) and declared is None:
            found += [ToolSchema(name=name) for name in tool]
    return tuple(found)


def gemini_usage(body: Body) -> Usage | None:
    """Usage of a response: input with the tools' own prompt tokens, output with the thoughts."""
    usage = _field(body, "usageMetadata")
    if not isinstance(usage, dict):
        return None
    made = Usage(
        input=usage_total(_field(usage, "promptTokenCount"), _field(usage, "toolUsePromptTokenCount")),
        cached=tokens(_field(usage, "cachedContentTokenCount")),
        output=usage_total(_field(usage, "candidatesTokenCount"), _field(usage, "thoughtsTokenCount")),
    )
    return made if made != Usage() else None


def joined(chunks: list[Body]) -> list[Body]:
    """Whole responses from the chunks of streams: parts in a row, the last usage; a finish reason ends a response."""
    done: list[Body] = []
    current: dict[str, Any] | None = None
    for chunk in chunks:
        candidates = chunk.get("candidates")
        first = candidates[0] if isinstance(candidates, list) and candidates else {}
        first = first if isinstance(first, dict) else {}
        content = first.get("content")
        parts = content.get("parts") if isinstance(content, dict) else None
        if current is None or (chunk.get("responseId") or "") != (current.get("responseId") or ""):
            current = {**chunk, "candidates": [{"content": {"role": "model", "parts": []}}]}
            done.append(current)
        _extend(current["candidates"][0]["content"]["parts"], parts)
        current |= {key: chunk[key] for key in ("usageMetadata", "usage_metadata", "modelVersion") if key in chunk}
        if first.get("finishReason") and not chunk.get("responseId"):
            current = None
    return done


def _extend(kept: list[Any], parts: Any) -> None:
    """Adds parts; text goes on with the text before it where both are thoughts, or neither is."""
    for part in parts if isinstance(parts, list) else []:
        last = kept[-1] if kept else None
        if not isinstance(part, dict) or not isinstance(last, dict) or not {"text"} <= part.keys() & last.keys():
            kept.append(part)
        elif part.get("thought") == last.get("thought"):
            kept[-1] = {**last, **part, "text": as_text(last["text"]) + as_text(part["text"])}
        else:
            kept.append(part)


def _is_request(body: Body) -> bool:
    contents = body.get("contents")
    return is_contents(contents) or (isinstance(contents, str) and "candidates" not in body)


def _is_response(body: Body) -> bool:
    return isinstance(body.get("candidates"), list) or isinstance(_field(body, "usageMetadata"), dict)


WIRE = Wire(
    dialect="gemini",
    is_request=_is_request,
    is_response=_is_response,
    is_chunk=lambda _: False,
    messages=_messages,
    answer=_answer,
    assemble=joined,
    tools=_tools,
    usage=gemini_usage,
    notes=_notes,
)
