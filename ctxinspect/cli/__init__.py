"""The command line: one command, one file. Data goes to stdout, everything else to stderr.

Importing this package imports no command; each is loaded when it is asked for, so that `--version` costs little.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["run"]


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code (see `exits`); never a traceback on the terminal."""
    from ctxinspect.cli.exits import guarded  # noqa: PLC0415 - `import ctxinspect.cli` stays cheap
    from ctxinspect.cli.group import cli  # noqa: PLC0415

    return guarded(cli, list(arguments))
