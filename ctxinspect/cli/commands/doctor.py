"""`ctxinspect doctor`: what terminal, clipboard and installation look like from here; exit 1 where something is wrong."""

from __future__ import annotations

import os
from itertools import groupby
from pathlib import Path

import click

from ctxinspect.cli.exits import Found
from ctxinspect.cli.stdio import emit, emit_lines

__all__ = ["command"]


@click.command()
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def command(as_json: bool) -> None:  # noqa: FBT001 - a click flag
    """Print what can be known without asking the terminal; nothing leaves the machine."""
    from ctxinspect.cli.facts import facts  # noqa: PLC0415
    from ctxinspect.text.sanitize import one_line  # noqa: PLC0415
    from ctxinspect.view.jsonable import dump  # noqa: PLC0415

    found = list(facts(os.environ, Path.cwd()))
    if as_json:
        emit(dump({"format": "ctxinspect-doctor/1", "facts": found}, indent=2))
    else:
        for group, rows in groupby(found, key=lambda fact: fact.group):
            emit_lines([group])
            for fact in rows:
                emit_lines([f"  {fact.name:<16} {one_line(fact.value)}"])
                if fact.fault:
                    emit_lines([f"  {'':<16} WRONG: {one_line(fact.fault)}"])
    if any(fact.fault for fact in found):
        raise Found
