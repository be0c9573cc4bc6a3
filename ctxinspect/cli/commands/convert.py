"""`ctxinspect convert`: a session, or one request of it, as the body of another API; what is lost goes to stderr."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ctxinspect.cli.progress import progress
from ctxinspect.cli.sessions import open_replay, session_options, view_of
from ctxinspect.cli.stdio import emit_lines, narrate, write_atomically
from ctxinspect.errors import UsageError
from ctxinspect.view.address import parse_turn

if TYPE_CHECKING:
    from ctxinspect.dialects import Target
    from ctxinspect.pipeline.convert import Converted
    from ctxinspect.pipeline.replay import Replay, View
    from ctxinspect.view.losses import Gathered

__all__ = ["command"]

_TARGETS = ["native", "openai", "openai-responses", "anthropic", "gemini"]


@click.command()
@click.argument("file")
@click.option("--to", "target", required=True, type=click.Choice(_TARGETS), help="The format to write.")
@click.option("--turn", metavar="N", help="One request: a turn, an address such as t4r1, or `all` (one body a line).")
@click.option("--request", type=int, metavar="R", help="Request of the turn (default: its last).")
@click.option("--view", type=click.Choice(["recorded", "replay"]), help="Default: recorded for foreign files.")
@click.option("--answer", is_flag=True, help="With --turn: add what the model answered.")
@click.option("--repair", is_flag=True, help="Write a sequence with every call answered once; says what it changes.")
@click.option("--model", metavar="NAME", help="The model to write, instead of the recorded one.")
@click.option("--format", "style", type=click.Choice(["json", "jsonl"]), help="Default: json; jsonl for --turn all.")
@click.option("-o", "--out", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Write there.")
@click.option("--losses", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE", help="Every loss, as JSONL.")
@session_options
def command(
    file: str,
    target: str,
    turn: str | None,
    request: int | None,
    view: str | None,
    answer: bool,  # noqa: FBT001 - a click flag
    repair: bool,  # noqa: FBT001 - a click flag
    model: str | None,
    style: str | None,
    out: Path | None,
    losses: Path | None,
    overrides: tuple[str, ...],
    thread: str | None,
    format_name: str | None,
) -> None:
    """Write FILE in another format: the whole conversation, or with --turn one request as it was sent.

    What the target cannot hold is listed on stderr.
    """
    _check(target, turn=turn, request=request, view=view, answer=answer, model=model, style=style)
    replay = open_replay(file, overrides, thread=thread, format_name=format_name)
    chosen = "replay" if target == "native" else view_of(replay, view, overrides)
    if overrides and turn is None and target != "native":
        msg = "--set changes how requests are built: with --to " + target + " name one with --turn, or --turn all"
        raise UsageError(msg)
    convert = _converter(replay, target, chosen, repair=repair, answer=answer, model=model)
    from ctxinspect.view.losses import Gathered  # noqa: PLC0415

    gathered = Gathered()
    lines = _lines(
        _converted(replay, chosen, convert, turn, request), gathered, target, "jsonl" if turn == "all" else style
    )
    if out is None:
        emit_lines(lines)
    else:
        write_atomically(out, "".join(f"{line}\n" for line in lines))
    _report(_recorded_in(replay, file), gathered, losses)


def _check(
    target: str,
    *,
    turn: str | None,
    request: int | None,
    view: str | None,
    answer: bool,
    model: str | None,
    style: str | None,
) -> None:
    """Refuse options that do not fit together. Raises UsageError saying what would be right."""
    if target == "native":
        unfit = {"--view": view, "--answer": answer or None, "--model": model}
        unfit |= {"--turn all": turn if turn == "all" else None}
        given = next((name for name, value in unfit.items() if value is not None), None)
        if given is not None:
            msg = f"{given} does not go with --to native: that is the session itself, with every view and request of it"
            raise UsageError(msg)
    if turn == "all" and style == "json":
        raise UsageError("--turn all gives one JSON object a line: use --format jsonl, not json")
    if request is not None and turn in (None, "all"):
        raise UsageError("--request needs --turn N: which turn's request it is")
    if answer and turn is None:
        raise UsageError("--answer goes with --turn: without it the whole conversation is written, answers included")


def _converter(
    replay: Replay, target: str, view: View, *, repair: bool, answer: bool, model: str | None
) -> Callable[[Any], Converted]:
    """What converts one step, or the whole session where the step is None."""
    from ctxinspect.dialects import WRITERS  # noqa: PLC0415
    from ctxinspect.pipeline.convert import convert_native, convert_request, convert_session  # noqa: PLC0415

    wire: Target | None = next((name for name in WRITERS if name == target), None)

    def convert(step: Any) -> Converted:
        if wire is None:
            return convert_native(replay, step, repair=repair)
        if step is None:
            return convert_session(replay, wire, view=view, repair=repair, model=model)
        return convert_request(replay, step, wire, view=view, repair=repair, answer=answer, model=model)

    return convert


def _converted(
    replay: Replay, view: View, convert: Callable[[Any], Converted], turn: str | None, request: int | None
) -> Iterator[Converted]:
    from ctxinspect.pipeline.convert import request_steps  # noqa: PLC0415

    if turn is None:
        yield convert(None)
    elif turn == "all":
        steps = request_steps(replay, view)
        with progress("requests written") as told:
            for done, step in enumerate(steps):
                told(done, len(steps))
                yield convert(step)
    else:
        address = parse_turn(turn)
        yield convert(replay.step(address.turn, address.request if request is None else request))


def _lines(results: Iterator[Converted], gathered: Gathered, target: str, style: str | None) -> Iterator[str]:
    """The bodies as text, one at a time; what each lost is gathered on the way."""
    from ctxinspect.dialects.native import native_lines  # noqa: PLC0415
    from ctxinspect.view.jsonable import dump  # noqa: PLC0415

    for result in results:
        gathered.add(result)
        if style != "jsonl":
            yield dump(result.body, indent=2)
        else:
            yield from map(dump, native_lines(result.body) if target == "native" else [result.body])


def _recorded_in(replay: Replay, file: str) -> str:
    """The file whose lines the places name: the one a native session with a recording says it was read from."""
    from ctxinspect.model.session import Source  # noqa: PLC0415

    source = replay.session.source
    return source.file if isinstance(source, Source) and source.file and replay.session.recorded else file


def _report(file: str, gathered: Gathered, losses: Path | None) -> None:
    """Say what was changed and lost: a line for each kind, and with `losses` every single one in a file."""
    from ctxinspect.view.jsonable import dump  # noqa: PLC0415
    from ctxinspect.view.losses import change_lines, loss_lines, loss_records  # noqa: PLC0415

    for line in (*change_lines(file, gathered.changes), *loss_lines(file, gathered.losses)):
        narrate(line)
    if losses is not None:
        write_atomically(losses, "".join(f"{dump(record)}\n" for record in loss_records(gathered)))
