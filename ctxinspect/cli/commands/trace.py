"""`ctxinspect trace`: one request, whole, in any format; or every request, one object a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ctxinspect.cli.sessions import open_replay, session_options, view_of
from ctxinspect.cli.stdio import emit, emit_lines
from ctxinspect.errors import UsageError
from ctxinspect.view.address import parse_turn

if TYPE_CHECKING:
    from ctxinspect.pipeline.replay import Replay, View

__all__ = ["command"]

_FORMATS = ["json", "jsonl", "text", "md", "svg", "html"]


@click.command()
@click.argument("file")
@click.option("--turn", required=True, metavar="N", help="Turn number, an address such as t4r1, or `all`.")
@click.option("--request", type=int, metavar="R", help="Request of the turn (default: its last).")
@click.option("--view", type=click.Choice(["recorded", "replay"]), help="Default: recorded for foreign files.")
@click.option("--format", "style", type=click.Choice(_FORMATS), default="text", show_default=True)
@click.option("--ledger", is_flag=True, help="With --turn all: every candidate's fate too (quadratic).")
@session_options
def command(
    file: str,
    turn: str,
    request: int | None,
    view: str | None,
    style: str,
    ledger: bool,  # noqa: FBT001 - a click flag
    overrides: tuple[str, ...],
    thread: str | None,
    format_name: str | None,
) -> None:
    """Print what one request of FILE held, stage by stage, and why."""
    replay = open_replay(file, overrides, thread=thread, format_name=format_name)
    chosen = view_of(replay, view, overrides)
    if turn == "all":
        _emit_all(replay, chosen, style, ledger=ledger)
        return
    step = parse_turn(turn)
    number = step.request if request is None else request
    trace = replay.trace(step.turn, number, view=chosen)
    if style in ("json", "jsonl"):
        from ctxinspect.view.jsonable import trace_json  # noqa: PLC0415

        emit(trace_json(trace))
    else:
        from ctxinspect.view.export import render_trace  # noqa: PLC0415

        emit(render_trace(trace, style))


def _emit_all(replay: Replay, view: View, style: str, *, ledger: bool) -> None:
    """Every request of the session: one JSON object a line, or one page."""
    traces = (replay.trace(step.turn, step.request, view=view, ledger=ledger) for step in replay.steps)
    if style in ("json", "jsonl"):
        from ctxinspect.view.jsonable import trace_json  # noqa: PLC0415

        emit_lines(trace_json(trace) for trace in traces)
    elif style == "html":
        from ctxinspect.view.html import session_html  # noqa: PLC0415

        title = replay.session.title or getattr(replay.session.source, "file", None) or "session"
        emit(session_html(title, view, traces))
    else:
        msg = f"--turn all gives one JSON object a line or one page: use --format jsonl or html, not {style}"
        raise UsageError(msg)
