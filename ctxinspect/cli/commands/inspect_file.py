"""`ctxinspect inspect-file`: what each file is, what was read and skipped; exit 2 where one cannot be opened."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from ctxinspect.cli.exits import USAGE
from ctxinspect.cli.sessions import open_session, secrets_option
from ctxinspect.cli.stdio import emit, emit_lines, narrate
from ctxinspect.errors import CtxInspectError, InputError

__all__ = ["command"]


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@click.option("--from", "format_name", metavar="FORMAT", help="Read the files as this format.")
@click.option("--thread", metavar="ID", help="Which thread to open (default: the longest).")
@click.option("--format", "style", type=click.Choice(["text", "json"]), default="text", show_default=True)
@secrets_option
@click.pass_context
def command(
    ctx: click.Context, files: tuple[str, ...], format_name: str | None, thread: str | None, style: str
) -> None:
    """Say what a file is: format, container, records read and skipped, threads, missing parts, problems.

    A folder stands for all files in it and below.
    """
    from ctxinspect.view.inspect_file import file_facts, file_lines  # noqa: PLC0415
    from ctxinspect.view.jsonable import dump  # noqa: PLC0415

    facts: list[dict[str, Any]] = []
    failed = False
    for file, what in _expanded(files):
        if what is not None:
            facts.append({"file": file, "no_session": what})
            if style == "text":
                emit_lines([file, f"  {what}"])
            continue
        try:
            session = open_session(file, format_name=format_name, thread=thread)
        except CtxInspectError as error:
            failed = True
            message = f"{error}{_looks(file, error)}"
            narrate(f"ctxinspect: {message}")
            facts.append({"file": file, "error": message})
            continue
        if style == "json":
            facts.append(file_facts(session, file))
        else:
            emit_lines(file_lines(session, file))
    if style == "json":
        emit(dump(facts, indent=2))
    if failed:
        ctx.exit(USAGE)


def _expanded(files: tuple[str, ...]) -> Iterator[tuple[str, str | None]]:
    """The files; a folder stands for what is in it. What is no session comes with what it is instead."""
    from ctxinspect.readers.folder import list_files  # noqa: PLC0415

    for file in files:
        if file == "-" or not Path(file).is_dir():
            yield file, None
            continue
        others = 0
        for found in list_files(Path(file)):
            if found.format is not None:
                yield str(found.path), None
            elif found.telling:
                yield str(found.path), found.what
            else:
                others += 1
        if others:
            narrate(f"ctxinspect: {file}: {others} other file{'s' if others > 1 else ''} passed over, no data in them")


def _looks(file: str, error: CtxInspectError) -> str:
    """Which format the file looks like, where the error does not say so."""
    from ctxinspect.readers import sniff  # noqa: PLC0415

    if not Path(file).is_file() or not isinstance(error, InputError) or "looks like" in str(error):
        return ""
    try:
        scores = sniff(file)
    except (CtxInspectError, OSError):
        return ""
    return f" (looks like {scores[0][0]})" if scores else ""
