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
@click.option("--format", "style", type=click.Choice(["text", "json"]), default="text", show_default=True)
@secrets_option
@click.pass_context
def command(ctx: click.Context, files: tuple[str, ...], format_name: str | None, style: str) -> None:
    """Say what a file is: format, container, records read and skipped, threads, missing parts, problems."""
    from ctxinspect.view.inspect_file import file_facts, file_lines  # noqa: PLC0415
    from ctxinspect.view.jsonable import dump  # noqa: PLC0415

    facts: list[dict[str, Any]] = []
    failed = False
    for file in _expanded(files):
        try:
            session = open_session(file, format_name=format_name)
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


def _expanded(files: tuple[str, ...]) -> Iterator[str]:
    """The files; a folder stands for the sessions in it."""
    from ctxinspect.readers.folder import list_sessions  # noqa: PLC0415

    for file in files:
        if file != "-" and Path(file).is_dir():
            yield from (str(found.path) for found in list_sessions(Path(file)))
        else:
            yield file


def _looks(file: str, error: CtxInspectError) -> str:
    """Which format the file looks like, where the error does not say so."""
    from ctxinspect.readers import sniff  # noqa: PLC0415

    if file == "-" or not isinstance(error, InputError):
        return ""
    try:
        scores = sniff(file)
    except (CtxInspectError, OSError):
        return ""
    return f" (looks like {scores[0][0]})" if scores else ""
