"""Opens a file or a byte string for reading, unpacked: what comes out is never more than the cap.

Gzip and zstd are streamed; a zip is listed, and its members are read one at a time. UTF-16 text comes out as UTF-8.
"""

from __future__ import annotations

import codecs
import gzip
import io
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Literal, cast

from ctxinspect.errors import InputError

__all__ = ["RATIO_CAP", "SMALL_CAP", "UNPACKED_CAP", "ByteSource", "Packing"]

UNPACKED_CAP = 2_000_000_000
"""Bytes that a compressed file may unpack to, all its members together; more is refused."""

SMALL_CAP = 256_000_000
RATIO_CAP = 500
"""Beyond `SMALL_CAP` a file may unpack to this many times its own size: no recording does, and a bomb does at once."""

Packing = Literal["plain", "gzip", "zstd", "zip"]
_ZSTD_METHOD = 93
_LOCAL_HEADER = struct.Struct("<26xHH")
_DAMAGE = (gzip.BadGzipFile, EOFError, zlib.error, zipfile.BadZipFile)


class ByteSource:
    """Bytes that can be opened again and again: a file, or a string of bytes. `size` is as stored, packed.

    A named pipe gives its bytes once: it is read to its end at once, and `path` is None.

    `show_secrets` says whether those who read it leave keys and tokens in what they read.
    """

    def __init__(self, data: bytes | None, path: Path | None, name: str, *, show_secrets: bool = False) -> None:
        self.show_secrets = show_secrets
        self._taken = 0
        self.outer: Packing = "plain"
        """What the bytes were unpacked from before they came here."""
        if path is not None and _flows(path):
            data, path = path.read_bytes(), None
        self.path = path
        self.name = name
        self._data = data
        self.size = len(data) if data is not None else (path.stat().st_size if path else 0)
        with self._raw() as handle:
            head = handle.read(4)
        self.packing: Packing = "plain"
        if head.startswith(b"\x1f\x8b"):
            self.packing = "gzip"
        elif head.startswith(b"\x28\xb5\x2f\xfd"):
            self.packing = "zstd"
        elif head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
            self.packing = "zip"
        elif head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) and not head.startswith(b"\xff\xfe\0\0"):
            self._data = self.read().decode("utf-16", errors="replace").encode("utf-8", errors="replace")

    def _raw(self) -> BinaryIO:
        if self._data is not None:
            return io.BytesIO(self._data)
        assert self.path is not None
        return self.path.open("rb")

    @contextmanager
    def open(self) -> Iterator[tuple[BinaryIO, BinaryIO]]:
        """The unpacked stream, and the stored one whose position tells how far reading has come."""
        raw = self._raw()
        try:
            yield self._unpacked(raw), raw
        except _DAMAGE as error:
            msg = f"the {self.packing} data is damaged ({error})"
            raise InputError(msg, file=self.name, remedy="unpack it by hand") from error
        finally:
            raw.close()

    def _unpacked(self, raw: BinaryIO) -> BinaryIO:
        if self.packing == "gzip":
            return cast("BinaryIO", gzip.GzipFile(fileobj=raw))
        if self.packing == "zstd":
            return cast("BinaryIO", io.BufferedReader(_zstd_stream(raw, self.name)))
        return raw

    def read(self) -> bytes:
        """Everything, unpacked. Raises InputError where it is more than the cap."""
        with self.open() as (handle, _):
            data = handle.read(self.limit + 1) if self.packing != "plain" else handle.read()
        self.check(len(data))
        return data

    @property
    def limit(self) -> int:
        """Bytes that it may unpack to."""
        return min(UNPACKED_CAP, max(SMALL_CAP, RATIO_CAP * self.size))

    def check(self, unpacked: int) -> None:
        """Raises InputError where this many unpacked bytes are more than the cap."""
        if self.packing != "plain" and unpacked > self.limit:
            msg = f"unpacks to more than {self.limit} bytes"
            raise InputError(msg, file=self.name, remedy="unpack it and open a part of it")

    def members(self) -> tuple[str, ...]:
        """Names of the files in a zip, in its own order; empty for everything else."""
        if self.packing != "zip":
            return ()
        with self.open() as (handle, _), zipfile.ZipFile(handle) as archive:
            return tuple(entry.filename for entry in archive.infolist() if not entry.is_dir())

    def member(self, name: str) -> bytes:
        """One member of a zip, unpacked; methods stored, deflate, bzip2, lzma and zstd. Raises InputError."""
        with self.open() as (handle, raw), zipfile.ZipFile(handle) as archive:
            entry = archive.getinfo(name)
            self.check(self._taken + entry.file_size)
            room = self.limit - self._taken
            if entry.compress_type != _ZSTD_METHOD:
                with archive.open(entry) as stream:
                    data = stream.read(room + 1)
            else:
                raw.seek(entry.header_offset)
                name_size, extra_size = _LOCAL_HEADER.unpack(raw.read(30))
                raw.seek(entry.header_offset + 30 + name_size + extra_size)
                packed = io.BytesIO(raw.read(entry.compress_size))
                data = io.BufferedReader(_zstd_stream(packed, self.name)).read(room + 1)
        self._taken += len(data)
        self.check(self._taken)
        return data


def _flows(path: Path) -> bool:
    """Whether this is a pipe (`<(command)` of a shell is one too). Raises OSError where there is no such file."""
    return stat.S_ISFIFO(path.stat().st_mode)


def _zstd_stream(raw: BinaryIO, name: str) -> io.RawIOBase:
    try:
        import zstandard  # noqa: PLC0415 (optional)
    except ImportError as error:
        raise InputError(
            "the file is packed with zstd, and the zstandard package is not installed",
            file=name,
            remedy="pip install 'ctxinspect[zstd]', or unpack it",
        ) from error
    return cast("io.RawIOBase", zstandard.ZstdDecompressor().stream_reader(raw, read_across_frames=True))
