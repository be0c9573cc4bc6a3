"""Aider chat histories: Markdown in which `####` is the user, `>` the tool, everything else the assistant.

It is lossy: no system prompt, no file contents, no repository map. Every run is a thread, the last one is opened.
"""

from __future__ import annotations

import re
from itertools import groupby

from ctxinspect.errors import InputError
from ctxinspect.readers.chats import ChatItem, chat_of
from ctxinspect.readers.container import Recording, Sample
from ctxinspect.readers.reading import Conversation, Reading
from ctxinspect.readers.registry import Format
from ctxinspect.readers.wire.parts import Where

__all__ = ["FORMAT"]

_START = "# aider chat started at "
_MODEL = re.compile(r"> (?:Main model|Model|Models): (\S+)")
_MISSING = ("the system prompt", "the contents of the files in the chat", "the repository map")


def _sniff(sample: Sample) -> float:
    return 0.95 if sample.kind == "text" and _START.encode() in sample.head else 0.0


def _read(recording: Recording) -> Reading:
    runs: list[list[tuple[int, str]]] = []
    for number, line in enumerate(recording.text().split("\n"), 1):
        if line.startswith(_START):
            runs.append([])
        if runs:
            runs[-1].append((number, line.rstrip("\r")))
    talks = [known for n, run in enumerate(runs, 1) if (known := _conversation(run, n)).messages]
    if not talks:
        raise InputError("no message in it", remedy="expected lines that begin with ####")
    counts = {"run without a message": len(runs) - len(talks)} if len(runs) > len(talks) else {}
    return Reading(
        tuple(talks),
        "openai",
        "transcript",
        default=talks[-1].id,
        missing=_MISSING,
        unknown_kinds=counts,
        records_read=sum(talk.messages for talk in talks),
    )


def _speaker(line: str) -> str:
    return "user" if line.startswith("#### ") or line == "####" else "tool" if line.startswith(">") else "assistant"


def _said(line: str, speaker: str) -> str:
    return line.removeprefix("####").removeprefix(" ") if speaker == "user" else line


def _conversation(run: list[tuple[int, str]], number: int) -> Conversation:
    items: list[ChatItem] = []
    model: str | None = None
    for speaker, group in groupby(run[1:], key=lambda entry: _speaker(entry[1])):
        lines = list(group)
        if speaker == "tool":
            found = next((match.group(1) for _, line in lines if (match := _MODEL.match(line))), None)
            model = found or model
            continue
        text = "\n".join(_said(line, speaker) for _, line in lines)
        if text.strip():
            first = next(n for n, line in lines if line.strip())
            items.append(({"role": speaker, "content": text.strip("\n")}, Where(first, "$")))
    title = run[0][1].removeprefix("# ")
    return chat_of(f"run-{number}", items, model=model, title=title)


FORMAT = Format(
    name="aider", title="an Aider chat history", sniff=_sniff, read=_read, dialect="openai", family="transcript"
)
