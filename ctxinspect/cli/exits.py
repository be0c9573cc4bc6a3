"""Errors to exit codes, in one place.

0 fine; 1 a finding, a difference or a hit that was asked to count; 2 bad usage, an unreadable file, no terminal (one
line on stderr); 3 an internal error (traceback in a log file, one line on stderr); 130 interrupt; a closed pipe ends
silently.
"""

from __future__ import annotations

import contextlib
import os
import sys
import traceback
from pathlib import Path

import click

from ctxinspect.cli.stdio import PipeClosed, narrate
from ctxinspect.errors import CtxInspectError

__all__ = ["FOUND", "INTERNAL", "INTERRUPTED", "USAGE", "Found", "guarded"]

FOUND, USAGE, INTERNAL, INTERRUPTED = 1, 2, 3, 130


class Found(Exception):  # noqa: N818 - not an error: something was found that the caller counts
    """What was looked for was found: exit code 1, nothing printed."""


def guarded(command: click.Command, arguments: list[str]) -> int:
    """Run a click command and return its exit code; every failure is one line on stderr."""
    try:
        result = command.main(args=arguments, prog_name="ctxinspect", standalone_mode=False)
    except Found:
        return FOUND
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except click.NoSuchOption as error:
        hint = "" if error.possibilities else " A text or a file that begins with a dash stands behind --."
        narrate(f"ctxinspect: {error.format_message()}{hint}")
        return USAGE
    except click.ClickException as error:
        narrate(f"ctxinspect: {error.format_message()}")
        return USAGE
    except CtxInspectError as error:
        narrate(f"ctxinspect: {error}")
        return USAGE
    except PipeClosed:
        _silence_stdout()
        return 0
    except OSError as error:
        narrate(f"ctxinspect: {error.filename or 'input'}: {error.strerror or error}")
        return USAGE
    except Exception as error:  # noqa: BLE001 - the last guard: a traceback never reaches the terminal
        log = _write_log()
        narrate(f"ctxinspect: internal error: {type(error).__name__}: {error}; the traceback is in {log}")
        return INTERNAL
    return result if isinstance(result, int) else 0


def _silence_stdout() -> None:
    """Point stdout at nothing, so that the interpreter's last flush cannot complain."""
    with contextlib.suppress(OSError, ValueError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())


def _write_log() -> Path:
    """Write the current traceback where the user's logs live; fall back to the temporary directory."""
    from platformdirs import user_log_path  # noqa: PLC0415 - only on this path

    try:
        folder = user_log_path("ctxinspect", appauthor=False, ensure_exists=True)
        path = folder / "error.log"
        path.write_text(traceback.format_exc(), encoding="utf-8")
    except OSError:
        import tempfile  # noqa: PLC0415

        path = Path(tempfile.gettempdir()) / "ctxinspect-error.log"
        path.write_text(traceback.format_exc(), encoding="utf-8")
    return path
