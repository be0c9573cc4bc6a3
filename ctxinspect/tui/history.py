"""What was typed before, by kind of question; kept in a file of the user's state folder where there is one.

Losing the file is never an error. It is readable by its owner only, since questions quote what sessions hold.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from pathlib import Path

__all__ = ["History"]


class History:
    """The last `size` answers of every kind of question, oldest first."""

    def __init__(self, size: int = 500, file: Path | None = None) -> None:
        self._size = size
        self._file = file
        self._kept: dict[str, list[str]] = {}
        if file is not None:
            with contextlib.suppress(OSError, ValueError):
                found = json.loads(file.read_text("utf-8"))
                for kind, texts in found.items() if isinstance(found, dict) else ():
                    if isinstance(texts, list):
                        self._kept[kind] = self._last([text for text in texts if isinstance(text, str)])

    def of(self, kind: str) -> list[str]:
        """What was answered to questions of this kind."""
        return self._kept.get(kind, [])

    def keep(self, kind: str, text: str) -> None:
        """Add an answer, unless it is the last one again."""
        kept = self._kept.get(kind, [])
        if kept[-1:] != [text]:
            self._kept[kind] = self._last([*kept, text])
            self._write()

    def _last(self, texts: list[str]) -> list[str]:
        return texts[-self._size :] if self._size else []

    def _write(self) -> None:
        if self._file is None:
            return
        with contextlib.suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self._file.parent, prefix=f".{self._file.name}.")
            with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as out:
                json.dump(self._kept, out, ensure_ascii=False)
            Path(name).replace(self._file)
