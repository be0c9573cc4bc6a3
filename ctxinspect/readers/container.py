"""A file as records with their place, whatever it is packed in: nothing of the file is dropped without a problem noted.

Physical lines end at newlines only. `Recording.records` can be asked for again; counts and problems then start anew.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Literal

from ctxinspect.errors import InputError
from ctxinspect.model.session import Problem
from ctxinspect.readers.database import database_tables
from ctxinspect.readers.decode import JSONError, JSONReader, LineReading, column_of
from ctxinspect.readers.memo import LineMemo
from ctxinspect.readers.unpack import ByteSource
from ctxinspect.text.masking import mask_joined, mask_text

__all__ = ["ContainerKind", "Record", "Recording", "Sample", "open_recording"]

ContainerKind = Literal["json", "json-seq", "jsonl", "sse", "zip", "sqlite", "text", "binary"]
Progress = Callable[[int, int], None]

SAMPLE_RECORDS = 60
_SAMPLE_BYTES = 8_000_000
_HEAD = 65_536
_STEP = 1 << 18
_TEXT_START = 200
_BOM = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Record:
    """One JSON value of the file: its 1-based physical line (None inside one long document) and its JSON path."""

    value: Any
    line: int | None = None
    path: str = "$"


@dataclass(frozen=True, slots=True)
class Sample:
    """What a format may look at to recognise a file: the first values, the container and, for odd ones, the head.

    `members` are the files in a zip, or the tables of a database.
    """

    kind: ContainerKind
    values: tuple[Any, ...]
    head: bytes = b""
    members: tuple[str, ...] = ()
    recording: Recording | None = None

    @property
    def document(self) -> Any:
        """The one value of the file, or None where it has several."""
        return self.values[0] if len(self.values) == 1 and self.kind in ("json", "jsonl") else None

    def share(self, holds: Callable[[dict[str, Any]], bool]) -> float:
        """The share of the sampled objects for which `holds`; 0 where there are none."""
        objects = [value for value in self.values if isinstance(value, dict)]
        return sum(bool(holds(value)) for value in objects) / len(objects) if objects else 0.0


@dataclass(slots=True)
class Recording:
    """An opened file: what kind of container it is, and its records."""

    source: ByteSource
    kind: ContainerKind
    progress: Progress | None = None
    records_read: int = 0
    records_skipped: int = 0
    records_passed: int = 0
    """Records of a capture that are no part of a call; they are among those read."""
    problems: list[Problem] = field(default_factory=list)
    head: bytes = b""
    values: list[tuple[Any, int | None]] | None = None
    notes: tuple[str, ...] = ()
    masked: dict[str, str] = field(default_factory=dict)
    """Secrets that were masked so far: fingerprint → kind."""
    memo: LineMemo | None = None
    """What the lines gave in earlier readings, for a file that is read again as it grows."""
    _reported: int = 0

    @property
    def name(self) -> str:
        """The file as the user named it."""
        return self.source.name

    @property
    def path(self) -> Path | None:
        """Where the file is, or None for standard input."""
        return self.source.path

    @property
    def container(self) -> str:
        """The container as shown: `jsonl`, `jsonl in gzip`."""
        packed = (how for how in (self.source.packing, self.source.outer) if how not in ("plain", self.kind))
        return " in ".join([self.kind, *packed])

    def sample(self) -> Sample:
        """The first records (60, or 8 MB of them), for recognising the format; no progress, no problems kept."""
        if self.kind == "sqlite":
            return Sample(self.kind, (), self.head, database_tables(self.source), self)
        if self.kind not in ("json", "json-seq", "jsonl", "sse"):
            return Sample(self.kind, (), self.head, self.source.members(), self)
        taken = itertools.islice(self._records(sampling=True), SAMPLE_RECORDS)
        values = tuple(record.value for record in taken)
        return Sample(self.kind, values, self.head, (), self)

    def records(self) -> Iterator[Record]:
        """All records in file order. What cannot be read becomes a problem, and reading goes on."""
        self.records_read = self.records_skipped = self.records_passed = 0
        self.problems = []
        for note in self.notes:
            self._note(None, note)
        for record in self._records(sampling=False):
            self.records_read += 1
            yield record
        self._report(self.source.size)

    def text(self) -> str:
        """The whole file as text, for containers that are no JSON; bytes that are no UTF-8 become U+FFFD."""
        return self.cleared(self.source.read().removeprefix(_BOM).decode("utf-8", errors="replace"))

    def cleared(self, text: str) -> str:
        """A text out of the file that came from no JSON reader, without its secrets (unless they are asked for)."""
        return text if self.source.show_secrets else mask_text(text, self.masked)

    def joined(self, value: Any) -> Any:
        """A value that was put together from fragments of the file (a stream), without the secrets that they cut."""
        return value if self.source.show_secrets else mask_joined(value, self.masked)

    def reader(self) -> JSONReader:
        """A reader for JSON that stands inside the file (members, payloads); secrets are masked as in the file."""
        reader = JSONReader(show_secrets=self.source.show_secrets)
        reader.masked = self.masked
        return reader

    def line(self, reader: JSONReader, number: int, raw: bytes, *, last: bool = False) -> LineReading:
        """What a line gives: `reader.read_line`, or what it gave before where that is kept."""
        if self.memo is None:
            return reader.read_line(raw, last=last)
        return self.memo.read(reader, number, raw, last=last)

    def masked_kinds(self) -> dict[str, int]:
        """How many different secrets of each kind were masked so far, by name."""
        return dict(sorted(Counter(self.masked.values()).items()))

    def note(self, message: str, *, line: int | None = None, text: str = "", path: str | None = None) -> None:
        """Keeps a record that a format could not make sense of as an error: it counts as skipped, not as read."""
        self.records_read -= 1
        self._lose(line, message, text, path)

    def _records(self, *, sampling: bool) -> Iterator[Record]:
        if self.values is not None:
            if not sampling:
                self._report(self.source.size)
            for number, (value, line) in enumerate(self.values):
                yield Record(value, line, "$" if len(self.values) == 1 or line else f"$[{number}]")
            return
        with self.source.open() as (handle, raw):
            lines = _numbered(handle, self.source)
            lines = self._watched(lines, raw) if not sampling else _limited(lines)
            readings = (_events if self.kind == "sse" else _plain)(lines, self)
            for line, reading in readings:
                if not sampling:
                    self._keep(line, reading)
                for value in reading.values:
                    yield Record(value, line)

    def _keep(self, line: int, reading: LineReading) -> None:
        if reading.fault is not None:
            self._lose(line, reading.fault, reading.text)
        for note in reading.notes:
            self._note(line, note)

    def _lose(self, line: int | None, message: str, text: str, path: str | None = None) -> None:
        self.records_skipped += 1
        self.problems.append(Problem(line=line, path=path, message=message, text=text[:_TEXT_START]))

    def _note(self, line: int | None, message: str) -> None:
        self.problems.append(Problem(line=line, severity="warning", message=message, lost=False))

    def _watched(self, lines: Iterator[tuple[int, bytes, bool]], raw: BinaryIO) -> Iterator[tuple[int, bytes, bool]]:
        since = 0
        for line in lines:
            since += len(line[1])
            if since >= _STEP:
                since = 0
                self._report(raw.tell())
            yield line

    def _report(self, done: int) -> None:
        if self.progress is not None and done >= self._reported:
            self._reported = done
            self.progress(min(done, self.source.size), self.source.size)


def open_recording(
    source: Path | bytes,
    *,
    name: str | None = None,
    progress: Progress | None = None,
    show_secrets: bool = False,
    memo: LineMemo | None = None,
) -> Recording:
    """Opens a file, or bytes, and finds out what container it is. Secrets in it are masked unless they are asked for.

    `memo` is what the lines gave in earlier readings of the same file, with the same `show_secrets`.

    Raises InputError (place, reason, remedy) for a missing or empty file, a directory, and JSON that is broken as a
    whole.
    """
    if isinstance(source, bytes):
        opened = ByteSource(source, None, name or "-", show_secrets=show_secrets)
    else:
        opened = _opened(source, name or str(source), show_secrets=show_secrets)
    return _classified(opened, progress, memo)


def _opened(path: Path, name: str, *, show_secrets: bool) -> ByteSource:
    try:
        if path.is_dir():
            raise InputError("is a directory", file=name, remedy="name a session file in it")
        return ByteSource(None, path, name, show_secrets=show_secrets)
    except FileNotFoundError as error:
        raise InputError("no such file", file=name, remedy="check the path") from error
    except PermissionError as error:
        raise InputError("permission denied", file=name, remedy="make it readable") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        msg = f"cannot be opened ({reason})"
        raise InputError(msg, file=name, remedy="check the path") from error


def _classified(source: ByteSource, progress: Progress | None, memo: LineMemo | None) -> Recording:
    if source.packing == "zip":
        return _zipped(source, progress, memo)
    with source.open() as (handle, _):
        head = handle.read(_HEAD)
    lead = head.removeprefix(_BOM).lstrip(b" \t\r\n\0")
    if not lead and len(head) < _HEAD:
        raise InputError("the file is empty", file=source.name, remedy="expected a recorded session")
    recording = Recording(source, "text", progress, head=head, memo=memo)
    if head.startswith(b"SQLite format 3\0"):
        recording.kind = "sqlite"
    elif lead[:1] in (b"{", b"["):
        _read_json(recording)
    elif _is_sse(lead):
        recording.kind = "sse"
    elif b"\0" in head or _is_binary(head):
        recording.kind = "binary"
    return recording


def _zipped(source: ByteSource, progress: Progress | None, memo: LineMemo | None) -> Recording:
    """A zip with one JSON file in it is that file; any other stays a zip, for formats that know its members."""
    members = source.members()
    likely = [name for name in members if name.lower().endswith((".json", ".jsonl", ".ndjson"))]
    if len(members) == 1 and len(likely) == 1:
        inner = ByteSource(source.member(likely[0]), None, source.name, show_secrets=source.show_secrets)
        inner.path, inner.outer = source.path, source.packing
        return _classified(inner, progress, memo)
    return Recording(source, "zip", progress)


def _is_sse(lead: bytes) -> bool:
    return lead.startswith((b"data:", b"event:", b":")) or (lead.startswith((b"id:", b"retry:")) and b"\ndata:" in lead)


def _is_binary(head: bytes) -> bool:
    text = head[:4096].decode("utf-8", errors="replace")
    odd = sum(char == "\ufffd" or (char < " " and char not in "\t\r\n\x0c\x1b") for char in text)
    return odd * 10 > len(text)


def _read_json(recording: Recording) -> None:
    """Decides between one document, documents in a row and one record a line; a document is kept as read."""
    source = recording.source
    reader = recording.reader()
    with source.open() as (handle, _):
        lines = _numbered(handle, source)
        first = next((line for line in lines if line[1].strip()), (1, b"", True))
        more = any(line[1].strip(b" \t\r\n\0") for line in lines)
    reading = recording.line(reader, first[0], first[1], last=first[2])
    if reading.fault is None and reading.values:
        if more or len(reading.values) > 1:
            recording.kind = "jsonl"
        else:
            recording.kind, recording.notes = "json", reading.notes
            recording.values = [(reading.values[0], first[0])]
        return
    _read_document(recording, reader)


def _read_document(recording: Recording, reader: JSONReader) -> None:
    data = recording.source.read().removeprefix(_BOM).rstrip(b"\0 \t\r\n")
    try:
        text = data.decode("utf-8")
        notes: tuple[str, ...] = ()
    except UnicodeDecodeError as error:
        text = data.decode("utf-8", errors="replace")
        notes = (f"invalid UTF-8 at byte {error.start}, shown as U+FFFD",)
    del data
    try:
        values, more = reader.read_text(text)
    except JSONError as error:
        if _mostly_lines(recording):
            recording.kind = "jsonl"
            return
        remedy = "the file is cut short; record it again" if error.at_end else "expected JSON, or JSON Lines"
        msg = f"{error.reason} (column {error.column})"
        raise InputError(msg, file=recording.name, line=error.line, remedy=remedy) from error
    recording.notes = (*notes, *more)
    recording.kind = "json" if len(values) == 1 else "json-seq"
    if len(values) == 1:
        recording.values = [(values[0][0], None)]
    else:
        recording.values = [(value, column_of(text, position)[0]) for value, position in values]


def _mostly_lines(recording: Recording) -> bool:
    """Whether at least half of the lines that are not blank are whole JSON objects or lists."""
    source = recording.source
    reader = JSONReader(show_secrets=source.show_secrets)
    good = bad = 0
    with source.open() as (handle, _):
        for number, raw, last in _numbered(handle, source):
            if not raw.strip(b" \t\r\n\0"):
                continue
            reading = recording.line(reader, number, raw, last=last)
            whole = bool(reading.values) and isinstance(reading.values[0], (dict, list))
            good += whole
            bad += reading.fault is not None or not whole
    return good > 0 and good >= bad


def _numbered(handle: BinaryIO, source: ByteSource) -> Iterator[tuple[int, bytes, bool]]:
    """(line number, bytes without newline, whether the newline is missing); a BOM is stripped from the first."""
    unpacked = 0
    # A packed line is never read beyond the cap; a plain one is as long as the file at most.
    lines = handle if source.packing == "plain" else iter(lambda: handle.readline(source.limit + 1), b"")
    for number, raw in enumerate(lines, 1):
        unpacked += len(raw)
        source.check(unpacked)
        line = raw.removeprefix(_BOM) if number == 1 else raw
        yield number, line.rstrip(b"\r\n"), not raw.endswith(b"\n")


def _limited(lines: Iterator[tuple[int, bytes, bool]]) -> Iterator[tuple[int, bytes, bool]]:
    taken = 0
    for line in lines:
        yield line
        taken += len(line[1])
        if taken > _SAMPLE_BYTES:
            return


def _plain(lines: Iterator[tuple[int, bytes, bool]], recording: Recording) -> Iterator[tuple[int, LineReading]]:
    reader = recording.reader()
    for number, raw, last in lines:
        if raw.strip():
            yield number, recording.line(reader, number, raw, last=last)


def _events(lines: Iterator[tuple[int, bytes, bool]], recording: Recording) -> Iterator[tuple[int, LineReading]]:
    """Server-sent events: the `data` lines of one event make one record; comments and `[DONE]` are none."""
    reader = recording.reader()
    start, data = 0, list[bytes]()
    for number, raw, _ in itertools.chain(lines, [(0, b"", True)]):
        if raw.startswith(b"data:"):
            start = start or number
            data.append(raw[5:].removeprefix(b" "))
        if data and (not raw.strip() or _complete(data)):
            payload = b"\n".join(data)
            if payload.strip() not in (b"", b"[DONE]"):
                yield start, recording.line(reader, start, payload)
            start, data = 0, []


def _complete(data: list[bytes]) -> bool:
    return len(data) == 1 and (data[0].rstrip().endswith(b"}") or data[0].strip() == b"[DONE]")
