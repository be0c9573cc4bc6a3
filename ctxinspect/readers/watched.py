"""What is kept of a file to tell later whether it is still the same: where it lies, when it changed, how it begins, ends.

Nothing here reads more than was asked for: `begins` and `ends` a few kilobytes, `holds` all that was seen.
"""

from __future__ import annotations

import hashlib
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

__all__ = ["EDGE", "Mark", "Seen", "mark_of"]

EDGE = 4096
"""Bytes at the beginning and at the end of what was seen that are compared."""

_STEP = 1 << 20


@dataclass(frozen=True, slots=True)
class Mark:
    """What the file system says of a file: where it lies (device and number), bytes, when it changed.

    `beside` is the same of the write-ahead log that a database has beside it.
    """

    place: tuple[int, int]
    size: int
    changed: tuple[int, int]
    beside: tuple[int, int] | None = None


def mark_of(path: Path) -> Mark | None:
    """The mark of a file; None where it is no regular file. Raises OSError where it is not there."""
    status = path.stat()
    if not stat.S_ISREG(status.st_mode):
        return None
    try:
        log = path.with_name(f"{path.name}-wal").stat()
        beside = (log.st_size, log.st_mtime_ns)
    except OSError:
        beside = None
    return Mark((status.st_dev, status.st_ino), status.st_size, (status.st_mtime_ns, status.st_ctime_ns), beside)


class Seen:
    """The content of a file up to `size` bytes, as digests and its two ends."""

    def __init__(self) -> None:
        self.size = 0
        self._digest = hashlib.blake2b()
        self._head = b""
        self._tail = b""

    def extend(self, handle: BinaryIO, size: int) -> None:
        """Takes in what stands in the file between the bytes seen and `size`; earlier ones are not read again."""
        handle.seek(self.size)
        while self.size < size and (data := handle.read(min(_STEP, size - self.size))):
            self._digest.update(data)
            self.size += len(data)
            self._head = (self._head + data[:EDGE])[:EDGE]
            self._tail = (self._tail + data)[-EDGE:]

    def begins(self, handle: BinaryIO, length: int = EDGE) -> bool:
        """Whether the file begins as it did, as far as `length` bytes (4096 at most)."""
        head = self._head[:length]
        handle.seek(0)
        return handle.read(len(head)) == head

    def ends(self, handle: BinaryIO) -> bool:
        """Whether the last bytes that were seen still stand where they stood."""
        handle.seek(self.size - len(self._tail))
        return handle.read(len(self._tail)) == self._tail

    def holds(self, handle: BinaryIO) -> bool:
        """Whether everything that was seen still stands there; reads as much."""
        other = Seen()
        other.extend(handle, self.size)
        return other.size == self.size and other._digest.digest() == self._digest.digest()
