"""Opens a file as a session: the container is found, the format recognised by content, the next best one tried.

Whatever the file holds, the outcome is a session or one error that says what to do.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from ctxinspect.errors import CtxInspectError, InputError, UsageError
from ctxinspect.model.session import Session
from ctxinspect.readers.container import Recording, open_recording
from ctxinspect.readers.foreign import session_of
from ctxinspect.readers.identify import identify
from ctxinspect.readers.native import read_native
from ctxinspect.readers.registry import Format, format_named

__all__ = ["load", "load_bytes", "session_in", "sniff"]

_NATIVE_NAMES = ("native", "ctxinspect/1", "ctxinspect")
_STUMBLES = (KeyError, TypeError, AttributeError, IndexError, ValueError, RecursionError)
Progress = Callable[[int, int], None]


def load(
    source: str | Path,
    *,
    thread: str | None = None,
    format_name: str | None = None,
    progress: Progress | None = None,
    show_secrets: bool = False,
) -> Session:
    """The session in a file; `"-"` is standard input.

    `thread` chooses among several conversations (the longest by default), `format_name` forces a format, `progress` is
    called with (bytes done, bytes in all). Keys, tokens and authorization headers are masked as they are read, unless
    `show_secrets`; `session.source.masked` says how many. Raises InputError (place, reason, remedy) where the file
    cannot be read as a session, UsageError where the thread or the format does not exist.
    """
    return session_in(_open(source, progress, show_secrets=show_secrets), thread, format_name)


def load_bytes(
    data: bytes,
    *,
    name: str = "-",
    thread: str | None = None,
    format_name: str | None = None,
    show_secrets: bool = False,
) -> Session:
    """The session in a byte string, as `load`; `name` stands for the file in messages."""
    return session_in(open_recording(data, name=name, show_secrets=show_secrets), thread, format_name)


def sniff(source: str | Path) -> list[tuple[str, float]]:
    """(format name, score 0 … 1) of every format that recognises the file, best first. Raises InputError.

    Empty for a file that is known to be something else: `identify` says what.
    """
    return identify(_open(source, None)).scores


def _open(source: str | Path, progress: Progress | None, *, show_secrets: bool = False) -> Recording:
    opened = sys.stdin.buffer.read() if str(source) == "-" else Path(source)
    return open_recording(opened, name=str(source), progress=progress, show_secrets=show_secrets)


def session_in(recording: Recording, thread: str | None, format_name: str | None) -> Session:
    """The session in a file that is open, as `load`."""
    if format_name is not None and format_name.lower() in _NATIVE_NAMES:
        return read_native(recording)
    if format_name is not None:
        return _read(format_named(format_name), recording, thread, "read as")
    found = identify(recording)
    if found.is_native:
        return read_native(recording)
    if not found.candidates:
        raise found.refusal(recording.name)
    failure: InputError | None = None
    for _, known in found.candidates:
        try:
            return _read(known, recording, thread)
        except UsageError:
            raise
        except InputError as error:
            failure = failure or error
    assert failure is not None
    raise failure


def _read(known: Format, recording: Recording, thread: str | None, seems: str = "looks like") -> Session:
    """Reads with one format. A file whose structure trips the reader is an InputError, like any other bad file."""
    try:
        return session_of(known.read(recording), recording, known.name, thread)
    except InputError as error:
        reason = f"{seems} {known.title}: {error.reason}"
        told = InputError(reason, file=error.file, line=error.line, path=error.path, remedy=error.remedy)
        raise told.located(recording.name) from error
    except CtxInspectError:
        raise
    except _STUMBLES as error:
        msg = f"{seems} {known.title} and cannot be read as such ({type(error).__name__}: {error})"
        raise InputError(msg[:300], file=recording.name, remedy="name another format, or mend the file") from error
