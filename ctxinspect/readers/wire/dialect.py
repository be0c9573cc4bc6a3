"""What a wire dialect offers to the containers: requests and responses of one provider's API as recorded messages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ctxinspect.model.session import RecordedMessage, ToolSchema, Usage
from ctxinspect.readers.reading import Dialect
from ctxinspect.readers.wire.parts import Where, as_text

__all__ = ["Body", "Wire", "schema_of", "tokens", "usage_total"]

Body = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Wire:
    """One provider's API. `messages` reads a request (system first), `answer` a response, `assemble` stream chunks.

    `assemble` gets the payloads of one or more streamed responses and gives whole response bodies, in order of start.
    `chained` gives the id of the earlier response that a request builds on, `conversation` that of a conversation which
    the provider keeps, and `notes` says what a response tells beside its answer: changes that the provider made to the
    context, answers that are not shown, that it was cut short.
    `alike`: how many of model, system prompt and tools two calls of one thread have in common at least.
    """

    dialect: Dialect
    is_request: Callable[[Body], bool]
    is_response: Callable[[Body], bool]
    is_chunk: Callable[[Body], bool]
    messages: Callable[[Body, Where], list[RecordedMessage]]
    answer: Callable[[Body, Where, int], list[RecordedMessage]]
    assemble: Callable[[list[Body]], list[Body]]
    tools: Callable[[Body], tuple[ToolSchema, ...] | None]
    usage: Callable[[Body], Usage | None]
    thinking: Callable[[Body], bool] = lambda _: False
    chained: Callable[[Body], str | None] = lambda _: None
    conversation: Callable[[Body], str | None] = lambda _: None
    notes: Callable[[Body], tuple[str, ...]] = lambda _: ()
    alike: int = 1


def tokens(value: Any) -> int | None:
    """A token count, or None where it is no non-negative integer."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def usage_total(*values: Any) -> int | None:
    """The sum of the counts that are there; None where none is."""
    counts = [count for count in map(tokens, values) if count is not None]
    return sum(counts) if counts else None


def schema_of(tool: Any) -> ToolSchema | None:
    """A tool schema of any dialect: nested under `function`, with `input_schema`, or flat; None for no object."""
    if not isinstance(tool, dict):
        return None
    nested = [tool[key] for key in ("function", "custom") if isinstance(tool.get(key), dict)]
    inner: dict[str, Any] = nested[0] if nested else tool
    parameters = next(
        (inner[key] for key in ("parameters", "input_schema", "inputSchema", "args_schema") if key in inner), None
    )
    name = inner.get("name") or tool.get("name") or tool.get("type") or ""
    description = inner.get("description")
    return ToolSchema(
        name=as_text(name),
        description=description if isinstance(description, str) else "",
        parameters=parameters if isinstance(parameters, dict) else {},
    )
