"""LangSmith runs: `llm` runs are calls, whether in a batch of posts and patches, a tree of runs, or one run a line."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ctxinspect.errors import InputError
from ctxinspect.readers.captures import Exchange, conversations_of
from ctxinspect.readers.container import Recording, Sample
from ctxinspect.readers.reading import Reading
from ctxinspect.readers.registry import Format
from ctxinspect.readers.wire.langchain import chat_dict
from ctxinspect.readers.wire.openai_chat import WIRE
from ctxinspect.readers.wire.parts import Where

__all__ = ["FORMAT"]

_Run = tuple[dict[str, Any], Where]


def _is_run(value: Any) -> bool:
    return isinstance(value, dict) and "run_type" in value and ("trace_id" in value or "inputs" in value)


def _sniff(sample: Sample) -> float:
    document = sample.document
    if isinstance(document, list):
        return 0.95 * Sample("jsonl", tuple(document[:60])).share(_is_run)
    return 0.95 * sample.share(lambda value: _is_run(value) or isinstance(value.get("post"), list))


def _runs(value: Any, where: Where) -> Iterator[_Run]:
    """All runs in a value, a run before its children."""
    if isinstance(value, list):
        for number, item in enumerate(value):
            yield from _runs(item, where.at(number))
    elif isinstance(value, dict):
        if "run_type" in value or ("outputs" in value and _id(value)):
            yield value, where
        for key in ("post", "patch", "child_runs", "runs"):
            if isinstance(value.get(key), list):
                yield from _runs(value[key], where.at(key))


def _id(run: dict[str, Any]) -> str:
    """The run's id; a patch may name it only at the end of its dotted order (time, `Z`, id); empty where neither is."""
    order = run.get("dotted_order")
    return str(run.get("id") or (order.rpartition(".")[2].partition("Z")[2] if isinstance(order, str) else ""))


def _read(recording: Recording) -> Reading:
    merged: dict[str, _Run] = {}
    for record in recording.records():
        for run, where in _runs(record.value, Where(record.line, record.path)):
            name = _id(run) or f"{where.line}{where.path}"
            known, first = merged.get(name, ({}, where))
            merged[name] = ({**known, **{key: kept for key, kept in run.items() if kept not in (None, {}, [])}}, first)
    calls = [(name, run, where) for name, (run, where) in merged.items() if run.get("run_type") == "llm"]
    calls.sort(key=lambda known: (str(known[1].get("dotted_order") or known[1].get("start_time") or ""), known[0]))
    found = [_exchange(name, run, where) for name, run, where in calls]
    if not found:
        message = f"{len(merged)} runs, and none of type llm"
        raise InputError(message, remedy="export a trace with model calls")
    return Reading(
        conversations=conversations_of(found, WIRE),
        dialect="openai",
        family="capture",
        unknown_kinds={"run of no model call": len(merged) - len(found)} if len(merged) > len(found) else {},
        records_read=len(merged),
    )


def _field(value: Any, key: str) -> dict[str, Any]:
    inner = value.get(key) if isinstance(value, dict) else None
    return inner if isinstance(inner, dict) else {}


def _exchange(name: str, run: dict[str, Any], where: Where) -> Exchange:
    inputs, extra = _field(run, "inputs"), _field(run, "extra")
    settings = {**_field(extra, "metadata"), **_field(extra, "invocation_params")}
    listed = inputs.get("messages")
    while isinstance(listed, list) and len(listed) == 1 and isinstance(listed[0], list):
        listed = listed[0]
    models = (inputs.get("model"), settings.get("model"), settings.get("ls_model_name"))
    model = next((known for known in models if known), None)
    request = {
        "model": model,
        "messages": [chat_dict(item) for item in listed] if isinstance(listed, list) else [],
        "tools": inputs.get("tools") or settings.get("tools"),
    }
    return Exchange(request, _response(_field(run, "outputs")), where, where, name)


def _response(outputs: dict[str, Any]) -> dict[str, Any]:
    """The answer in the shape of Chat Completions; generations hold a LangChain message."""
    if isinstance(outputs.get("choices"), list):
        usage = outputs.get("usage") or _usage(outputs.get("usage_metadata"))
        return {**outputs, "object": "chat.completion", "usage": usage}
    generations = outputs.get("generations")
    while isinstance(generations, list) and generations:
        generations = generations[0]
    message = generations.get("message") if isinstance(generations, dict) else outputs.get("message")
    if message is None:
        return {"choices": [], "usage": _usage(outputs.get("usage_metadata"))}
    chat = chat_dict(message)
    inner = message.get("kwargs", message) if isinstance(message, dict) else {}
    return {"choices": [{"message": chat}], "usage": _usage(inner.get("usage_metadata"))}


def _usage(metadata: Any) -> dict[str, Any]:
    metadata = metadata if isinstance(metadata, dict) else {}
    details = metadata.get("input_token_details")
    cached = details.get("cache_read") if isinstance(details, dict) else None
    return {
        "prompt_tokens": metadata.get("input_tokens"),
        "completion_tokens": metadata.get("output_tokens"),
        "prompt_tokens_details": {"cached_tokens": cached},
    }


FORMAT = Format(name="langsmith", title="LangSmith runs", sniff=_sniff, read=_read, dialect="openai", family="capture")
