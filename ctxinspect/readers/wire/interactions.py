"""Gemini Interactions: steps (formerly outputs) in and out, `system_instruction` beside them, state kept by the provider.

Steps of the model in a row are one message; a function's result is a user message, as in the rest of the Gemini API.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ctxinspect.model.session import (
    CallPart,
    MediaBlock,
    RecordedMessage,
    RecordedPart,
    ResultPart,
    ThinkingBlock,
    ToolSchema,
    Usage,
)
from ctxinspect.readers.media import kind_of, media_facts
from ctxinspect.readers.wire.dialect import Body, Wire, schema_of, tokens, usage_total
from ctxinspect.readers.wire.parts import (
    Where,
    arguments_of,
    as_text,
    content_parts,
    identifier,
    linked_facts,
    part_of,
    result_content,
    text_or_none,
)

__all__ = ["WIRE"]

_OWN = ("previous_interaction_id", "system_instruction", "response_modalities", "agent", "agent_config")
_OF_RESPONSES = ("instructions", "previous_response_id", "conversation", "reasoning", "truncation")
_USER_STEPS = ("user_input", "function_result")
_ROLES = {"user": "user", "model": "assistant", "assistant": "assistant"}
_STREAM = ("interaction.", "step.", "content.")


def _steps(body: Body) -> Any:
    return body.get("steps", body.get("outputs"))


def _is_request(body: Body) -> bool:
    given = body.get("input")
    if given is None or _steps(body) is not None or "output" in body or body.get("object") is not None:
        return False
    if isinstance(given, list) and any(map(_of_responses, given)):
        return False
    if any(key in body for key in _OWN):
        return True
    # The name of a model proves little: routers take such models by the Responses API.
    model = body.get("model")
    return isinstance(model, str) and "gemini" in model and not any(key in body for key in _OF_RESPONSES)


def _of_responses(item: Any) -> bool:
    """Whether an item can only stand in the Responses API: a step has another type, and a call its `id` alone."""
    if not isinstance(item, dict):
        return False
    kind = item.get("type")
    if not isinstance(kind, str):
        return False
    return kind == "message" or kind.endswith("_call_output") or (kind.endswith("_call") and "call_id" in item)


def _is_response(body: Body) -> bool:
    if not isinstance(_steps(body), list):
        return False
    return body.get("object") == "interaction" or {"id", "status", "model"} <= body.keys()


def _is_chunk(body: Body) -> bool:
    kind = body.get("event_type")
    return isinstance(kind, str) and kind.startswith(_STREAM)


def _messages(body: Body, where: Where) -> list[RecordedMessage]:
    made: list[RecordedMessage] = []
    system = body.get("system_instruction")
    if system:
        place = where.at("system_instruction")
        inner = system.get("parts", system.get("text")) if isinstance(system, dict) else system
        _, parts = content_parts(inner, place)
        made.append(
            RecordedMessage(role="system", parts=tuple(parts), marks=("top_level",), line=place.line, path=place.path)
        )
    given, place = body.get("input"), where.at("input")
    if isinstance(given, (str, dict)):
        return [*made, *_read([given], place, 0)]
    return [*made, *_read(given, place, 0)]


def _answer(body: Body, where: Where, index: int) -> list[RecordedMessage]:
    key = "steps" if "steps" in body else "outputs"
    return _read(_steps(body), where.at(key), index)


def _read(steps: Any, where: Where, first: int) -> list[RecordedMessage]:
    """The steps as messages; neighbours of one side are one message, results are messages of their own."""
    made: list[tuple[str, bool, Where, list[RecordedPart]]] = []
    for number, step in enumerate(steps if isinstance(steps, list) else []):
        place = where.at(number)
        role, parts = _step(step, place, answer=where.path.endswith(("steps", "outputs")))
        result = any(isinstance(part, ResultPart) and not part.server for part in parts)
        if made and made[-1][:2] == (role, result):
            made[-1][3].extend(parts)
        else:
            made.append((role, result, place, parts))
    return [
        RecordedMessage(
            role=role,
            index=first + number,
            shape="parts",
            parts=tuple(parts),
            line=place.line,
            path=place.path,
        )
        for number, (role, _, place, parts) in enumerate(made)
    ]


def _step(step: Any, where: Where, *, answer: bool) -> tuple[str, list[RecordedPart]]:
    """(role, parts) of a step, of a turn with a role, or of a bare content."""
    if not isinstance(step, dict):
        return "user", part_of(step, where)
    kind = step.get("type")
    role = step.get("role")
    if isinstance(role, str) and kind is None:
        return _ROLES.get(role, role), _contents(step.get("content"), where.at("content"))
    if kind in ("user_input", "model_output"):
        side = "user" if kind == "user_input" else "assistant"
        return side, _contents(step.get("content"), where.at("content"))
    own = kind in _USER_STEPS or not (answer or _of_model(kind))
    return ("user" if own else "assistant"), [_part(step, where)]


def _of_model(kind: Any) -> bool:
    return isinstance(kind, str) and (kind == "thought" or kind.endswith(("_call", "_result")))


def _contents(value: Any, where: Where) -> list[RecordedPart]:
    if isinstance(value, list):
        return [_part(item, where.at(number)) for number, item in enumerate(value)]
    return [_part(value, where)] if isinstance(value, dict) else content_parts(value, where)[1]


def _part(item: Any, where: Where) -> RecordedPart:
    if not isinstance(item, dict):
        return part_of(item, where)[0]
    kind = str(item.get("type"))
    if kind == "thought":
        return _thought(item, where)
    if kind.endswith("_call"):
        return CallPart(
            id=identifier(item.get("id")),
            name=as_text(item.get("name") or kind.removesuffix("_call")),
            arguments=arguments_of(item.get("arguments")),
            server=kind != "function_call",
            line=where.line,
            path=where.path,
        )
    if kind.endswith("_result"):
        return ResultPart(
            call_id=identifier(item.get("call_id")),
            name=text_or_none(item.get("name")),
            content=result_content(item.get("result"), where.at("result")),
            is_error=item.get("is_error") is True,
            server=kind != "function_result",
            line=where.line,
            path=where.path,
        )
    if kind in ("image", "audio", "video", "document"):
        return _media(item, where)
    return part_of(item, where)[0]


def _thought(item: Mapping[str, Any], where: Where) -> RecordedPart:
    summary = item.get("summary", item.get("content"))
    pieces = summary if isinstance(summary, list) else [summary]
    texts = [piece.get("text") if isinstance(piece, dict) else piece for piece in pieces]
    text = "\n".join(piece for piece in texts if isinstance(piece, str))
    signature = text_or_none(item.get("signature"))
    return ThinkingBlock(text=text, signature=signature, redacted=not text, line=where.line, path=where.path)


def _media(item: Mapping[str, Any], where: Where) -> RecordedPart:
    media_type = as_text(item.get("mime_type") or "")
    data = item.get("data")
    facts = media_facts(data, media_type) if isinstance(data, str) else linked_facts(item.get("uri"), media_type)
    kind = "image" if item["type"] == "image" else "audio" if item["type"] == "audio" else kind_of(media_type)
    return MediaBlock(
        type=kind, media_type=media_type, bytes=facts[1], sha256=facts[2], line=where.line, path=where.path
    )


def _assemble(events: list[Body]) -> list[Body]:
    """Whole interactions: the frame from the events that carry it, the steps from their pieces where it has none."""
    done: list[Body] = []
    frame: dict[str, Any] = {}
    steps: dict[int, dict[str, Any]] = {}

    def close() -> None:
        if frame or steps:
            gathered = [steps[number] for number in sorted(steps)]
            whole = _steps(frame) or gathered
            done.append({"object": "interaction", **frame, "steps": whole})
        frame.clear()
        steps.clear()

    for event in events:
        kind, inner = str(event.get("event_type")), event.get("interaction")
        if kind in ("interaction.start", "interaction.created") and (frame or steps):
            close()
        if isinstance(inner, dict):
            frame.update(inner)
        _gather(kind, event, steps)
        if kind.startswith("interaction.complete"):
            close()
    close()
    return done


def _gather(kind: str, event: Body, steps: dict[int, dict[str, Any]]) -> None:
    """Adds one event to the step that it is a piece of."""
    number = event.get("index", 0)
    if not isinstance(number, int) or not kind.startswith(("step.", "content.")):
        return
    step = steps.setdefault(number, {})
    for key in ("step", "content", "delta"):
        piece = event.get(key)
        if not isinstance(piece, dict):
            continue
        text = piece.get("text")
        step.update({name: value for name, value in piece.items() if name != "text"})
        if isinstance(text, str):
            step["text"] = step.get("text", "") + text


def _usage(body: Body) -> Usage | None:
    usage = body.get("usage")
    if not isinstance(usage, dict):
        return None
    made = Usage(
        input=usage_total(usage.get("total_input_tokens"), usage.get("total_tool_use_tokens")),
        cached=tokens(usage.get("total_cached_tokens")),
        output=usage_total(usage.get("total_output_tokens"), usage.get("total_thought_tokens")),
    )
    return made if made != Usage() else None


def _tools(body: Body) -> tuple[ToolSchema, ...] | None:
    tools = body.get("tools")
    if not isinstance(tools, list):
        return None
    return tuple(schema for schema in map(schema_of, tools) if schema is not None)


WIRE = Wire(
    dialect="gemini",
    is_request=_is_request,
    is_response=_is_response,
    is_chunk=_is_chunk,
    messages=_messages,
    answer=_answer,
    assemble=_assemble,
    tools=_tools,
    usage=_usage,
    chained=lambda body: text_or_none(body.get("previous_interaction_id")),
)
