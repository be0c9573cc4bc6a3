"""The terminal inspector; the only package that knows Textual, and it loads it only once a terminal is there to use."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ctxinspect.errors import InputError, UsageError

if TYPE_CHECKING:
    from ctxinspect.config import Config

__all__ = ["require_terminal", "run"]

_HEADLESS = "without a terminal use `ctxinspect trace FILE --turn N` or `ctxinspect lint FILE`"


def require_terminal() -> None:
    """Refuse where nothing could be drawn. Raises UsageError naming the headless commands; Textual would hang."""
    term = os.environ.get("TERM", "")
    if term in ("", "dumb"):
        msg = f"the inspector needs a terminal, and TERM is {term or 'empty'!r}; {_HEADLESS}"
        raise UsageError(msg)
    # Textual draws on stderr, so that stdout may be a pipe.
    if not sys.stderr.isatty():
        msg = f"the inspector needs a terminal on standard error; {_HEADLESS}"
        raise UsageError(msg)
    if not sys.stdin.isatty():
        try:
            os.close(os.open("/dev/tty", os.O_RDWR))
        except OSError:
            msg = f"the inspector needs a keyboard, and standard input is no terminal; {_HEADLESS}"
            raise UsageError(msg) from None


def run(
    file: str | None,
    *,
    at: str | None = None,
    view: str | None = None,
    overrides: Sequence[str] = (),
    thread: str | None = None,
    format_name: str | None = None,
    show_secrets: bool = False,
    config: Config | None = None,
) -> None:
    """Open the inspector on a session file (`-` is standard input), or the picker where there is none.

    Raises UsageError without a terminal or for a bad address, InputError for a file that cannot be read.
    """
    if file is not None and file != "-" and not Path(file).exists():
        raise InputError("no such file", file=file, remedy="check the path; `ctxinspect --help` lists the commands")
    if file != "-":
        require_terminal()
    from ctxinspect.config import Config as Options  # noqa: PLC0415 - pydantic, likewise
    from ctxinspect.tui.launch import launch  # noqa: PLC0415 - Textual is loaded only past the refusals

    launch(
        file,
        at=at,
        view=view,
        overrides=overrides,
        thread=thread,
        format_name=format_name,
        show_secrets=show_secrets,
        config=config or Options(),
    )
