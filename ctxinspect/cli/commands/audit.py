"""`ctxinspect audit`: a corpus of sessions into one table, a row a session; what cannot be read has a row too."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ctxinspect.cli.exits import USAGE
from ctxinspect.cli.progress import progress
from ctxinspect.cli.sessions import open_replay, session_files, session_options
from ctxinspect.cli.stdio import emit, narrate, write_atomically
from ctxinspect.errors import CtxInspectError, SettingsError

if TYPE_CHECKING:
    from ctxinspect.view.audit import AuditRow

__all__ = ["command"]


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH…")
@click.option("--out", metavar="FILE", help="Write here; .csv, .json or .jsonl (default: CSV on stdout).")
@session_options
def command(
    paths: tuple[str, ...], out: str | None, overrides: tuple[str, ...], thread: str | None, format_name: str | None
) -> None:
    """Write one row a session: size, tokens, cache, usage, findings. A folder stands for the sessions in it.

    A file that cannot be read has a row with the problem and makes the exit code 2.
    """
    from ctxinspect.view.audit import audit_text, format_of  # noqa: PLC0415

    style = format_of(out) if out else "csv"
    rows = [_row(file, overrides, thread, format_name) for file in session_files(paths)]
    text = audit_text(rows, style)
    if out:
        write_atomically(Path(out), text)
        unread = sum(row.problem is not None for row in rows)
        narrate(f"{out}: {_count(len(rows) - unread, 'session')}, {_count(unread, 'file')} that could not be read")
    else:
        emit(text)
    if any(row.problem is not None for row in rows):
        raise click.exceptions.Exit(USAGE)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _row(file: str, overrides: tuple[str, ...], thread: str | None, format_name: str | None) -> AuditRow:
    from ctxinspect.view.audit import audit_row, unread_row  # noqa: PLC0415

    try:
        replay = open_replay(file, overrides, thread=thread, format_name=format_name)
        with progress(f"{file}: requests counted") as told:
            return audit_row(file, replay, progress=told)
    except SettingsError:
        raise
    except (CtxInspectError, OSError) as error:
        problem = str(error) if isinstance(error, CtxInspectError) else f"{file}: {error.strerror or error}"
        narrate(f"ctxinspect: {problem}")
        return unread_row(file, problem)
