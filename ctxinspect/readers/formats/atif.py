"""ATIF trajectories (Harbor): steps of system, user and agent; an agent's step holds its calls and what came back."""

from __future__ import annotations

from typing import Any

from ctxinspect.errors import InputError
from ctxinspect.model.session import Usage
from ctxinspect.readers.captures import records_of
from ctxinspect.readers.chats import ChatItem, chat_of, schemas_of
from ctxinspect.readers.container import Record, Recording, Sample
from ctxinspect.readers.reading import Conversation, Reading
from ctxinspect.readers.registry import Format
from ctxinspect.readers.wire.dialect import tokens
from ctxinspect.readers.wire.parts import Where

__all__ = ["FORMAT"]

_ROLES = {"agent": "assistant", "user": "user", "system": "system"}


def _is_trajectory(value: dict[str, Any]) -> bool:
    return str(value.get("schema_version", "")).startswith("ATIF") and isinstance(value.get("steps"), list)


def _sniff(sample: Sample) -> float:
    return 0.98 * sample.share(_is_trajectory)


def _read(recording: Recording) -> Reading:
    found: list[Conversation] = []
    missing: list[str] = []
    for record in records_of(recording, lambda _: False):
        if isinstance(record.value, dict) and _is_trajectory(record.value):
            found.append(_conversation(record, len(found) + 1))
            if record.value.get("continued_trajectory_ref"):
                missing.append(f"what follows in {record.value['continued_trajectory_ref']}")
    if not found:
        raise InputError("no steps in it", remedy="expected an ATIF trajectory")
    return Reading(tuple(found), "openai", "transcript", missing=tuple(missing))


def _conversation(record: Record, number: int) -> Conversation:
    value = record.value
    place = Where(record.line, record.path).at("steps")
    items: list[ChatItem] = []
    usage: dict[int, Usage | None] = {}
    agent = value.get("agent")
    agent = agent if isinstance(agent, dict) else {}
    model = agent.get("model_name")
    for index, step in enumerate(value["steps"]):
        if isinstance(step, dict):
            usage[len(items)] = _usage(step.get("metrics"))
            items += _step(step, place.at(index))
            model = step.get("model_name") or model
    return chat_of(
        str(value.get("session_id") or f"trajectory-{number}"),
        items,
        usage=usage,
        tools=schemas_of(agent.get("tool_definitions")),
        model=model if isinstance(model, str) else None,
    )


def _step(step: dict[str, Any], where: Where) -> list[ChatItem]:
    """The step's message, then what it observed: tool results, or, where no call is named, what the user was shown."""
    said: dict[str, Any] = {"role": _ROLES.get(str(step.get("source")), "user"), "content": step.get("message")}
    said |= {"reasoning_content": step.get("reasoning_content"), "timestamp": step.get("timestamp")}
    calls = step.get("tool_calls")
    if isinstance(calls, list) and calls:
        said["tool_calls"] = [_call(call) for call in calls if isinstance(call, dict)]
    items: list[ChatItem] = [(said, where)]
    observation = step.get("observation")
    results = observation.get("results") if isinstance(observation, dict) else None
    place = where.at("observation").at("results")
    for number, result in enumerate(results if isinstance(results, list) else []):
        if not isinstance(result, dict):
            continue
        if result.get("source_call_id") or calls:
            answer = {"role": "tool", "tool_call_id": result.get("source_call_id"), "content": result.get("content")}
        else:
            answer = {"role": "user", "content": result.get("content")}
        items.append((answer, place.at(number)))
    return items


def _call(call: dict[str, Any]) -> dict[str, Any]:
    function = {"name": call.get("function_name"), "arguments": call.get("arguments")}
    return {"id": call.get("tool_call_id"), "function": function}


def _usage(metrics: Any) -> Usage | None:
    if not isinstance(metrics, dict):
        return None
    made = Usage(
        input=tokens(metrics.get("prompt_tokens")),
        cached=tokens(metrics.get("cached_tokens")),
        output=tokens(metrics.get("completion_tokens")),
    )
    return made if made != Usage() else None


FORMAT = Format(
    name="atif", title="an ATIF trajectory", sniff=_sniff, read=_read, dialect="openai", family="transcript"
)
