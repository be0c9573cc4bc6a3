"""The files in a folder, looked into one by one and given as found; a file is sampled, never read as a session."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ctxinspect.errors import InputError
from ctxinspect.readers.container import open_recording
from ctxinspect.readers.identify import identify

__all__ = ["FoundFile", "FoundSession", "list_files", "list_sessions", "opening_words"]

_SKIPPED = frozenset({".git", "node_modules", "__pycache__", ".venv"})
_HEAD = 1 << 16
_TITLE = 80
_SURE = 0.3


@dataclass(frozen=True, slots=True)
class FoundSession:
    """A file that looks like a session: `size` in bytes, `mtime` in seconds since 1970, `title` may be empty."""

    path: Path
    format: str
    title: str
    mtime: float
    size: int


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file: its format where it looks like a session, else what it is (`what`, one line).

    `telling` says whether that is worth a line: data that could have been a session, or a known side file.
    """

    path: Path
    format: str | None
    what: str = ""
    telling: bool = False


def list_files(path: Path) -> Iterator[FoundFile]:
    """Every file in the folder and below, in the order of the paths; each is given as soon as it was looked into.

    Folders that cannot be read are passed over. Links are not followed.
    """
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if name not in _SKIPPED)
        for name in sorted(names):
            file = Path(folder) / name
            if file.is_file():
                yield _looked_into(file)


def list_sessions(path: Path) -> Iterator[FoundSession]:
    """The sessions among `list_files`, with their first words."""
    for found in list_files(path):
        if found.format is not None:
            try:
                entry = found.path.stat()
            except OSError:
                continue
            yield FoundSession(found.path, found.format, opening_words(found.path), entry.st_mtime, entry.st_size)


def _looked_into(file: Path) -> FoundFile:
    try:
        recording = open_recording(file)
        identity = identify(recording)
    except InputError as error:
        return FoundFile(file, None, _without_place(error))
    except OSError as error:
        return FoundFile(file, None, f"cannot be read ({error.strerror or error})")
    scores = identity.scores
    if scores and scores[0][1] >= _SURE:
        return FoundFile(file, scores[0][0])
    data = recording.kind not in ("text", "binary")
    if scores:
        return FoundFile(file, None, f"unknown format: a little like {scores[0][0]}", telling=True)
    return FoundFile(file, None, _without_place(identity.refusal("")), telling=data or bool(identity.known))


def _without_place(error: InputError) -> str:
    """The reason, and what to do where the reason does not name formats."""
    remedy = "" if (error.remedy or "").startswith("known formats") else f"; {error.remedy}" if error.remedy else ""
    return f"{error.reason}{remedy}"


def opening_words(file: Path) -> str:
    """The first thing a person said, on one line of at most 80 characters, from the first 64 KB; empty if not found."""
    from ctxinspect.readers.decode import JSONReader  # noqa: PLC0415 - only where titles are wanted

    try:
        with file.open("rb") as handle:
            head = handle.read(_HEAD)
    except OSError:
        return ""
    reader = JSONReader()
    for line in head.split(b"\n"):
        if not line.lstrip().startswith((b"{", b"[")):
            continue
        for value in reader.read_line(line).values:
            words = " ".join(_said(value).split())
            if words:
                return words if len(words) <= _TITLE else f"{words[: _TITLE - 1]}…"
    return ""


def _said(value: Any, depth: int = 0) -> str:
    """The text of a user message in a record, whatever dialect it is in."""
    if isinstance(value, list) and depth < 4:
        return next((text for text in (_said(item, depth + 1) for item in value) if text), "")
    if not isinstance(value, dict) or value.get("isMeta"):
        return ""
    if value.get("role") == "user" or (value.get("type") == "user" and "message" not in value):
        return _opened_by_a_person(_text(value.get("content", value.get("parts"))))
    inner = (value.get(key) for key in ("message", "payload", "messages", "contents", "request", "body"))
    if depth < 4:
        return next((text for text in (_said(item, depth + 1) for item in inner) if text), "")
    return ""


def _opened_by_a_person(text: str) -> str:
    """The text, unless a client put it there: such texts begin with a tag."""
    return "" if text.lstrip().startswith(("<", "# AGENTS.md")) else text


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    texts = (part.get("text") for part in parts if isinstance(part, dict))
    return next((text for text in texts if isinstance(text, str) and text.strip()), "")
