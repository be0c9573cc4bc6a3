"""A request in neutral form, what writing it gives, and what the target could not hold.

Nothing is dropped in silence: whatever of a draft is not in the written body, or stands in it as something else, is a
`Loss` with its place in the recording.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from ctxinspect.model.content import Content, MediaPart, TextPart, media_placeholder
from ctxinspect.model.session import Place, RecordedMessage, ToolSchema

__all__ = ["Draft", "Loss", "Notes", "Target", "Written", "content_texts", "joined_texts", "note_media"]

Target: TypeAlias = Literal["openai", "openai-responses", "anthropic", "gemini"]


_MAKERS = {
    "Anthropic": re.compile(r"claude", re.IGNORECASE),
    "Google": re.compile(r"gemini", re.IGNORECASE),
    "OpenAI": re.compile(r"\bgpt-[345]|\bo[134](-|$)|codex", re.IGNORECASE),
}


@dataclass(frozen=True, slots=True)
class Loss:
    """Something that the target does not hold as it was: where it stood, what it is (one short noun), and why.

    `detail` is what differs between losses of one kind: the id made up, the name left out.
    """

    path: str
    what: str
    why: str
    line: int | None = None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Draft:
    """A request to be written: messages (system first), tools, model; `origin` is the dialect it was recorded in.

    `thinking` says that extended thinking was switched on. Messages are those of a recording or of a replay.
    """

    messages: tuple[RecordedMessage, ...]
    tools: tuple[ToolSchema, ...] = ()
    model: str | None = None
    thinking: bool = False
    origin: str | None = None


@dataclass(frozen=True, slots=True)
class Written:
    """A body for the target's API, and what it does not hold, in the order of the messages."""

    body: dict[str, Any]
    losses: tuple[Loss, ...]


@dataclass(slots=True)
class Notes:
    """Gathers losses while a draft is written."""

    losses: list[Loss] = field(default_factory=list)

    def add(self, place: Place, index: int, what: str, why: str, detail: str = "") -> None:
        """Note a loss at a part or message; `index` is the position of the message in the draft."""
        self.losses.append(Loss(place.path or f"messages[{index}]", what, why, place.line, detail))

    def general(self, what: str, why: str) -> None:
        """Note a loss that concerns the whole request."""
        self.losses.append(Loss("$", what, why))

    def model(self, draft: Draft, maker: str) -> str:
        """The model to be asked; a stand-in where the recording names none. `maker` is whose API it is."""
        if draft.model:
            found = next((name for name, pattern in _MAKERS.items() if pattern.search(draft.model)), maker)
            if found != maker:
                self.general(
                    "model", f"{draft.model} is a model of {found}, not of {maker}: another one is to be named"
                )
            return draft.model
        self.general("model", 'the recording names none, and a request needs one: written as "unknown"')
        return "unknown"


def content_texts(content: Content | None, place: Place, index: int, notes: Notes) -> list[str]:
    """The texts of a tool result's content; payloads, which no recording keeps, as placeholders, each a loss."""
    if content is None:
        notes.add(place, index, "null", "the result was null; a result is text there: written as empty")
        return [""]
    if isinstance(content, str):
        return [content]
    texts: list[str] = []
    for part in content:
        if isinstance(part, TextPart):
            texts.append(part.text)
        elif isinstance(part, MediaPart):
            texts.append(note_media(part, place, index, notes))
        else:
            notes.add(place, index, "thinking", "a tool result holds no reasoning")
    return texts


def note_media(part: MediaPart, place: Place, index: int, notes: Notes) -> str:
    """The placeholder of a payload, and its loss."""
    notes.add(place, index, part.type, "its bytes are not in the recording, only kind, size and hash: a placeholder")
    return media_placeholder(part)


def joined_texts(texts: Sequence[str]) -> str:
    """Texts as one, as everywhere in this project."""
    return "\n".join(texts)
