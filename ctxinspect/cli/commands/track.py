"""`ctxinspect track`: in which requests texts stand, and what took each out or brought it back."""

from __future__ import annotations

from pathlib import Path

import click

from ctxinspect.cli.exits import Found
from ctxinspect.cli.sessions import open_replay, session_options, view_of
from ctxinspect.cli.stdio import emit, emit_prose, narrate
from ctxinspect.errors import InputError

__all__ = ["command"]


@click.command()
@click.argument("file")
@click.argument("texts", metavar="TEXT...", nargs=-1)
@click.option(
    "--from-file", "facts", metavar="FILE", help="Further texts, one a line; lines that begin with # are none."
)
@click.option("--must-survive", is_flag=True, help="Exit 1 where a text that was in is missing from a later request.")
@click.option("--view", type=click.Choice(["recorded", "replay"]), help="Default: recorded for foreign files.")
@click.option("--format", "style", type=click.Choice(["text", "json"]), default="text", show_default=True)
@session_options
def command(
    file: str,
    texts: tuple[str, ...],
    facts: str | None,
    must_survive: bool,  # noqa: FBT001 - a click flag
    view: str | None,
    style: str,
    overrides: tuple[str, ...],
    thread: str | None,
    format_name: str | None,
) -> None:
    """Track each TEXT over every request of FILE: # in, + partly, . out, one cell a request, and each change's cause.

    TEXT is a literal; without a capital it is found in any case. It is in where it stands whole in a message, partly
    where only a piece of it does (a cut component, a handle's preview, a pruned sentence).
    """
    from ctxinspect.cli.progress import progress  # noqa: PLC0415
    from ctxinspect.pipeline.track import track  # noqa: PLC0415
    from ctxinspect.view.jsonable import dump  # noqa: PLC0415
    from ctxinspect.view.track import missing_lines, track_json, track_lines  # noqa: PLC0415

    wanted = (*texts, *(_facts(facts) if facts is not None else ()))
    replay = open_replay(file, overrides, thread=thread, format_name=format_name)
    with progress("requests") as tell:
        answer = track(replay, wanted, view=view_of(replay, view, overrides), progress=tell)
    if style == "json":
        emit(dump(track_json(answer), indent=2))
    else:
        emit_prose(track_lines(answer))
    if must_survive and not answer.survived:
        for line in missing_lines(answer):
            narrate(f"missing: {line}")
        raise Found


def _facts(path: str) -> tuple[str, ...]:
    """The facts of a file, one a line. Raises InputError where it cannot be read or holds none."""
    try:
        lines = Path(path).read_text("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        msg = f"{path}: not UTF-8 text; expected one fact a line"
        raise InputError(msg) from error
    facts = tuple(line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#"))
    if not facts:
        msg = f"{path}: no fact in it; expected one a line (# begins a comment)"
        raise InputError(msg)
    return facts
