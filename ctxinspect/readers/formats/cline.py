"""Cline task histories: Anthropic messages, but what a tool gave stands as text that begins with the tool's name.

Such a text becomes the result of the open call of that name, and is marked as paired by name. What the client puts
behind it (environment, lists of things to do) stays text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ctxinspect.errors import InputError
from ctxinspect.model.session import CallPart, RecordedMessage, RecordedPart, ResultPart, TextBlock, Usage
from ctxinspect.readers.captures import first_words, listed, records_of
from ctxinspect.readers.container import Recording, Sample
from ctxinspect.readers.reading import Conversation, Reading, Tale
from ctxinspect.readers.registry import Format
from ctxinspect.readers.wire.anthropic import message_of
from ctxinspect.readers.wire.dialect import tokens, usage_total
from ctxinspect.readers.wire.openai_chat import is_chat_list
from ctxinspect.readers.wire.parts import text_or_none

__all__ = ["FORMAT"]

_RESULT = re.compile(r"\s*\[(?P<name>\w+)(?: for [^\n]*?)?\] Result:[ ]?\n?")
_CLIENT = re.compile(r"\s*(?:<environment_details>|# (?:TODO LIST|task_progress))")
_MISSING = ("the system prompt", "the tool schemas")


def _sniff(sample: Sample) -> float:
    document = sample.document
    if not isinstance(document, list) or not is_chat_list(document):
        return 0.0
    return 0.86 if any(_is_own(item) for item in document[:60] if isinstance(item, dict)) else 0.0


def _is_own(item: dict[str, Any]) -> bool:
    model = item.get("modelInfo")
    if isinstance(model, dict) and "modelId" in model:
        return True
    content = item.get("content")
    texts = [block.get("text") for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    return item.get("role") == "user" and any(isinstance(text, str) and _RESULT.match(text) for text in texts)


def _read(recording: Recording) -> Reading:
    items = listed(list(records_of(recording, is_chat_list)))
    if not items:
        raise InputError("no message in it", remedy="expected the list of messages of a task")
    messages: list[RecordedMessage] = []
    usage: dict[int, Usage] = {}
    model: str | None = None
    waiting: list[CallPart] = []
    for number, (item, where) in enumerate(items):
        message = message_of(item, number, where)
        if isinstance(item, dict) and isinstance(item.get("modelInfo"), dict):
            model = text_or_none(item["modelInfo"].get("modelId")) or model
        reported = _usage(item.get("metrics")) if isinstance(item, dict) else None
        if message.role == "assistant":
            waiting = list(message.calls)
            usage |= {number: reported} if reported is not None else {}
        elif waiting and not message.results:
            message = _with_results(message, waiting)
            waiting = []
        messages.append(message)
    tale = Tale(messages=tuple(messages), usage=usage, model=model)
    return Reading((_conversation(tale),), "anthropic", "transcript", missing=_MISSING, records_read=len(items))


def _conversation(tale: Tale) -> Conversation:
    said = [message for message in tale.messages if message.role == "user" and not message.marks]
    return Conversation(
        id="task",
        tell=lambda: tale,
        title=first_words(said),
        messages=len(tale.messages),
        turns=len(said),
    )


def _with_results(message: RecordedMessage, calls: list[CallPart]) -> RecordedMessage:
    """The message with the texts that answer these calls as results; each call is answered once, in order."""
    left = list(calls)
    results: list[RecordedPart] = []
    rest: list[RecordedPart] = []
    for part in message.parts:
        found = _RESULT.match(part.text) if isinstance(part, TextBlock) else None
        call = next((call for call in left if found is not None and call.name == found["name"]), None)
        if call is None or found is None or not isinstance(part, TextBlock):
            rest.append(part)
            continue
        left.remove(call)
        results.append(ResultPart(call_id=call.id, name=call.name, content=part.text, line=part.line, path=part.path))
    if not results:
        return message
    client = all(isinstance(part, TextBlock) and _CLIENT.match(part.text) for part in rest)
    marks = (*message.marks, "paired_by_name", *(("injected",) if rest and client else ()))
    return message.model_copy(update={"parts": (*results, *rest), "marks": marks})


def _usage(metrics: Any) -> Usage | None:
    """What the client noted of the call: `tokens` with prompt, completion and cached."""
    found = metrics.get("tokens") if isinstance(metrics, Mapping) else None
    if not isinstance(found, Mapping):
        return None
    made = Usage(
        input=usage_total(found.get("prompt"), found.get("cacheWrites"), found.get("cached")),
        cached=tokens(found.get("cached")),
        output=tokens(found.get("completion")),
    )
    return made if made.input or made.output else None


FORMAT = Format(name="cline", title="a Cline task", sniff=_sniff, read=_read, dialect="anthropic", family="transcript")
