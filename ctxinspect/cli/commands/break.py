# ruff: noqa: N999 - the file is named after its command
"""`ctxinspect break`: every position where a predicate holds. A pipe gets each as it is found."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from ctxinspect.cli.configured import colored
from ctxinspect.cli.exits import Found
from ctxinspect.cli.paint import paint_hit
from ctxinspect.cli.progress import progress
from ctxinspect.cli.sessions import open_replay, session_options, view_of
from ctxinspect.cli.stdio import emit, emit_lines, narrate

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ctxinspect.pipeline.predicate import Hit

__all__ = ["command"]


@click.command("break")
@click.argument("file")
@click.option("--on", "expression", required=True, metavar="EXPR", help="For example: topic margin<0.05")
@click.option("--first", is_flag=True, help="End at the first hit.")
@click.option("--exit-code", is_flag=True, help="Exit 1 where there is a hit.")
@click.option("--view", type=click.Choice(["recorded", "replay"]), help="Which view texts and findings are of.")
@click.option("--format", "style", type=click.Choice(["text", "json", "jsonl"]), default="text", show_default=True)
@session_options
def command(
    file: str,
    expression: str,
    first: bool,  # noqa: FBT001 - a click flag
    exit_code: bool,  # noqa: FBT001 - a click flag
    view: str | None,
    style: str,
    overrides: tuple[str, ...],
    thread: str | None,
    format_name: str | None,
) -> None:
    """Print every position of FILE where EXPR holds; kinds and fields are listed in docs/breakpoints.md."""
    from itertools import islice  # noqa: PLC0415

    from ctxinspect.pipeline.predicate import find_hits, parse  # noqa: PLC0415

    predicate = parse(expression)
    replay = open_replay(file, overrides, thread=thread, format_name=format_name)
    if "fork" in predicate.kinds and replay.base is None:
        narrate("ctxinspect: nothing is overridden, so no request diverges; give --set PATH=VALUE")
    with progress("requests looked at") as told:
        found: Iterable[Hit] = find_hits(replay, predicate, told, view=view_of(replay, view, overrides))
        found = islice(found, 1 if first else None)
        # On a terminal the progress line and the hits would overwrite each other.
        number = _emit(list(found) if style == "json" or sys.stdout.isatty() else found, style)
    if not number and style == "text":
        narrate(f"0 of {len(replay.steps)} requests match {expression}")
    if number and exit_code:
        raise Found


def _emit(hits: Iterable[Hit], style: str) -> int:
    """Write the hits to stdout; how many there were."""
    from ctxinspect.text.sanitize import one_line  # noqa: PLC0415
    from ctxinspect.view.jsonable import dump  # noqa: PLC0415

    if style == "json":
        rows = [_row(hit) for hit in hits]
        emit(dump(rows, indent=2))
        return len(rows)
    number = 0
    paint = paint_hit if style == "text" and colored() else None
    for hit in hits:
        number += 1
        emit_lines([dump(_row(hit)) if style == "jsonl" else f"{hit.address:<16} {one_line(hit.text)}"], paint)
    return number


def _row(hit: Hit) -> dict[str, Any]:
    """A hit as JSON: its address whole and in parts, and its line."""
    return {
        "address": hit.address,
        "turn": hit.step.turn,
        "request": hit.step.request,
        "stage": hit.stage or None,
        "decision": hit.number,
        "text": hit.text,
    }
