"""Inspect AI logs: a zip of samples, or one JSON document; every sample is a conversation, its model events the calls.

Long texts stand as `attachment://` references and are put back. Samples of a zip are read one at a time.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ctxinspect.errors import InputError
from ctxinspect.model.session import Problem, Usage
from ctxinspect.readers.chats import ChatItem, chat_of, schemas_of
from ctxinspect.readers.container import Recording, Sample
from ctxinspect.readers.decode import JSONError
from ctxinspect.readers.reading import Conversation, Reading
from ctxinspect.readers.registry import Format
from ctxinspect.readers.wire.dialect import tokens, usage_total
from ctxinspect.readers.wire.parts import Where

__all__ = ["FORMAT"]

_REFERENCE = "attachment://"


def _sniff(sample: Sample) -> float:
    if sample.kind == "zip":
        return 0.95 if "header.json" in sample.members or "_journal/start.json" in sample.members else 0.0
    return 0.95 * sample.share(lambda value: {"version", "status", "eval"} <= value.keys())


def _read(recording: Recording) -> Reading:
    problems: list[Problem] = []
    found: list[Conversation] = []
    for sample, where in _samples(recording, problems):
        conversation = _conversation(sample, where)
        if conversation.messages:
            found.append(conversation)
    if not found:
        raise InputError("no sample with messages in it", remedy="a log that is still running has only its journal")
    return Reading(tuple(found), "openai", "transcript", problems=tuple(problems), records_read=len(found))


def _samples(recording: Recording, problems: list[Problem]) -> Iterator[tuple[dict[str, Any], Where]]:
    if recording.kind != "zip":
        for record in recording.records():
            samples = record.value.get("samples") if isinstance(record.value, dict) else None
            for number, sample in enumerate(samples or []):
                if isinstance(sample, dict):
                    yield sample, Where(record.line, record.path).at("samples").at(number)
        return
    names = [name for name in recording.source.members() if name.startswith("samples/") and name.endswith(".json")]
    for name in sorted(names):
        try:
            text = recording.source.member(name).decode("utf-8", errors="replace")
            value = recording.reader().read_text(text)[0][0][0]
        except (JSONError, RuntimeError, NotImplementedError) as error:
            problems.append(Problem(message=f"{name} cannot be read: {error}", path=name))
            continue
        if isinstance(value, dict):
            yield value, Where(None, f"{name}:$")


def _conversation(sample: dict[str, Any], where: Where) -> Conversation:
    attachments = sample.get("attachments")
    attachments = attachments if isinstance(attachments, dict) else {}
    listed = sample.get("messages")
    pool = sample.get("events_data")
    pool = pool.get("messages") if isinstance(pool, dict) else None
    messages = [item for item in listed or [] if isinstance(item, dict)]
    items: list[ChatItem] = [
        (_chat(_restored(item, attachments)), where.at("messages").at(number)) for number, item in enumerate(messages)
    ]
    calls = [event for event in sample.get("events") or [] if isinstance(event, dict) and event.get("event") == "model"]
    tools = next((call["tools"] for call in reversed(calls) if call.get("tools")), None)
    model = next((call["model"] for call in reversed(calls) if isinstance(call.get("model"), str)), None)
    name = f"{sample.get('id')}_epoch_{sample.get('epoch', 1)}"
    if not items and isinstance(pool, list):
        items = [(_chat(_restored(item, attachments)), where) for item in pool if isinstance(item, dict)]
    return chat_of(
        name,
        items,
        usage=_usages([_restored(item, attachments) for item in messages], _answers(calls, attachments)),
        tools=schemas_of(tools),
        model=model,
    )


def _answers(calls: list[dict[str, Any]], attachments: dict[str, Any]) -> list[tuple[dict[str, Any], Usage | None]]:
    """What each call answered, and what it reported."""
    found: list[tuple[dict[str, Any], Usage | None]] = []
    for call in calls:
        output = call.get("output")
        choices = output.get("choices") if isinstance(output, dict) else None
        first = choices[0] if isinstance(choices, list) and choices else None
        message = first.get("message") if isinstance(first, dict) else None
        if isinstance(output, dict) and isinstance(message, dict):
            found.append((_restored(message, attachments), _usage(output.get("usage"))))
    return found


def _usages(
    messages: list[dict[str, Any]], answers: list[tuple[dict[str, Any], Usage | None]]
) -> dict[int, Usage | None]:
    """What each assistant message's own call reported: found again by its id, in older logs by what it says."""
    by_id = {message["id"]: usage for message, usage in answers if isinstance(message.get("id"), str)}
    nameless = [(_said(message), usage) for message, usage in answers if not isinstance(message.get("id"), str)]
    found: dict[int, Usage | None] = {}
    for number, message in enumerate(messages):
        if message.get("role") != "assistant":
            continue
        said = _said(message)
        place = next((n for n, (answer, _) in enumerate(nameless) if answer == said), None)
        if isinstance(message.get("id"), str) or place is None:
            found[number] = by_id.get(str(message.get("id")))
        else:
            found[number] = nameless[place][1]
            del nameless[: place + 1]
    return found


def _said(message: dict[str, Any]) -> str:
    """Content and calls of a message, as text to compare."""
    return json.dumps([message.get("content"), message.get("tool_calls")], sort_keys=True)


def _usage(value: Any) -> Usage | None:
    if not isinstance(value, dict):
        return None
    read, written = value.get("input_tokens_cache_read"), value.get("input_tokens_cache_write")
    made = Usage(
        input=usage_total(value.get("input_tokens"), read, written),
        cached=tokens(read),
        output=tokens(value.get("output_tokens")),
    )
    return made if made != Usage() else None


def _restored(value: Any, attachments: dict[str, Any]) -> Any:
    """The value with references to attachments replaced by what they stand for."""
    if isinstance(value, str) and value.startswith(_REFERENCE):
        return attachments.get(value.removeprefix(_REFERENCE), value)
    if isinstance(value, list):
        return [_restored(item, attachments) for item in value]
    if isinstance(value, dict):
        return {key: _restored(item, attachments) for key, item in value.items()}
    return value


def _chat(message: dict[str, Any]) -> dict[str, Any]:
    made = dict(message)
    error = message.get("error")
    if message.get("role") == "tool":
        made["name"] = message.get("function")
        if isinstance(error, dict):
            made |= {"is_error": True, "content": message.get("content") or error.get("message")}
    content = message.get("content")
    if isinstance(content, list):
        made["content"] = [_part(part) for part in content]
    return made


def _part(part: Any) -> Any:
    if isinstance(part, dict) and part.get("type") == "image":
        return {"type": "image_url", "image_url": part.get("image")}
    if isinstance(part, dict) and part.get("type") == "tool_use" and "result" in part:
        return {"type": "text", "text": json.dumps(part, ensure_ascii=False)}
    return part


FORMAT = Format(
    name="inspect_eval", title="an Inspect log", sniff=_sniff, read=_read, dialect="openai", family="transcript"
)
