"""LangChain message lists: `messages_to_dict`, `dumpd` and `model_dump`. Dicts only: nothing in a file is ever built.

`tool_calls` is the authoritative copy; the provider's block in `content` or `additional_kwargs` is no second call.
"""

from __future__ import annotations

from typing import Any

from ctxinspect.errors import InputError
from ctxinspect.model.session import Usage
from ctxinspect.readers.captures import first_words, listed, records_of
from ctxinspect.readers.container import Recording, Sample
from ctxinspect.readers.reading import Conversation, Reading, Tale
from ctxinspect.readers.registry import Format
from ctxinspect.readers.wire.dialect import tokens
from ctxinspect.readers.wire.langchain import is_langchain_list, langchain_message, unwrapped
from ctxinspect.readers.wire.parts import Where, text_or_none

__all__ = ["FORMAT"]

_LIST_KEYS = ("messages", "input", "history")


def _usage(value: Any) -> Usage | None:
    """What LangChain kept of the provider's report."""
    found = unwrapped(value)
    fields = found[1] if found else {}
    usage = fields.get("usage_metadata")
    if isinstance(usage, dict):
        details = usage.get("input_token_details")
        cached = details.get("cache_read") if isinstance(details, dict) else None
        reported = Usage(
            input=tokens(usage.get("input_tokens")),
            cached=tokens(cached),
            output=tokens(usage.get("output_tokens")),
        )
        return reported if reported != Usage() else None
    meta = fields.get("response_metadata")
    usage = meta.get("token_usage") if isinstance(meta, dict) else None
    if not isinstance(usage, dict):
        return None
    return Usage(input=tokens(usage.get("prompt_tokens")), output=tokens(usage.get("completion_tokens")))


def _model(values: list[Any]) -> str | None:
    for value in reversed(values):
        found = unwrapped(value)
        meta = found[1].get("response_metadata") if found else None
        if isinstance(meta, dict):
            name = text_or_none(meta.get("model_name")) or text_or_none(meta.get("model"))
            if name:
                return name
    return None


def _inner(value: Any) -> tuple[str, list[Any]] | None:
    """The message list in a state or a row; a list of one list is that list."""
    for key in _LIST_KEYS if isinstance(value, dict) else ():
        given = value.get(key)
        if is_langchain_list(given):
            return key, given
    return None


def _sniff(sample: Sample) -> float:
    document = sample.document
    if is_langchain_list(document) or is_langchain_list(list(sample.values)):
        return 0.9
    return 0.9 * sample.share(lambda value: _inner(value) is not None)


def _read(recording: Recording) -> Reading:
    records = list(records_of(recording, is_langchain_list))
    items = listed(records)
    if is_langchain_list([item for item, _ in items]):
        return Reading((_conversation("chat", items),), "openai", "transcript", records_read=len(items))
    found: list[Conversation] = []
    for number, (value, where) in enumerate(items, 1):
        inner = _inner(value)
        if inner is not None:
            place = where.at(inner[0])
            found.append(_conversation(f"row-{number}", [(item, place.at(n)) for n, item in enumerate(inner[1])]))
    if not found:
        raise InputError("no LangChain message in it", remedy="expected messages with a type")
    return Reading(tuple(found), "openai", "transcript")


def _conversation(name: str, items: list[tuple[Any, Where]]) -> Conversation:
    messages = tuple(langchain_message(value, index, where) for index, (value, where) in enumerate(items))
    reported = {index: _usage(value) for index, (value, _) in enumerate(items)}
    tale = Tale(
        messages=messages,
        usage={index: usage for index, usage in reported.items() if usage is not None},
        model=_model([value for value, _ in items]),
    )
    return Conversation(
        id=name,
        tell=lambda: tale,
        title=first_words(messages),
        messages=len(messages),
        turns=sum(message.role == "user" for message in messages),
    )


FORMAT = Format(
    name="langchain",
    title="LangChain messages",
    sniff=_sniff,
    read=_read,
    dialect="openai",
    family="transcript",
)
