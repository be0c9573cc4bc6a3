"""OpenTelemetry traces of model calls: GenAI conventions (new, indexed and event form) and OpenInference.

Only spans of model calls count; a framework's span around a client's span of the same call is dropped. Content is often
not captured at all: such calls are listed with their usage, and the reading says that their text is missing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from ctxinspect.errors import InputError
from ctxinspect.model.session import Problem
from ctxinspect.readers.captures import Exchange, conversations_of
from ctxinspect.readers.container import Recording, Sample
from ctxinspect.readers.formats._otel_spans import Span, are_named_traces, in_order, is_span, spans_of
from ctxinspect.readers.formats._otel_tables import has_spans, spans_in
from ctxinspect.readers.reading import Reading
from ctxinspect.readers.registry import Format
from ctxinspect.readers.wire.genai import Message, genai_chat, genai_content
from ctxinspect.readers.wire.openai_chat import WIRE
from ctxinspect.readers.wire.parts import Where

__all__ = ["FORMAT"]

_OPERATIONS = ("chat", "text_completion", "generate_content", "completion")
_DETAILS = (
    "gen_ai.input.messages",
    "gen_ai.output.messages",
    "gen_ai.system_instructions",
    "gen_ai.tool.definitions",
)
_INDEXED = (
    ("llm.input_messages", "llm.output_messages", "message."),
    ("gen_ai.prompt", "gen_ai.completion", ""),
)
"""Keys of conventions that spread messages over indexed keys: of what was sent, of what came back, and what follows."""

_TOOLS = "llm.request.functions."
_USAGE = ("gen_ai.usage.", "llm.token_count.")
_EVENT = re.compile(r"gen_ai\.(system|user|assistant|tool)\.message$")


def _sniff(sample: Sample) -> float:
    if sample.kind == "sqlite" and sample.recording is not None:
        return 0.9 if has_spans(sample.recording, sample.members) else 0.0
    document = sample.document
    values = document if isinstance(document, list) else sample.values
    objects = [value for value in values[:60] if isinstance(value, dict)]
    wrapped = sum(
        "resourceSpans" in value or "resource_spans" in value or is_span(value) or are_named_traces(value)
        for value in objects
    )
    return 0.9 * wrapped / len(objects) if objects else 0.0


def _read(recording: Recording) -> Reading:
    spans: list[Span] = list(spans_in(recording)) if recording.kind == "sqlite" else []
    for record in recording.records() if recording.kind != "sqlite" else ():
        spans += spans_of(record.value, Where(record.line, record.path))
    for span in spans:
        _take_details(span)
    calls = _innermost(in_order([span for span in spans if _is_call(span)]), spans)
    problems: list[Problem] = []
    found = [_exchange(span, problems) for span in calls]
    conversations = conversations_of(found, WIRE)
    if not conversations:
        message = f"{len(spans)} spans, and none of a model call"
        raise InputError(message, remedy="expected gen_ai.* or openinference.span.kind=LLM attributes")
    mute = sum(not (exchange.request or {}).get("messages") for exchange in found)
    missing = (f"the text of {mute} of {len(found)} calls: content capture was off",) if mute else ()
    return Reading(
        conversations=conversations,
        dialect="openai",
        family="capture",
        missing=missing,
        problems=tuple(problems),
        unknown_kinds={"span of no model call": len(spans) - len(calls)} if len(spans) > len(calls) else {},
        records_read=len(spans),
    )


def _is_call(span: Span) -> bool:
    attributes = span.attributes
    kind = attributes.get("openinference.span.kind")
    if kind is not None:
        return str(kind).upper() == "LLM"
    operation = attributes.get("gen_ai.operation.name")
    if operation is not None:
        return str(operation) in _OPERATIONS
    return any(key.startswith(("llm.input_messages.", "gen_ai.prompt.")) for key in attributes) or (
        "gen_ai.request.model" in attributes and "gen_ai.usage.input_tokens" in attributes
    )


def _take_details(span: Span) -> None:
    """Messages and tools may stand, structured, in an event of the span instead of its attributes."""
    for _, fields in span.events:
        for key in _DETAILS:
            if key in fields:
                span.attributes.setdefault(key, fields[key])


def _innermost(calls: list[Span], spans: list[Span]) -> list[Span]:
    """Each call once: of a call's span inside another call's span, the inner one, or the one that has the text."""
    parents = {span.id: span.parent for span in spans}
    telling = {call.id: call for call in calls if _has_text(call)}
    dropped: set[str] = set()
    for call in calls:
        above, steps = call.parent, 0
        while above is not None and steps < len(spans):
            outer = telling.get(above)
            if call.id in telling:
                dropped.add(above)
            elif outer is not None:
                dropped.add(call.id)
                outer.attributes = {**_figures(call), **outer.attributes}
            above, steps = parents.get(above), steps + 1
    return [call for call in calls if call.id not in dropped]


def _figures(span: Span) -> dict[str, Any]:
    """What a span says of tokens."""
    return {key: value for key, value in span.attributes.items() if key.startswith(_USAGE)}


def _has_text(span: Span) -> bool:
    return bool(span.events) or any(
        key.startswith(("llm.input_messages", "gen_ai.prompt.", "gen_ai.input.messages")) for key in span.attributes
    )


def _exchange(span: Span, problems: list[Problem]) -> Exchange:
    attributes = span.attributes
    asked, said = _messages(span, problems)
    model = attributes.get("gen_ai.request.model", attributes.get("llm.model_name"))
    request = {"model": model, "messages": asked, "tools": _tools(span, problems)}
    response: dict[str, Any] = {"usage": _usage(attributes), "choices": []}
    if said:
        response["choices"] = [{"message": _merged(said)}]
    return Exchange(request, response, span.where, span.where, span.id or None)


def _messages(span: Span, problems: list[Problem]) -> tuple[list[Message], list[Message]]:
    """(messages sent, messages that came back), from whichever convention the span follows."""
    attributes = span.attributes
    asked = genai_chat(_parsed(span, "gen_ai.input.messages", problems))
    said = genai_chat(_parsed(span, "gen_ai.output.messages", problems))
    system = _parsed(span, "gen_ai.system_instructions", problems)
    if system:
        asked = [{"role": "system", "content": genai_content(system)}, *asked]
    if asked or said:
        return asked, said
    for prompt, completion, inner in _INDEXED:
        asked, said = _indexed(attributes, prompt, inner), _indexed(attributes, completion, inner)
        if asked or said:
            return asked, said
    return _from_events(span, problems)


def _parsed(span: Span, key: str, problems: list[Problem]) -> Any:
    """An attribute that holds JSON: parsed where it is text; one that was cut is a problem and gives nothing."""
    value = span.attributes.get(key)
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        message = f"{key} of span {span.id} is no whole JSON (cut by a length limit?); its messages are not shown"
        problems.append(Problem(message=message, line=span.where.line, path=span.where.path, text=value[:200]))
        return None


def _indexed(attributes: dict[str, Any], prefix: str, inner: str) -> list[Message]:
    """Messages spread over indexed keys; gaps in the numbers are passed over."""
    fields: dict[int, dict[str, Any]] = {}
    for key, value in attributes.items():
        number, _, rest = key.removeprefix(f"{prefix}.").partition(".")
        if key.startswith(f"{prefix}.") and number.isdecimal() and rest.startswith(inner) and len(number) < 9:
            fields.setdefault(int(number), {})[rest.removeprefix(inner)] = value
    return [_message_of(fields[number]) for number in sorted(fields)]


def _message_of(fields: dict[str, Any]) -> Message:
    message: Message = {"role": fields.get("role", "user"), "content": fields.get("content")}
    contents: dict[int, dict[str, Any]] = {}
    calls: dict[int, dict[str, Any]] = {}
    for key, value in fields.items():
        head, _, rest = key.partition(".")
        number, _, name = rest.partition(".")
        if head in ("contents", "tool_calls") and number.isdecimal() and name and len(number) < 9:
            home = contents if head == "contents" else calls
            home.setdefault(int(number), {})[name.removeprefix("message_content.").removeprefix("tool_call.")] = value
    if contents and fields.get("content") is None:
        message["content"] = [_open_inference_part(contents[number]) for number in sorted(contents)]
    if calls:
        message["tool_calls"] = [_open_inference_call(calls[number]) for number in sorted(calls)]
    for key in ("tool_call_id", "name"):
        if fields.get(key) is not None:
            message[key] = fields[key]
    return message


def _open_inference_part(fields: dict[str, Any]) -> dict[str, Any]:
    if fields.get("type") == "image" or "image.image.url" in fields:
        return {"type": "image_url", "image_url": fields.get("image.image.url")}
    return {"type": "text", "text": fields.get("text")}


def _open_inference_call(fields: dict[str, Any]) -> dict[str, Any]:
    name = fields.get("function.name", fields.get("name"))
    arguments = fields.get("function.arguments", fields.get("arguments"))
    return {"id": fields.get("id"), "function": {"name": name, "arguments": arguments}}


def _from_events(span: Span, problems: list[Problem]) -> tuple[list[Message], list[Message]]:
    """The older form: one event a message, on the span or as a JSON list in its attribute `events`."""
    listed = list(span.events)
    kept = _parsed(span, "events", problems)
    items = kept if isinstance(kept, list) else []
    listed += [(str(item.get("event.name", "")), item) for item in items if isinstance(item, dict)]
    asked: list[Message] = []
    said: list[Message] = []
    for name, fields in listed:
        found = _EVENT.match(name)
        if found:
            message = {"role": fields.get("role", found.group(1)), "content": fields.get("content")}
            message["tool_call_id"] = fields.get("id", fields.get("tool_call_id"))
            asked.append(message | {"tool_calls": fields.get("tool_calls")})
        elif name == "gen_ai.choice":
            inner = fields.get("message")
            said.append({"role": "assistant", **(inner if isinstance(inner, dict) else {"content": inner})})
    return asked, said


def _merged(said: list[Message]) -> Message:
    """What came back as one message: texts in order, then all calls."""
    if len(said) == 1:
        return {**said[0], "role": "assistant"}
    contents = [message["content"] for message in said if message.get("content")]
    calls = [call for message in said for call in message.get("tool_calls") or []]
    parts = [part for content in contents for part in (content if isinstance(content, list) else [content])]
    return {"role": "assistant", "content": parts or None, "tool_calls": calls or None}


def _tools(span: Span, problems: list[Problem]) -> list[Any] | None:
    defined = _parsed(span, "gen_ai.tool.definitions", problems)
    if isinstance(defined, list):
        return defined
    found: list[tuple[int, Any]] = []
    for key, value in span.attributes.items():
        number = key.removeprefix("llm.tools.").partition(".")[0]
        if key.startswith("llm.tools.") and key.endswith(".tool.json_schema") and number.isdecimal():
            found.append((int(number), _json_or_none(value)))
    listed = [tool for _, tool in sorted(found, key=lambda entry: entry[0])]
    return listed or _functions(span.attributes) or None


def _functions(attributes: dict[str, Any]) -> list[Any]:
    """Tools spread over indexed keys, their parameters as JSON text."""
    fields: dict[int, dict[str, Any]] = {}
    for key, value in attributes.items():
        number, _, name = key.removeprefix(_TOOLS).partition(".")
        if key.startswith(_TOOLS) and number.isdecimal() and len(number) < 9:
            fields.setdefault(int(number), {})[name] = _json_or_none(value) if name == "parameters" else value
    return [fields[number] for number in sorted(fields)]


def _json_or_none(value: Any) -> Any:
    try:
        return json.loads(value) if isinstance(value, str) else value
    except (ValueError, RecursionError):
        return None


def _first(attributes: dict[str, Any], keys: Iterable[str]) -> Any:
    value = next((attributes[key] for key in keys if key in attributes), None)
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _usage(attributes: dict[str, Any]) -> dict[str, Any]:
    """Usage in the words of Chat Completions."""
    asked = ("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", "llm.token_count.prompt")
    said = ("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens", "llm.token_count.completion")
    cached = (
        "gen_ai.usage.cache_read.input_tokens",
        "gen_ai.usage.details.cache_read_tokens",
        "gen_ai.usage.cache_read_input_tokens",
        "llm.token_count.prompt_details.cache_read",
    )
    return {
        "prompt_tokens": _first(attributes, asked),
        "completion_tokens": _first(attributes, said),
        "prompt_tokens_details": {"cached_tokens": _first(attributes, cached)},
    }


FORMAT = Format(
    name="otel", title="an OpenTelemetry trace", sniff=_sniff, read=_read, dialect="openai", family="capture"
)
