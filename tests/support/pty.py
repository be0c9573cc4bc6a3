"""The program on a pseudo-terminal, read by a terminal emulator: what a person sees, and how many bytes it took."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Self

import pyte

__all__ = ["Terminal"]

_QUIET = 0.15
"""Seconds without a byte after which the screen is taken as drawn."""
_PATIENCE = 25.0
"""Seconds after which waiting is given up."""


class Terminal:
    """`python -m ctxinspect ARGUMENTS` on a terminal of `size` columns and rows; use it as a context manager."""

    def __init__(
        self,
        arguments: Sequence[str],
        *,
        size: tuple[int, int] = (80, 24),
        env: Mapping[str, str | None] | None = None,
        stdin: Path | None = None,
    ) -> None:
        self.size = size
        self.screen = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self.screen)
        self.received = bytearray()
        changed = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": None, "TMUX": None, **(env or {})}
        environ = {**os.environ, **{name: value for name, value in changed.items() if value is not None}}
        for name, value in changed.items():
            if value is None:
                environ.pop(name, None)
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            try:
                fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
                if stdin is not None:
                    os.dup2(os.open(stdin, os.O_RDONLY), 0)
                os.execve(sys.executable, [sys.executable, "-m", "ctxinspect", *arguments], environ)
            finally:
                os._exit(127)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(self.pid, 0)
        os.close(self.fd)

    def resize(self, columns: int, rows: int) -> None:
        """Another size, told to the program as a terminal tells it."""
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.screen.resize(rows, columns)
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGWINCH)

    def _read(self, patience: float) -> bool:
        """Take what comes within so many seconds; false where nothing did, or the program has ended."""
        ready, _, _ = select.select([self.fd], [], [], patience)
        if not ready:
            return False
        try:
            data = os.read(self.fd, 65536)
        except OSError:  # the other side is closed
            return False
        self.received += data
        # The emulator has no answers to questions about modes; programs do without.
        self._stream.feed(data.replace(b"\x1b[?2026h", b"").replace(b"\x1b[?2026l", b""))
        return bool(data)

    @property
    def lines(self) -> list[str]:
        """The screen."""
        return [line.rstrip() for line in self.screen.display]

    @property
    def text(self) -> str:
        """The screen as one text."""
        return "\n".join(self.lines)

    def settle(self) -> None:
        """Wait until nothing more comes."""
        while self._read(_QUIET):
            pass

    def until(self, seen: str | Callable[[str], bool]) -> str:
        """Wait until a text is on the screen, and the screen is quiet; what is on it."""
        end = time.monotonic() + _PATIENCE
        holds = seen if callable(seen) else lambda text: seen in text
        while not holds(self.text):
            if time.monotonic() > end:
                msg = f"not seen within {_PATIENCE} s: {seen!r}\n{self.text}"
                raise AssertionError(msg)
            self._read(0.05)
        self.settle()
        return self.text

    def press(self, keys: str) -> int:
        """Type, wait until the screen is quiet; how many bytes came back."""
        before = len(self.received)
        os.write(self.fd, keys.encode())
        self._read(2.0)
        self.settle()
        return len(self.received) - before

    def wait(self) -> int:
        """Wait for the end: the exit code."""
        end = time.monotonic() + _PATIENCE
        while time.monotonic() < end:
            self._read(0.05)
            done, status = os.waitpid(self.pid, os.WNOHANG)
            if done:
                self.settle()
                return os.waitstatus_to_exitcode(status)
        msg = f"still running after {_PATIENCE} s\n{self.text}"
        raise AssertionError(msg)
