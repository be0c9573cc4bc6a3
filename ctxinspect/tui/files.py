"""Files the inspector writes: whole or not at all, never over another file unless asked to, private where they are copies."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from ctxinspect.errors import UsageError

__all__ = ["write_new", "write_private"]


def write_new(path: Path, data: bytes, *, replace: bool = False) -> None:
    """Write a file that was not there, or with `replace` in the place of one.

    Raises UsageError where the file is there, OSError where it cannot be written.
    """
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:80]}.")
    beside = Path(name)
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
        beside.chmod(0o666 & ~_umask())
        if replace:
            beside.replace(path)
            return
        try:
            os.link(beside, path)  # fails where another file stands there by now, which a rename would not
        except FileExistsError:
            msg = f"{path} is there already; give another name, or end it with ! to write over it"
            raise UsageError(msg) from None
        except OSError:  # a file system without links
            if path.exists():
                msg = f"{path} is there already; give another name, or end it with ! to write over it"
                raise UsageError(msg) from None
            beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def write_private(path: Path, data: bytes) -> Path:
    """Write a file that only its owner can read, under this name or the next free one; the path it got."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    at = 0
    while True:
        free = path if not at else path.with_stem(f"{path.stem}-{at}")
        try:
            handle = os.open(free, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            at += 1
            continue
        with os.fdopen(handle, "wb") as out:
            out.write(data)
        return free
