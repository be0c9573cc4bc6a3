"""Captured API calls as threads: every call keeps its own message list, the story is derived by common prefixes.

One machine for all dialects. A record may be a request, a response, both under `request`/`response` (plain bodies, or
HTTP exchanges with `body`), or a batch line; a response without request answers the request before it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ctxinspect.model.content import TextPart
from ctxinspect.model.session import OtherPart, Problem, RecordedCall, RecordedMessage, ToolSchema, Usage
from ctxinspect.readers.container import Record, Recording, open_recording
from ctxinspect.readers.reading import Conversation, Tale, ThreadKind
from ctxinspect.readers.sameness import common_beginning, message_key
from ctxinspect.readers.turns import SYSTEM_ROLES
from ctxinspect.readers.wire.dialect import Body, Wire
from ctxinspect.readers.wire.parts import Where, text_or_none

__all__ = [
    "Exchange",
    "bodies_of",
    "conversations_of",
    "exchanges",
    "first_words",
    "listed",
    "records_of",
    "told",
]

_TITLE = 60
_REQUESTS = ("request", "kwargs", "req", "input_body", "request_body")
_RAW = ("body_raw", "text", "content", "raw")
_RESPONSES = ("response", "resp", "output_body", "response_body")


@dataclass(frozen=True, slots=True)
class Exchange:
    """One API call: the request and the response, where the file has them, and where each stands."""

    request: Body | None
    response: Body | None
    request_at: Where
    response_at: Where
    id: str | None = None
    wire: Wire | None = None
    """The dialect of this call, where a file mixes several."""


@dataclass(frozen=True, slots=True)
class _Call:
    """A call read: its messages, what it answered, and the keys by which messages are the same."""

    messages: tuple[RecordedMessage, ...]
    answer: tuple[RecordedMessage, ...]
    systems: int
    keys: tuple[object, ...]
    tools: tuple[ToolSchema, ...] | None
    usage: Usage | None
    model: str | None
    id: str | None
    thinking: bool
    line: int | None
    partial: str | None
    notes: tuple[str, ...] = ()
    chained: bool = False
    """Whether the request names the earlier response that it goes on from."""


def records_of(recording: Recording, is_conversation: Callable[[Any], bool]) -> Iterator[Record]:
    """The records of a file; a list that is no conversation itself gives one record for each of its items."""
    for record in recording.records():
        if isinstance(record.value, list) and not is_conversation(record.value):
            for number, item in enumerate(record.value):
                yield Record(item, record.line, f"{record.path}[{number}]")
        else:
            yield record


def listed(records: Sequence[Record]) -> list[tuple[Any, Where]]:
    """The items of a conversation kept as one list, or as one item a line, each with its place."""
    if len(records) == 1 and isinstance(records[0].value, list):
        where = Where(records[0].line, records[0].path)
        return [(item, where.at(number)) for number, item in enumerate(records[0].value)]
    return [(record.value, Where(record.line, record.path)) for record in records]


def told(name: str, messages: tuple[RecordedMessage, ...], tools: tuple[ToolSchema, ...] | None = None) -> Conversation:
    """A conversation whose messages are read already."""
    return Conversation(
        id=name,
        tell=lambda: Tale(messages=messages, tools=tools),
        title=first_words(messages),
        messages=len(messages),
        turns=sum(message.role == "user" and not message.results for message in messages),
    )


def bodies_of(value: Any, where: Where) -> Iterator[tuple[Any, Where]]:
    """The bodies that a record may hold: itself, its `body`, and those of its request and response."""
    if not isinstance(value, dict):
        return
    yield value, where
    for key in ("body", *_REQUESTS, *_RESPONSES):
        inner = _opened(value.get(key))
        if isinstance(inner, dict):
            place = where.at(key)
            yield inner, place
            deeper = _opened(inner.get("body", inner.get("postData")))
            if isinstance(deeper, dict):
                yield deeper, place.at("body")


def _opened(value: Any) -> Any:
    """A body kept as a JSON string, parsed; everything else as it is."""
    if isinstance(value, str) and value.lstrip()[:1] == "{":
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value


def exchanges(records: Iterable[Record], wire: Wire, recording: Recording) -> Iterator[Exchange]:
    """The calls of a file in order; streamed chunks are put together first."""
    chunks: list[Body] = []
    waiting: Exchange | None = None
    start = Where()
    for record in records:
        found = _exchange(record, wire, recording)
        if found is None:
            chunk = _chunk(record, wire)
            if chunk is None:
                recording.records_passed += 1
                continue
            start = start if chunks else Where(record.line, record.path)
            chunks.append(chunk)
            continue
        if waiting is not None and found.request is None and waiting.response is None:
            yield replace(waiting, response=found.response, response_at=found.response_at)
            waiting = None
            continue
        if waiting is not None:
            yield waiting
        waiting = found
    answers = recording.joined(wire.assemble(chunks)) if chunks else []
    if waiting is not None and waiting.response is None and answers:
        waiting = replace(waiting, response=answers.pop(0), response_at=start)
    if waiting is not None:
        yield waiting
    for answer in answers:
        yield Exchange(None, answer, start, start, text_or_none(answer.get("id")))


def _chunk(record: Record, wire: Wire) -> Body | None:
    return next((body for body, _ in bodies_of(record.value, Where()) if wire.is_chunk(body)), None)


def _exchange(record: Record, wire: Wire, recording: Recording) -> Exchange | None:
    if isinstance(record.value, dict) and wire.is_chunk(record.value):
        return None
    request = response = None
    request_at = response_at = Where(record.line, record.path)
    for body, place in bodies_of(record.value, request_at):
        if request is None and wire.is_request(body):
            request, request_at = body, place
        elif response is None and wire.is_response(body):
            response, response_at = body, place
    if response is None:
        response = _streamed(record.value, wire, recording)
    if request is None and response is None:
        return None
    value = record.value
    name = next((value[key] for key in ("id", "custom_id", "request_id") if isinstance(value.get(key), str)), None)
    return Exchange(request, response, request_at, response_at, name)


def _streamed(value: Any, wire: Wire, recording: Recording) -> Body | None:
    """A response kept as the text of its server-sent events."""
    if not isinstance(value, dict):
        return None
    answer = next((value[key] for key in _RESPONSES if value.get(key) is not None), None)
    inner = answer.get("body") if isinstance(answer, dict) else None
    texts = [answer, inner, *(known.get(key) for known in (answer, inner) if isinstance(known, dict) for key in _RAW)]
    for text in texts:
        if isinstance(text, str) and "data:" in text[:2000]:
            raw = text.encode("utf-8", "replace")  # of a value that is masked already, where it is to be
            chunks = [record.value for record in open_recording(raw, show_secrets=True).records()]
            mine: list[Body] = [chunk for chunk in chunks if isinstance(chunk, dict) and wire.is_chunk(chunk)]
            bodies: list[Body] = recording.joined(wire.assemble(mine))
            if bodies:
                return bodies[0]
    return None


def conversations_of(found: Iterable[Exchange], wire: Wire) -> tuple[Conversation, ...]:
    """Threads of calls: a call goes on with the thread whose last call has the longest common beginning with it.

    A side call (a title, a summary) may begin like the main line: how many of model, system prompt and tools two calls
    of one thread have in common at least is for the dialect to say.
    """
    threads: list[list[_Call]] = []
    answered: dict[str, _Call] = {}
    for exchange in found:
        spoken = exchange.wire or wire
        call = _joined(_read(exchange, spoken), exchange, spoken, answered)
        name = text_or_none(exchange.response.get("id")) if exchange.response is not None else None
        kept = spoken.conversation(exchange.request) if exchange.request is not None else None
        for key in (name, kept):
            if key:
                answered[key] = call
        home = _home(call, threads, spoken.alike)
        if home is None:
            threads.append([call])
        else:
            home.append(call)
    longest = max(range(len(threads)), key=lambda n: sum(len(call.messages) for call in threads[n]), default=0)
    return tuple(_conversation(calls, n, main=n == longest) for n, calls in enumerate(threads))


def _read(exchange: Exchange, wire: Wire) -> _Call:
    request, response = exchange.request, exchange.response
    messages = wire.messages(request, exchange.request_at) if request is not None else []
    answer = wire.answer(response, exchange.response_at, len(messages)) if response is not None else []
    partial = None
    if request is None:
        partial = "only the response is in the file, not the request that it answers"
        messages, answer = answer, []
    named = (
        (body or {}).get(key) for body in (request, response) for key in ("model", "modelVersion", "model_version")
    )
    model = next((name for name in named if isinstance(name, str) and name), None)
    return _Call(
        messages=tuple(messages),
        answer=tuple(answer),
        systems=_systems(messages),
        keys=tuple(map(message_key, messages[_systems(messages) :])),
        tools=wire.tools(request) if request is not None else None,
        usage=wire.usage(response) if response is not None else None,
        model=model,
        id=exchange.id or (text_or_none(response.get("id")) if response is not None else None),
        thinking=wire.thinking(request) if request is not None else False,
        line=exchange.request_at.line,
        partial=partial,
        notes=wire.notes(response) if response is not None else (),
    )


def _joined(call: _Call, exchange: Exchange, wire: Wire, answered: dict[str, _Call]) -> _Call:
    """A call that builds on an earlier response kept by the provider, with that call's messages before its own."""
    request = exchange.request
    before = (wire.chained(request) or wire.conversation(request)) if request is not None else None
    if before is None:
        return call
    earlier = answered.get(before)
    if earlier is None:
        return replace(call, partial=f"it builds on {before}, which the provider keeps and this file has not")
    history = tuple(m for m in (*earlier.messages, *earlier.answer) if "top_level" not in m.marks)
    lead = call.messages[: call.systems]
    messages = (*lead, *history, *call.messages[call.systems :])
    keys = tuple(map(message_key, messages[call.systems :]))
    return replace(call, messages=messages, keys=keys, partial=earlier.partial, chained=True)


def _systems(messages: Sequence[RecordedMessage]) -> int:
    """How many system messages lead."""
    return next((n for n, message in enumerate(messages) if message.role not in SYSTEM_ROLES), len(messages))


def _home(call: _Call, threads: list[list[_Call]], alike: int) -> list[_Call] | None:
    if not call.keys:  # calls whose text was not recorded stand together
        return next((calls for calls in threads if not calls[-1].keys), None)
    best: tuple[tuple[int, int], list[_Call]] | None = None
    for calls in threads:
        last = calls[-1]
        shared = common_beginning(last.keys, call.keys)
        if shared < max(1, len(last.keys) - 1) or len(call.keys) < len(last.keys):
            continue
        rank = (shared, _alike(call, last))
        if rank[1] >= alike and (best is None or rank >= best[0]):
            best = (rank, calls)
    return best[1] if best else None


def _alike(call: _Call, last: _Call) -> int:
    """How many of model, system prompt and tools two calls have in common (all, where one goes on from the other)."""
    if call.chained:
        return 3
    model = call.model == last.model or None in (call.model, last.model)
    systems = [tuple(map(message_key, known.messages[: known.systems])) for known in (call, last)]
    tools = [tuple(tool.name for tool in known.tools or ()) for known in (call, last)]
    return model + (systems[0] == systems[1]) + (tools[0] == tools[1])


def _conversation(calls: list[_Call], number: int, *, main: bool) -> Conversation:
    story = max(reversed(calls), key=lambda call: (len(call.messages), bool(call.answer)))
    kind: ThreadKind = "main" if main else "side_call" if len(story.keys) <= 1 else "other"
    messages = (*story.messages, *story.answer)
    return Conversation(
        id=f"thread-{number + 1}",
        tell=lambda: _tale(calls, story),
        kind=kind,
        title=first_words(messages),
        messages=len(messages),
        turns=sum(message.role == "user" and not message.results for message in messages),
    )


def _tale(calls: list[_Call], story: _Call) -> Tale:
    messages = (*story.messages, *story.answer)
    lengths = [
        story.systems + common_beginning(story.keys, call.keys) if call.keys else min(call.systems, story.systems)
        for call in calls
    ]
    usage: dict[int, Usage] = {}
    for call, length in zip(calls, lengths, strict=True):
        answers = length < len(messages) and messages[length].role == "assistant"
        if call.usage is not None and answers and length - story.systems == len(call.keys):
            usage[length] = call.usage
        elif call.usage is not None and call.partial and call.messages and call.messages[-1].role == "assistant":
            usage[length - 1] = call.usage
    return Tale(
        messages=messages,
        usage=usage,
        calls=tuple(
            RecordedCall(
                messages=call.messages,
                tools=call.tools,
                usage=call.usage,
                model=call.model,
                id=call.id,
                thinking=call.thinking,
                line=call.line,
                partial=call.partial,
            )
            for call in calls
        ),
        call_lengths=tuple(lengths),
        tools=story.tools,
        model=story.model,
        problems=tuple(_changes(calls)),
    )


def _changes(calls: Sequence[_Call]) -> Iterator[Problem]:
    """What the responses tell beside their answers, and summaries that the provider put in place of messages."""
    seen: set[str] = set()
    for call in calls:
        for text in call.notes:
            yield Problem(severity="info", message=text, line=call.line, lost=False)
        for message in call.messages:
            for part in message.parts:
                if isinstance(part, OtherPart) and part.kind == "compaction" and part.text not in seen:
                    seen.add(part.text)
                    text = "a compaction block: the provider drops what stands before it, which is shown whole"
                    yield Problem(severity="info", message=text, line=part.line, path=part.path, lost=False)


def first_words(messages: Iterable[RecordedMessage]) -> str:
    """A title: the first words that a user said, on one line; what a client put before them is passed over."""
    texts = [
        part.text
        for message in messages
        if message.role == "user"
        for part in message.parts
        if isinstance(part, TextPart) and part.text.strip()
    ]
    said = next((text for text in texts if not text.lstrip().startswith("<")), texts[0] if texts else "")
    line = " ".join(said.split())
    return line if len(line) <= _TITLE else f"{line[: _TITLE - 1]}…"
