"""`ctxinspect [FILE]`: the inspector. Everything that can be refused is refused before Textual is imported."""

from __future__ import annotations

import click

from ctxinspect.cli.sessions import secrets_shown, session_options

__all__ = ["command"]


@click.command(name="open")
@click.argument("file", required=False)
@click.option("--at", metavar="ADDRESS", help="Open at t42, t42r3 or t42r3.window.")
@session_options
def command(
    file: str | None, at: str | None, overrides: tuple[str, ...], thread: str | None, format_name: str | None
) -> None:
    """Step through FILE in the terminal; without FILE, pick one."""
    from ctxinspect.tui import run  # noqa: PLC0415 - Textual is loaded only here

    shown = secrets_shown()
    run(file, at=at, overrides=overrides, thread=thread, format_name=format_name, show_secrets=shown)
