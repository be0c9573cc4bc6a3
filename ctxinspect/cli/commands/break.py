# ruff: noqa: N999 - the file is named after its command
"""`ctxinspect break`: every position where a predicate holds, as it is found."""

from __future__ import annotations

import json

import click

from ctxinspect.cli.exits import Found
from ctxinspect.cli.sessions import open_replay, session_options
from ctxinspect.cli.stdio import emit_lines

__all__ = ["command"]


@click.command("break")
@click.argument("file")
@click.option("--on", "expression", required=True, metavar="EXPR", help="For example: topic margin<0.05")
@click.option("--first", is_flag=True, help="Stop at the first hit.")
@click.option("--exit-code", is_flag=True, help="Exit 1 where there is a hit.")
@click.option("--format", "style", type=click.Choice(["text", "json"]), default="text", show_default=True)
@session_options
def command(
    file: str,
    expression: str,
    first: bool,  # noqa: FBT001 - a click flag
    exit_code: bool,  # noqa: FBT001 - a click flag
    style: str,
    overrides: tuple[str, ...],
    thread: str | None,
    format_name: str | None,
) -> None:
    """Print every position of FILE where EXPR holds; kinds and fields are listed in docs/breakpoints.md."""
    from itertools import islice  # noqa: PLC0415

    from ctxinspect.pipeline.predicate import find_hits, parse  # noqa: PLC0415
    from ctxinspect.text.sanitize import one_line  # noqa: PLC0415

    predicate = parse(expression)
    replay = open_replay(file, overrides, thread=thread, format_name=format_name)
    found = list(islice(find_hits(replay, predicate), 1 if first else None))
    if style == "json":
        emit_lines([json.dumps([hit._asdict() for hit in found], ensure_ascii=False, indent=2)])
    else:
        emit_lines(f"{hit.address:<16} {one_line(hit.text)}" for hit in found)
    if found and exit_code:
        raise Found
