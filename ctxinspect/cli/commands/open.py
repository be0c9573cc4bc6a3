"""`ctxinspect [FILE]`: the inspector. Everything that can be refused is refused before Textual is imported."""

from __future__ import annotations

from pathlib import Path

import click

from ctxinspect.cli.configured import configuration, key_bindings
from ctxinspect.cli.sessions import secrets_shown, session_options
from ctxinspect.cli.stdio import narrate

__all__ = ["command"]


@click.command(name="open")
@click.argument("file", required=False)
@click.option("--at", metavar="ADDRESS", help="Open at t42, t42r3 or t42r3.window.")
@click.option("--view", type=click.Choice(["recorded", "replay"]), help="Default: recorded for foreign files.")
@click.option("--theme", metavar="NAME", help="Colours: auto, ctx-dark, ctx-ansi or one of the toolkit's.")
@click.option("--no-mouse", is_flag=True, help="Leave the mouse to the terminal.")
@click.option("--log", metavar="FILE", help="Write every move to this file, a line each.")
@session_options
def command(
    file: str | None,
    at: str | None,
    view: str | None,
    theme: str | None,
    no_mouse: bool,  # noqa: FBT001 - a click flag
    log: str | None,
    overrides: tuple[str, ...],
    thread: str | None,
    format_name: str | None,
) -> None:
    """Step through FILE in the terminal; without FILE, pick one."""
    from ctxinspect.tui import require_terminal, run  # noqa: PLC0415 - Textual is loaded only here

    if file != "-" and (file is None or Path(file).exists()):
        require_terminal()
    config = configuration({"theme": theme, "mouse": False if no_mouse else None, "log": log})
    for clash in key_bindings(config).clashes:
        narrate(f"ctxinspect: keys: {clash}")
    run(
        file,
        at=at,
        view=view,
        overrides=overrides,
        thread=thread,
        format_name=format_name,
        show_secrets=secrets_shown(),
        config=config,
    )
