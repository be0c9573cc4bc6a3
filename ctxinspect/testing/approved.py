"""Approved contexts beside a test: compared by cause, and written only where approval was asked for."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ctxinspect.cli.stdio import write_atomically
from ctxinspect.errors import InputError
from ctxinspect.testing.opened import SessionLike, replay_of
from ctxinspect.view.snapshot import snapshot_text
from ctxinspect.view.snapshot_diff import compare

__all__ = ["ContextSnapshot"]

_STRANGE = re.compile(r"[^\w.-]+")
_LONGEST = 200
"""Bytes of a name; file systems take 255."""
_SHOWN = 40
"""Differences that a failure prints; more are counted."""


class ContextSnapshot:
    """Compares a session's whole context with the approved one in `folder`.

    `NAME.context.txt` there is the approved text; `approving` writes it instead, and only then. `test` is the test's
    name in its file, with its class. What a file name cannot hold is a dash there, and a digest tells such names apart.
    """

    def __init__(self, folder: Path, test: str, *, approving: bool = False) -> None:
        self._folder = folder
        self._test = test
        self._approving = approving
        self._names: set[str] = set()

    def __call__(
        self, session: SessionLike, name: str | None = None, *, settings: Mapping[str, Any] | None = None
    ) -> None:
        """Compare `session` under `settings`; a second one in the same test needs a `name` of its own.

        Raises AssertionError where it differs or was never approved, InputError where the approved file is none.
        """
        __tracebackhide__ = True
        path = self.path(name)
        if path.name in self._names:
            msg = f"{path.name} was compared already in this test; give the second one a name of its own"
            raise AssertionError(msg)
        self._names.add(path.name)
        text = snapshot_text(replay_of(session, settings))
        if self._approving:
            write_atomically(path, text)
            return
        if not path.exists():
            msg = f"no approved context {path}; look at it and approve it with `pytest --approve-contexts`"
            raise AssertionError(msg)
        try:
            approved = path.read_bytes().decode("utf-8").replace("\r\n", "\n")
        except UnicodeDecodeError as error:
            raise InputError("not UTF-8", file=str(path), remedy="restore the approved context") from error
        lines = list(compare(approved, text, str(path)).lines(_SHOWN))
        if lines:
            hint = f"approved: {path}; approve the new one with `pytest --approve-contexts`"
            raise AssertionError("\n".join([*lines, hint]))

    def path(self, name: str | None = None) -> Path:
        """Where the approved text of this test (and name) stands; no two tests of a file share one."""
        stem = self._test if name is None else f"{self._test}.{name}"
        readable = _STRANGE.sub("-", stem).strip("-").encode()[:_LONGEST].decode(errors="ignore")
        plain = re.sub(r"::|\[", "-", stem.removesuffix("]"))
        if readable != plain:
            readable += "-" + hashlib.sha256(stem.encode("utf-8", errors="surrogatepass")).hexdigest()[:8]
        return self._folder / f"{readable}.context.txt"
