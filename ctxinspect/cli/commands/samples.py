"""`ctxinspect samples`: the sample sessions that come with the program."""

from __future__ import annotations

import click

from ctxinspect.cli.stdio import emit, emit_lines
from ctxinspect.errors import UsageError
from ctxinspect.text.nearest import nearest

__all__ = ["command"]


@click.command()
@click.argument("name", required=False)
@click.option("--path", "path_of", metavar="NAME", help="Print the path of one sample, for other commands.")
def command(name: str | None, path_of: str | None) -> None:
    """List the sample sessions, or open NAME in the inspector."""
    from ctxinspect.readers.samples import sample_paths  # noqa: PLC0415

    known = sample_paths()
    wanted = (name or path_of or "").removesuffix(".json")
    if wanted and wanted not in known:
        msg = f"no sample {wanted!r}; {nearest(wanted, list(known)) or 'samples: ' + ', '.join(known)}"
        raise UsageError(msg)
    if path_of:
        emit(str(known[wanted]))
    elif name:
        from ctxinspect.tui import run  # noqa: PLC0415 - Textual is loaded only here

        run(str(known[wanted]))
    else:
        width = max(map(len, known), default=0)
        emit_lines(f"{sample:<{width}}  {path}" for sample, path in known.items())
