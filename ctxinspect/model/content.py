"""Content of a message: a string or a tuple of parts. Payloads of images, files and audio are never kept.

`shown` is what a reader sees (placeholders for parts that are no text), `counted` is what is charged to a budget
(text parts only). Thinking is in neither.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from ctxinspect.settings import Frozen, Many

__all__ = [
    "Content",
    "MediaPart",
    "Part",
    "TextPart",
    "ThinkingPart",
    "content_media",
    "content_text",
    "counted_text",
    "is_blank",
    "join_contents",
    "label_content",
    "media_placeholder",
    "thinking_texts",
]


class TextPart(Frozen):
    """A run of text."""

    type: Literal["text"] = "text"
    text: str


class MediaPart(Frozen):
    """An image, a file or audio: what it was, how many bytes, and their SHA-256 (hex). The payload is not kept."""

    type: Literal["image", "file", "audio"]
    media_type: str = ""
    bytes: int = Field(0, ge=0)
    sha256: str = ""


class ThinkingPart(Frozen):
    """Reasoning shown by the model; in no text and free of cost, since it is not sent back."""

    type: Literal["thinking"] = "thinking"
    text: str = ""
    signature: str | None = None


Part: TypeAlias = Annotated[TextPart | MediaPart | ThinkingPart, Field(discriminator="type")]
Content: TypeAlias = str | Many[Part]


def media_placeholder(part: MediaPart) -> str:
    """`[image image/png, 3000 bytes]`: what stands for a payload in text."""
    return f"[{part.type} {part.media_type or 'unknown type'}, {part.bytes} bytes]"


def content_text(content: Content | None) -> str:
    """The content as text: text parts and placeholders joined by newlines, thinking left out."""
    if content is None or isinstance(content, str):
        return content or ""
    return "\n".join(
        part.text if isinstance(part, TextPart) else media_placeholder(part)
        for part in content
        if not isinstance(part, ThinkingPart)
    )


def counted_text(content: Content | None) -> str:
    """What is charged as text: the text parts joined by newlines, without placeholders."""
    if content is None or isinstance(content, str):
        return content or ""
    return "\n".join(part.text for part in content if isinstance(part, TextPart))


def content_media(content: Content | None) -> int:
    """How many parts are neither text nor thinking."""
    if content is None or isinstance(content, str):
        return 0
    return sum(isinstance(part, MediaPart) for part in content)


def thinking_texts(content: Content | None) -> tuple[str, ...]:
    """Texts of the thinking parts, in order."""
    if content is None or isinstance(content, str):
        return ()
    return tuple(part.text for part in content if isinstance(part, ThinkingPart))


def is_blank(content: Content | None) -> bool:
    """Whether the content, as text, is empty or only white space."""
    return not content_text(content).strip()


def join_contents(contents: Iterable[Content | None]) -> Content:
    """Contents one after another: a string joined by newlines where all are strings, else all their parts."""
    present = [content for content in contents if content]
    if all(isinstance(content, str) for content in present):
        return "\n".join(content for content in present if isinstance(content, str))
    parts: list[TextPart | MediaPart | ThinkingPart] = []
    for content in present:
        parts += [TextPart(text=content)] if isinstance(content, str) else list(content)
    return tuple(parts)


def label_content(label: str, content: Content) -> Content:
    """The content with `label ` before its first text, so that who speaks is visible."""
    if isinstance(content, str):
        return f"{label} {content}"
    first = next((i for i, part in enumerate(content) if not isinstance(part, ThinkingPart)), None)
    if first is not None and isinstance(content[first], TextPart):
        part = content[first]
        labelled = TextPart(text=f"{label} {part.text}" if isinstance(part, TextPart) else label)
        return (*content[:first], labelled, *content[first + 1 :])
    return (TextPart(text=label), *content)
