"""What the lines of a file gave, kept for the next reading of the same file: a line is known by its number and content.

A kept reading brings the secrets that were masked in it, so a file read with a memo gives what it gives without one.
Readers do not change the values of a record: they are the same objects in the next reading.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from ctxinspect.readers.decode import JSONReader, LineReading

__all__ = ["LineMemo"]


@dataclass(frozen=True, slots=True)
class _Known:
    digest: bytes
    last: bool
    reading: LineReading
    masked: dict[str, str]


class LineMemo:
    """The readings of the lines of one file, always with the same choice about secrets.

    `parsed` counts the lines that were parsed so far, in all readings together.
    """

    def __init__(self) -> None:
        self.parsed = 0
        self._known: dict[int, _Known] = {}
        self._used: set[int] = set()

    def read(self, reader: JSONReader, number: int, raw: bytes, *, last: bool = False) -> LineReading:
        """`reader.read_line(raw, last=last)` of this line of the file, from what is known where it has not changed."""
        digest = hashlib.blake2b(raw, digest_size=16).digest()
        known = self._known.get(number)
        if known is None or known.digest != digest or (known.reading.fault is not None and known.last != last):
            known = self._known[number] = self._parsed(reader, digest, raw, last=last)
        self._used.add(number)
        reader.masked.update(known.masked)
        return known.reading

    def forget(self) -> None:
        """Forgets all lines; the count stays."""
        self._known.clear()
        self._used.clear()

    def forget_unused(self) -> None:
        """Forgets the lines that were not asked for since the last call: they are no longer in the file."""
        self._known = {number: known for number, known in self._known.items() if number in self._used}
        self._used.clear()

    def _parsed(self, reader: JSONReader, digest: bytes, raw: bytes, *, last: bool) -> _Known:
        self.parsed += 1
        kept, reader.masked = reader.masked, {}
        try:
            reading = reader.read_line(raw, last=last)
            return _Known(digest, last, reading, reader.masked)
        finally:
            reader.masked = kept
