"""`ctxinspect diff`: two requests, one session under two settings, or the recording against its replay."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from ctxinspect.cli.configured import colored
from ctxinspect.cli.exits import Found
from ctxinspect.cli.paint import painter_of_mark
from ctxinspect.cli.sessions import open_replay, session_options, view_of
from ctxinspect.cli.stdio import columns, emit, emit_lines
from ctxinspect.errors import UsageError

if TYPE_CHECKING:
    from ctxinspect.pipeline.comparison import Comparison
    from ctxinspect.pipeline.effects import Effect
    from ctxinspect.pipeline.plan import Step
    from ctxinspect.pipeline.replay import Replay, View

__all__ = ["command"]

_WIDE = 120
"""Cells of a line where stdout is no terminal."""


@click.command()
@click.argument("file")
@click.argument("addresses", nargs=-1, metavar="[A [B]]")
@click.option("--recorded", is_flag=True, help="The recording against its replay under the session's settings.")
@click.option("--view", type=click.Choice(["recorded", "replay"]), help="View of A and B (default: the session's own).")
@click.option("--side-by-side", is_flag=True, help="Before and after in two columns.")
@click.option("--full", is_flag=True, help="Unchanged messages and lines too, added and removed messages whole.")
@click.option("--first", is_flag=True, help="With --set or --recorded: stop at the first request that differs.")
@click.option("--each", is_flag=True, help="With --set or --recorded: one row for every request that differs.")
@click.option("--width", type=click.IntRange(20, 1000), metavar="CELLS", help="Default: the terminal's, else 120.")
@click.option("--format", "style", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--exit-code", is_flag=True, help="Exit 1 where something differs.")
@session_options
def command(
    file: str,
    addresses: tuple[str, ...],
    recorded: bool,  # noqa: FBT001 - a click flag
    view: str | None,
    side_by_side: bool,  # noqa: FBT001
    full: bool,  # noqa: FBT001
    first: bool,  # noqa: FBT001
    each: bool,  # noqa: FBT001
    width: int | None,
    style: str,
    exit_code: bool,  # noqa: FBT001
    overrides: tuple[str, ...],
    thread: str | None,
    format_name: str | None,
) -> None:
    """Compare what the model saw, and say why it differs.

    \b
    diff FILE 41 42                           two requests
    diff FILE 42                              a request and the one before it
    diff FILE --set window.strategy=aggressive
                                              the first request that differs under this setting
    diff FILE 42 --set PATH=VALUE             that request under both settings
    diff FILE [42] --recorded                 the recording against its replay
    """  # noqa: D301 - \b is click's
    if len(addresses) > 2:
        msg = f"diff takes at most two addresses, not {len(addresses)}: {' '.join(addresses)}"
        raise UsageError(msg)
    replay = open_replay(file, thread=thread, format_name=format_name)
    forked = replay.fork(_parsed(overrides)) if overrides else replay
    printer = _Printer(width or columns() or _WIDE, style, side_by_side=side_by_side, full=full, each=each, first=first)
    if recorded:
        _refuse_recorded(replay, addresses)
        differs = _two_sides(replay, forked, addresses, ("recorded", "replay"), printer)
    elif overrides and len(addresses) < 2:
        differs = _two_sides(replay, forked, addresses, ("replay", "replay"), printer)
    else:
        differs = _two_requests(forked, addresses, view_of(replay, view, overrides), printer)
    if differs and exit_code:
        raise Found


def _parsed(overrides: Sequence[str]) -> dict[str, object]:
    from ctxinspect.settings import parse_override  # noqa: PLC0415

    return dict(parse_override(text) for text in overrides)


def _refuse_recorded(replay: Replay, addresses: Sequence[str]) -> None:
    if not replay.session.foreign:
        msg = "--recorded: a native session has no recording to compare with its replay; use --set PATH=VALUE"
        raise UsageError(msg)
    if len(addresses) > 1:
        msg = "--recorded compares one request with itself: give one address, or none for every request"
        raise UsageError(msg)


def _step(replay: Replay, text: str) -> Step:
    from ctxinspect.view.address import parse_address  # noqa: PLC0415

    address = parse_address(text)
    return replay.step(address.turn, address.request)


def _two_requests(replay: Replay, addresses: Sequence[str], view: View, printer: _Printer) -> bool:
    from ctxinspect.pipeline.compare import compare_steps  # noqa: PLC0415

    if not addresses:
        msg = "diff needs two addresses (diff FILE 41 42), one (compared with the request before), --set or --recorded"
        raise UsageError(msg)
    steps = [_step(replay, text) for text in addresses]
    if len(steps) == 1:
        before = replay.previous(steps[0])
        if before is None:
            msg = f"{steps[0].address} is the first request; there is none before it: give two addresses"
            raise UsageError(msg)
        steps.insert(0, before)
    comparison = compare_steps(replay, steps[0], replay, steps[1], views=(view, view))
    printer.comparison(comparison)
    return not comparison.identical


def _two_sides(a: Replay, b: Replay, addresses: Sequence[str], views: tuple[View, View], printer: _Printer) -> bool:
    from ctxinspect.cli.progress import progress  # noqa: PLC0415
    from ctxinspect.pipeline.compare import compare_steps  # noqa: PLC0415
    from ctxinspect.pipeline.effects import effects  # noqa: PLC0415

    if addresses:
        step = _step(a, addresses[0])
        comparison = compare_steps(a, step, b, step, views=views)
        printer.comparison(comparison)
        return not comparison.identical
    found: list[Effect] = []
    first: Comparison | None = None
    with progress("comparing request") as tell:
        for effect in effects(a, b, views=views):
            found.append(effect)
            tell(len(found), len(a.steps))
            if effect.changed and first is None:
                first = compare_steps(a, effect.step, b, effect.step, views=views)
                tell.clear()
                printer.first(first)
                if printer.only_first:
                    break
    printer.session(a, b, found, first)
    return any(effect.changed or effect.stage is not None for effect in found)


class _Printer:
    """Writes comparisons in the style asked for: text as soon as it is known, JSON whole."""

    def __init__(self, width: int, style: str, *, side_by_side: bool, full: bool, each: bool, first: bool) -> None:
        self.width = width
        self.style = style
        self.side_by_side = side_by_side
        self.full = full
        self.each = each
        self.only_first = first

    def comparison(self, comparison: Comparison) -> None:
        """One comparison."""
        from ctxinspect.view.diff import comparison_value  # noqa: PLC0415
        from ctxinspect.view.jsonable import dump  # noqa: PLC0415

        if self.style == "json":
            emit(dump(comparison_value(comparison), indent=2))
        else:
            from ctxinspect.view.diff import diff_lines  # noqa: PLC0415

            color = colored()
            for line in diff_lines(comparison, width=self.width, side_by_side=self.side_by_side, full=self.full):
                emit_lines([line.text], painter_of_mark(line.mark) if color else None)

    def first(self, comparison: Comparison) -> None:
        """The first request that differs, while the others are still being compared."""
        if self.style != "json":
            emit(f"first request that differs: {comparison.before.address}")
            self.comparison(comparison)

    def session(self, a: Replay, b: Replay, effects: Sequence[Effect], first: Comparison | None) -> None:
        """What all requests came to; with JSON the first difference too."""
        from ctxinspect.view.diff import setting_lines  # noqa: PLC0415
        from ctxinspect.view.effects import effects_summary, effects_table, session_value  # noqa: PLC0415
        from ctxinspect.view.jsonable import dump  # noqa: PLC0415

        if self.style == "json":
            emit(dump(session_value(a, b, effects, first), indent=2))
            return
        if first is None:
            emit_lines(setting_lines(a.settings, b.settings))
        elif self.only_first:
            return
        else:
            emit("")
        emit_lines(effects_summary(effects))
        if self.each:
            emit_lines(effects_table(effects))
