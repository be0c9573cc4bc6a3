"""`ctxinspect sweep`: the session under a series of settings, one row each, and where an outcome flips."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import click

from ctxinspect.cli.sessions import open_replay, session_options
from ctxinspect.cli.stdio import emit, emit_prose
from ctxinspect.errors import UsageError

__all__ = ["command"]


@click.command()
@click.argument("file")
@click.option(
    "--needle", "needles", multiple=True, metavar="TEXT", help="Count the requests that hold TEXT; repeatable."
)
@click.option("--format", "style", type=click.Choice(["text", "json"]), default="text", show_default=True)
@session_options
def command(
    file: str,
    needles: tuple[str, ...],
    style: str,
    overrides: tuple[str, ...],
    thread: str | None,
    format_name: str | None,
) -> None:
    """Replay FILE under every combination of settings: --set PATH=V1,V2,… (values parted by commas, or a JSON array)."""
    from ctxinspect.cli.progress import progress  # noqa: PLC0415
    from ctxinspect.pipeline.sweep import sweep  # noqa: PLC0415
    from ctxinspect.view.jsonable import dump  # noqa: PLC0415
    from ctxinspect.view.sweep import sweep_lines, sweep_value  # noqa: PLC0415

    if not overrides:
        msg = "sweep needs --set PATH=V1,V2,…, for example --set window.strategy=conservative,balanced,aggressive"
        raise UsageError(msg)
    values = dict(_values(text) for text in overrides)
    replay = open_replay(file, thread=thread, format_name=format_name)
    with progress("sweeping, request") as tell:
        result = sweep(replay, values, needles=needles, progress=tell)
    if style == "json":
        emit(dump(sweep_value(result), indent=2))
    else:
        emit_prose(sweep_lines(result))


def _values(text: str) -> tuple[str, Sequence[Any]]:
    """`PATH=V1,V2,…` as path and values; a JSON array gives its items, everything else is parted at commas."""
    from ctxinspect.settings import parse_override  # noqa: PLC0415

    path, whole = parse_override(text)
    raw = text.partition("=")[2]
    if isinstance(whole, list):
        values: list[Any] = whole
    elif isinstance(whole, str):
        values = [_value(part.strip()) for part in raw.split(",")]
    else:
        values = [whole]
    if path.startswith("what_if."):
        values = [value if isinstance(value, list) else [value] for value in values]
    if any(value == "" for value in values):
        msg = f"--set {text}: a value is missing; expected {path}=V1,V2,… or a JSON array"
        raise UsageError(msg)
    return path, list({json.dumps(value): value for value in values}.values())


def _value(part: str) -> Any:
    try:
        return json.loads(part)
    except ValueError:
        return part
