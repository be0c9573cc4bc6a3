"""A session: a recording plus the settings to replay it under. Frozen; unknown keys are refused.

`turn_id` is always the index of a turn from 0. Recorded messages stand as they stood in their file.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field, field_validator

from ctxinspect.model.content import Content, MediaPart, TextPart, ThinkingPart, content_text
from ctxinspect.settings import Frozen, Many, Settings

__all__ = [
    "FORMAT",
    "Arguments",
    "CallPart",
    "Component",
    "OtherPart",
    "RecordedCall",
    "RecordedMessage",
    "RecordedPart",
    "ResultPart",
    "Round",
    "Session",
    "Source",
    "Thread",
    "ToolCall",
    "ToolResult",
    "ToolSchema",
    "Turn",
    "Usage",
    "arguments_text",
]

FORMAT: Literal["ctxinspect/1"] = "ctxinspect/1"
Arguments: TypeAlias = dict[str, Any] | str


def arguments_text(arguments: Arguments) -> str:
    """The arguments as they are counted and sent: the raw string, or the object as JSON with default separators."""
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)


class Usage(Frozen):
    """What the provider reported for one call, in tokens. `input` includes `cached`."""

    input: int | None = Field(None, ge=0)
    cached: int | None = Field(None, ge=0)
    output: int | None = Field(None, ge=0)


class Component(Frozen):
    """A standing part of the system prompt (page 2)."""

    name: str
    content: str
    priority: int = Field(70, ge=0, le=100)
    truncatable: bool = True


class ToolSchema(Frozen):
    """A tool the model may call; `parameters` is a JSON Schema."""

    name: str
    description: str = ""
    parameters: dict[str, Any] = Field(default_factory=dict)


class ToolCall(Frozen):
    """A call as received: `id` may be null in old recordings, `arguments` an object or the raw string."""

    id: str | None = None
    name: str
    arguments: Arguments = ""


class ToolResult(Frozen):
    """What came back from a tool."""

    call_id: str | None = None
    name: str | None = None
    content: Content = ""
    is_error: bool = False


class Round(Frozen):
    """One model call and what came back from the tools it asked for (none for a text-only step)."""

    assistant: Content | None = ""
    tool_calls: Many[ToolCall] = ()
    tool_results: Many[ToolResult] = ()
    usage: Usage | None = None


class Turn(Frozen):
    """A whole exchange: what arrived, the rounds, the final answer."""

    user: Content = ""
    source: str = "user"
    timestamp: str | None = None
    components: Many[Component] = ()
    variables: dict[str, str | None] = Field(default_factory=dict)
    rounds: Many[Round] = ()
    assistant: Content | None = None
    interrupted: bool = False
    inactive_pages: Many[str] = ()
    resets_history: bool = False
    topic: str | None = None
    usage: Usage | None = None

    @field_validator("components")
    @classmethod
    def _names_are_unique(cls, components: tuple[Component, ...]) -> tuple[Component, ...]:
        return _unique(components)

    @property
    def has_answer(self) -> bool:
        """Whether the turn has a final answer (not null, not empty)."""
        return bool(content_text(self.assistant))


class Place(Frozen):
    """Where something stood in its file: a 1-based physical line and a JSON path inside the document or line."""

    line: int | None = None
    path: str | None = None


class TextBlock(TextPart, Place):
    """A text block of a recorded message."""


class MediaBlock(MediaPart, Place):
    """An image, file or audio block of a recorded message."""


class ThinkingBlock(ThinkingPart, Place):
    """A thinking or reasoning block; `redacted` where only an opaque payload was kept by the provider."""

    redacted: bool = False
    item_id: str | None = None


class CallPart(Place):
    """A tool call inside a recorded message; `item_id` is the item's own id where it differs from the call's."""

    type: Literal["tool_call"] = "tool_call"
    id: str | None = None
    name: str = ""
    arguments: Arguments = ""
    item_id: str | None = None
    server: bool = False
    """Run by the provider itself: its result stands in the same assistant message."""
    freeform: bool = False
    """A custom tool: its arguments are free text by design, no JSON."""


class ResultPart(Place):
    """A tool result inside a recorded message."""

    type: Literal["tool_result"] = "tool_result"
    call_id: str | None = None
    name: str | None = None
    content: Content | None = ""
    is_error: bool = False
    server: bool = False


class OtherPart(Place):
    """A block that is no known part: its kind, its JSON, and, where it is a fault, what is wrong with it."""

    type: Literal["other"] = "other"
    kind: str
    text: str = ""
    fault: str | None = None


RecordedPart: TypeAlias = Annotated[
    TextBlock | MediaBlock | ThinkingBlock | CallPart | ResultPart | OtherPart, Field(discriminator="type")
]


class RecordedMessage(Place):
    """One message as it stood in the file; `index` counts in the file's own list, `shape` says how its content stood.

    `parts` are in file order, calls and results included. `shape`: `string`, `parts`, `null` (content was null),
    `absent` (no content key), `bad` (neither text nor a list of parts). `marks` names what a reader noticed:
    `compact_summary`, `client_note`, `synthetic`, `call_copies_differ`, `paired_by_name`, `legacy_function`;
    `compact_kept` (kept by a compaction, right behind its summary), `history_reset`, `injected` (by the client),
    `top_level` (a system prompt that stood beside the messages, not among them), `cache_breakpoint` (a stretch that
    the provider caches ends in it).
    """

    role: str
    index: int = 0
    shape: Literal["string", "parts", "null", "absent", "bad"] = "string"
    parts: Many[RecordedPart] = ()
    name: str | None = None
    id: str | None = None
    timestamp: str | None = None
    marks: Many[str] = ()

    @property
    def calls(self) -> tuple[CallPart, ...]:
        """The tool calls in it, in order."""
        return tuple(part for part in self.parts if isinstance(part, CallPart))

    @property
    def results(self) -> tuple[ResultPart, ...]:
        """The tool results in it, in order."""
        return tuple(part for part in self.parts if isinstance(part, ResultPart))

    @property
    def text(self) -> str:
        """Its text and placeholders joined by newlines, without calls, results and thinking."""
        return content_text(self.content)

    @property
    def content(self) -> Content:
        """Its content without calls and results: a string where it stood as one, else the parts (thinking too)."""
        kept: list[TextPart | MediaPart | ThinkingPart] = []
        for part in self.parts:
            if isinstance(part, TextPart):
                kept.append(TextPart(text=part.text))
            elif isinstance(part, MediaPart):
                kept.append(MediaPart(type=part.type, media_type=part.media_type, bytes=part.bytes, sha256=part.sha256))
            elif isinstance(part, ThinkingPart):
                kept.append(ThinkingPart(text=part.text, signature=part.signature))
            elif isinstance(part, OtherPart) and part.text:
                kept.append(TextPart(text=part.text))
        if all(isinstance(part, TextPart) for part in kept) and len(kept) <= 1:
            return kept[0].text if kept and isinstance(kept[0], TextPart) else ""
        return tuple(kept)


class RecordedCall(Frozen):
    """One call as recorded: for a capture the exact request; for a transcript one per session, its message list.

    `turn` and `request` are the step it belongs to. `tools` are null where the file does not store them.
    `id` names the call in its file, `thinking` says that extended thinking was switched on.
    """

    turn: int = Field(0, ge=0)
    request: int = Field(0, ge=0)
    messages: Many[RecordedMessage] = ()
    tools: Many[ToolSchema] | None = None
    usage: Usage | None = None
    model: str | None = None
    id: str | None = None
    thinking: bool = False
    line: int | None = None
    partial: str | None = None
    """Why this call's context is incomplete in the file (state kept on a server), or null."""


class Thread(Frozen):
    """Another branch, sub-agent or side thread in the same recording, listed so that none is lost."""

    id: str
    kind: Literal["main", "branch", "rewind", "sidechain", "subagent", "side_call", "fork", "other"] = "other"
    title: str = ""
    messages: int = Field(0, ge=0)
    turns: int = Field(0, ge=0)
    file: str | None = None
    parent: str | None = None
    selected: bool = False


class Source(Frozen):
    """Where a session was read from and what the reader noticed."""

    format: str
    file: str = ""
    dialect: Literal["openai", "openai-responses", "anthropic", "gemini"] | None = None
    family: Literal["native", "capture", "transcript"] = "native"
    container: str = "json"
    records_read: int = Field(0, ge=0)
    records_skipped: int = Field(0, ge=0)
    problems: Many[Problem] = ()
    missing: Many[str] = ()
    threads: Many[Thread] = ()
    unknown_kinds: dict[str, int] = Field(default_factory=dict)
    masked: dict[str, int] = Field(default_factory=dict)
    """How many different secrets of each kind were masked when the file was read."""


class Problem(Place):
    """A record that could not be read, or was mended: rule code, severity, one sentence, and the raw text's start."""

    rule: str = "unreadable-record"
    severity: Literal["error", "warning", "info"] = "error"
    message: str
    text: str = ""
    lost: bool = True


class Session(Frozen):
    """A recording and its settings (page 1). Turns are oldest first."""

    format: Literal["ctxinspect/1"] = FORMAT
    title: str | None = None
    model: str | None = None
    source: Source | str | None = None
    context: Settings = Settings()
    components: Many[Component] = ()
    variables: dict[str, str | None] = Field(default_factory=dict)
    tools: Many[ToolSchema] = ()
    chat_tools: Many[str] = ()
    turns: Many[Turn] = ()
    recorded: Many[RecordedCall] = ()

    @field_validator("components")
    @classmethod
    def _names_are_unique(cls, components: tuple[Component, ...]) -> tuple[Component, ...]:
        return _unique(components)

    @property
    def foreign(self) -> bool:
        """Whether it was read from a foreign format (its default view is then RECORDED)."""
        return bool(self.recorded)


def _unique(components: tuple[Component, ...]) -> tuple[Component, ...]:
    seen: set[str] = set()
    for component in components:
        if component.name in seen:
            msg = f"component name {component.name!r} stands twice in one list; names are unique"
            raise ValueError(msg)
        seen.add(component.name)
    return components


Source.model_rebuild()
Session.model_rebuild()
