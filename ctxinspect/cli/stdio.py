"""The only writer of stdout and stderr.

Data is UTF-8 text, lines ended by a line feed, byte-exact where the stream takes UTF-8; what another encoding cannot
hold is escaped, never an error. Recorded content that goes to a terminal is sanitised first; a pipe gets it as it is.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import TextIO

from ctxinspect.cli.paint import Painter
from ctxinspect.text.clip import hanging
from ctxinspect.text.sanitize import sanitize_lines

__all__ = ["PipeClosed", "columns", "emit", "emit_lines", "emit_prose", "narrate", "write_atomically"]

_WIDE = 120
"""Cells of a line where a terminal does not say."""


class PipeClosed(Exception):  # noqa: N818 - not an error: the reader has seen enough
    """Nobody reads stdout any more. Its own kind, because click ends the program with 1 on a broken pipe."""


def emit(text: str) -> None:
    """Write data to stdout, ended by one newline."""
    _write(sys.stdout, text if text.endswith("\n") else text + "\n")


def emit_lines(lines: Iterable[str], paint: Painter | None = None) -> None:
    """Write data line by line, as it comes: a reader at the other end sees each at once; `paint` lays colour on."""
    for line in lines:
        _write(sys.stdout, line + "\n", paint)


def columns() -> int | None:
    """Cells of a line of the terminal that stdout is; null where it is none."""
    return shutil.get_terminal_size((_WIDE, 24)).columns if sys.stdout.isatty() else None


def emit_prose(lines: Iterable[str]) -> None:
    """Write lines that a terminal gets wrapped to its width, indented; a pipe and rows of a table stay as they are."""
    width = columns()
    for line in lines:
        table = line.startswith("|")
        emit_lines([line] if width is None or table else hanging(sanitize_lines(line), width))


def narrate(text: str) -> None:
    """Write one line for the person to stderr."""
    _write(sys.stderr, text.replace("\n", " ") + "\n")


def _write(stream: TextIO, text: str, paint: Painter | None = None) -> None:
    if stream.isatty():
        text = sanitize_lines(text)
    if paint is not None:
        text = paint(text.removesuffix("\n")) + "\n"
    encoding = stream.encoding or "utf-8"
    try:
        data = text.encode(encoding)
    except UnicodeEncodeError:
        data = text.encode(encoding, errors="backslashreplace")
    buffer = getattr(stream, "buffer", None)
    try:
        if buffer is None:
            stream.write(data.decode(encoding))
        else:
            stream.flush()
            buffer.write(data)
        stream.flush()
    except BrokenPipeError as error:
        raise PipeClosed from error


def write_atomically(path: Path, text: str) -> None:
    """Write a UTF-8 file whole or not at all: beside it first, then in its place."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(text.encode("utf-8", errors="backslashreplace"))
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
