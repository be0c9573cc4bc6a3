"""`ctxinspect eval`: gate and recall of one or more sessions against their topic labels."""

from __future__ import annotations

import click

from ctxinspect.cli.exits import USAGE
from ctxinspect.cli.sessions import open_replay, session_options
from ctxinspect.cli.stdio import emit, emit_prose, narrate
from ctxinspect.errors import CtxInspectError, InputError

__all__ = ["command"]


@click.command("eval")
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@click.option("--each", is_flag=True, help="One row for every switch and every missed label change.")
@click.option("--format", "style", type=click.Choice(["text", "json"]), default="text", show_default=True)
@session_options
def command(
    files: tuple[str, ...],
    each: bool,  # noqa: FBT001 - a click flag
    style: str,
    overrides: tuple[str, ...],
    thread: str | None,
    format_name: str | None,
) -> None:
    """Measure the topic gate and recall against the labels (turns[].topic) of each FILE."""
    from ctxinspect.cli.progress import progress  # noqa: PLC0415
    from ctxinspect.pipeline.evaluate import Evaluation, evaluate  # noqa: PLC0415
    from ctxinspect.view.evaluation import (  # noqa: PLC0415
        evaluation_lines,
        evaluation_value,
        switch_table,
        total_lines,
    )
    from ctxinspect.view.jsonable import dump  # noqa: PLC0415

    results: list[tuple[str, Evaluation]] = []
    for file in files:
        try:
            replay = open_replay(file, overrides, thread=thread, format_name=format_name)
            if all(turn.topic is None for turn in replay.session.turns):
                raise InputError("no turn has a topic label", file=file, remedy="expected turns[].topic in some turns")
        except (CtxInspectError, OSError) as error:
            if len(files) == 1:
                raise
            narrate(f"ctxinspect: {error}")
            continue
        with progress(f"{file}: turn") as tell:
            results.append((file, evaluate(replay, progress=tell)))
    if style == "json":
        emit(dump({"format": "ctxinspect-eval/1", "files": [evaluation_value(*item) for item in results]}, indent=2))
    else:
        for name, result in results:
            emit_prose(evaluation_lines(name, result))
            if each:
                emit_prose(switch_table(result))
        if len(results) > 1:
            emit_prose(total_lines([result for _, result in results]))
    if len(results) < len(files):
        raise click.exceptions.Exit(USAGE)
