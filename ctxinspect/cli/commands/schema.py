"""`ctxinspect schema session|trace`: the JSON Schemas."""

from __future__ import annotations

import json

import click

from ctxinspect.cli.stdio import emit

__all__ = ["command"]


@click.command()
@click.argument("which", type=click.Choice(["session", "trace"]))
def command(which: str) -> None:
    """Print the JSON Schema of a native session or of a trace."""
    from ctxinspect.view.schema import session_schema, trace_schema  # noqa: PLC0415

    emit(json.dumps(session_schema() if which == "session" else trace_schema(), ensure_ascii=False, indent=2))
