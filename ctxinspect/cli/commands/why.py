"""`ctxinspect why`: every place where a text occurs, its fate in one request, and what would have kept it."""

from __future__ import annotations

import click

from ctxinspect.cli.sessions import open_replay, session_options, view_of
from ctxinspect.cli.stdio import emit, emit_prose
from ctxinspect.view.address import parse_turn

__all__ = ["command"]


@click.command()
@click.argument("file")
@click.argument("text")
@click.option("--turn", required=True, metavar="N", help="Turn number, or an address such as t4r1.")
@click.option("--request", type=int, metavar="R", help="Request of the turn (default: its last).")
@click.option("--view", type=click.Choice(["recorded", "replay"]), help="Default: recorded for foreign files.")
@click.option("--flips", type=click.IntRange(min=0), default=8, show_default=True, metavar="N",
              help="For how many places that are out to search what would keep them.")  # fmt: skip
@click.option("--format", "style", type=click.Choice(["text", "json"]), default="text", show_default=True)
@session_options
def command(
    file: str,
    text: str,
    turn: str,
    request: int | None,
    view: str | None,
    flips: int,
    style: str,
    overrides: tuple[str, ...],
    thread: str | None,
    format_name: str | None,
) -> None:
    """Say why TEXT is or is not in one request of FILE: each place, stage by stage, and verified flips.

    TEXT is a literal; without a capital it is found in any case. A flip is a setting that would have kept it; each was
    replayed before it is printed. x marks the stages that took it out.
    """
    from ctxinspect.cli.progress import progress  # noqa: PLC0415
    from ctxinspect.pipeline.plan import Step  # noqa: PLC0415
    from ctxinspect.pipeline.why import why  # noqa: PLC0415
    from ctxinspect.view.jsonable import dump  # noqa: PLC0415
    from ctxinspect.view.why import why_json, why_lines  # noqa: PLC0415

    replay = open_replay(file, overrides, thread=thread, format_name=format_name)
    chosen = view_of(replay, view, overrides)
    address = parse_turn(turn)
    step: Step = replay.step(address.turn, address.request if request is None else request)
    with progress("places searched") as tell:
        answer = why(replay, step, text, view=chosen, flips=flips, progress=tell)
    if style == "json":
        emit(dump(why_json(answer), indent=2))
    else:
        emit_prose(why_lines(answer))
