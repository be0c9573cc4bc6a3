"""`ctxinspect lint`: findings of one or more files; exit 1 at or above `--fail-on`."""

from __future__ import annotations

import click

from ctxinspect.cli.exits import Found
from ctxinspect.cli.sessions import open_replay, session_options
from ctxinspect.cli.stdio import emit, emit_lines

__all__ = ["command"]

_PROFILES = ["openai", "openai-responses", "anthropic", "gemini", "strict"]
_FORMATS = ["text", "json", "jsonl"]


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@click.option("--provider", type=click.Choice(_PROFILES), help="Whose rules decide (default: the file's dialect).")
@click.option("--replay", "replay_too", is_flag=True, help="Judge the replay of a foreign file too.")
@click.option(
    "--fail-on", default="error", show_default=True, metavar="error|warning|info", help="Exit 1 from here on."
)
@click.option("--format", "style", type=click.Choice(_FORMATS), default="text", show_default=True)
@session_options
def command(
    files: tuple[str, ...],
    provider: str | None,
    replay_too: bool,  # noqa: FBT001 - a click flag
    fail_on: str,
    style: str,
    overrides: tuple[str, ...],
    thread: str | None,
    format_name: str | None,
) -> None:
    """Judge message sequences: pairing, shape, budgets, what a provider would refuse."""
    from ctxinspect.pipeline.lint_report import lint_session  # noqa: PLC0415
    from ctxinspect.view.lint_text import FileFaults, failing, lint_json, lint_jsonl, lint_lines  # noqa: PLC0415

    reports = []
    for file in files:
        replay = open_replay(file, overrides, thread=thread, format_name=format_name)
        reports.append(FileFaults(file, lint_session(replay, profile=provider, replay_too=replay_too)))
    if style == "json":
        emit(lint_json(reports))
    else:
        emit_lines(lint_jsonl(reports) if style == "jsonl" else lint_lines(reports))
    if failing(reports, fail_on):
        raise Found
