"""`ctxinspect lint`: findings of one or more files; exit 1 where they fail, 2 where a file cannot be opened.

They fail at or above a severity, where an expression holds, or where a breakpoint of a file of breakpoints stops.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ctxinspect.cli.configured import colored, per_file_ignores
from ctxinspect.cli.exits import USAGE, Found
from ctxinspect.cli.paint import paint_finding
from ctxinspect.cli.progress import progress
from ctxinspect.cli.sessions import open_replay, session_files, session_options
from ctxinspect.cli.stdio import emit, emit_lines, narrate
from ctxinspect.errors import CtxInspectError, InputError, UsageError

if TYPE_CHECKING:
    from ctxinspect.pipeline.breakpoints import Breakpoint
    from ctxinspect.pipeline.lint_report import Fault
    from ctxinspect.pipeline.replay import Replay
    from ctxinspect.view.fix_plan import FixPlan
    from ctxinspect.view.lint_text import FileFaults

__all__ = ["command"]

_PROFILES = ["openai", "openai-responses", "anthropic", "gemini", "strict"]
_FORMATS = ["text", "json", "jsonl", "sarif", "junit", "github", "html"]
_LARGEST = 64_000_000
"""Bytes of the largest JSON document in which the lines of paths are looked up."""


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE…")
@click.option("--provider", type=click.Choice(_PROFILES), help="Whose rules decide (default: the file's dialect).")
@click.option("--replay", "replay_too", is_flag=True, help="Judge the replay of a foreign file too.")
@click.option("--fail-on", default="error", show_default=True, metavar="SEVERITY|EXPR", help="Exit 1 from here on.")
@click.option("--breaks", multiple=True, metavar="FILE", help="Exit 1 where a breakpoint of this file stops.")
@click.option("--format", "style", type=click.Choice(_FORMATS), default="text", show_default=True)
@click.option("--select", multiple=True, metavar="RULE,…", help="Only these rules; repeatable.")
@click.option("--ignore", multiple=True, metavar="RULE,…", help="Not these rules; repeatable.")
@click.option("--baseline", metavar="FILE", help="Leave out what this earlier --format json report holds.")
@click.option("--exit-zero", is_flag=True, help="Exit 0 whatever is found.")
@click.option("--fix-plan", is_flag=True, help="Show what a valid sequence would be; change nothing.")
@session_options
def command(
    files: tuple[str, ...],
    provider: str | None,
    replay_too: bool,  # noqa: FBT001 - a click flag
    fail_on: str,
    breaks: tuple[str, ...],
    style: str,
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    baseline: str | None,
    exit_zero: bool,  # noqa: FBT001
    fix_plan: bool,  # noqa: FBT001
    overrides: tuple[str, ...],
    thread: str | None,
    format_name: str | None,
) -> None:
    """Judge message sequences: pairing, shape, budgets, what a provider would refuse."""
    from ctxinspect.pipeline.fail_on import parse_fail_on  # noqa: PLC0415
    from ctxinspect.view.lint_formats import narrowed, read_baseline  # noqa: PLC0415
    from ctxinspect.view.lint_text import failing  # noqa: PLC0415

    ignored = per_file_ignores()
    gate = parse_fail_on(fail_on)
    stops = _breakpoints(breaks) + ([gate.breakpoint_] if gate.breakpoint_ else [])
    known = read_baseline(_text_of(baseline), baseline) if baseline else frozenset()
    narrowed([], select=select, ignore=ignore, known=known)
    if fix_plan and style not in ("text", "json"):
        msg = f"--fix-plan is written as text or json, not {style}"
        raise UsageError(msg)
    reports, unopened = [], False
    plans: list[FixPlan] = []
    for file in session_files(files):
        try:
            replay = open_replay(file, overrides, thread=thread, format_name=format_name)
        except (InputError, OSError) as error:
            if list(files) == [file]:
                raise
            narrate(f"ctxinspect: {error}" if isinstance(error, CtxInspectError) else f"ctxinspect: {file}: {error}")
            unopened = True
            continue
        if fix_plan:
            _emit_plans(file, replay, provider, plans, as_json=style == "json")
        else:
            reports.append(_report(file, replay, stops, provider, replay_too=replay_too, charts=style == "html"))
    reports = [
        narrow
        for report in reports
        for narrow in narrowed([report], select=select, ignore=(*ignore, *ignored(report.file)), known=known)
    ]
    if not fix_plan:
        _emit(reports, style)
    elif style == "json":
        from ctxinspect.view.fix_plan import plan_json  # noqa: PLC0415

        emit(plan_json(plans))
    if unopened:
        raise click.exceptions.Exit(USAGE)
    if failing(reports, gate) and not exit_zero:
        raise Found


def _breakpoints(files: Sequence[str]) -> list[Breakpoint]:
    from ctxinspect.pipeline.breakpoints import load_breakpoints  # noqa: PLC0415

    return [item for file in files for item in load_breakpoints(file)]


def _report(
    file: str, replay: Replay, stops: Sequence[Breakpoint], provider: str | None, *, replay_too: bool, charts: bool
) -> FileFaults:
    """Everything found in one file."""
    from ctxinspect.pipeline.fail_on import break_hits  # noqa: PLC0415
    from ctxinspect.pipeline.lint_report import lint_session  # noqa: PLC0415
    from ctxinspect.view.lint_text import FileFaults  # noqa: PLC0415

    with progress(f"{file}: requests judged") as told:
        faults = lint_session(replay, profile=provider, replay_too=replay_too, progress=told)
    with progress(f"{file}: requests asked for breakpoints") as told:
        hits = break_hits(replay, stops, told)
    report = FileFaults(file, _located(file, faults), hits)
    if charts:
        from ctxinspect.view.overview import session_overview  # noqa: PLC0415 - only a page has charts

        with progress(f"{file}: requests drawn") as told:
            report = replace(report, overview=session_overview(replay, view=replay.default_view, progress=told))
    return report


def _located(file: str, faults: tuple[Fault, ...]) -> tuple[Fault, ...]:
    """The faults with their lines, where the file is plain text that can be looked at again."""
    from ctxinspect.pipeline.lint_lines import with_lines  # noqa: PLC0415

    path = Path(file)
    if all(fault.finding.line is not None or not fault.finding.path for fault in faults):
        return faults
    if file == "-" or not path.is_file() or path.stat().st_size > _LARGEST:
        return faults
    return with_lines(faults, path.read_bytes().decode("utf-8-sig", errors="replace"))


def _text_of(file: str) -> str:
    try:
        return Path(file).read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        msg = f"{file}: not UTF-8"
        raise InputError(msg) from error


def _emit(reports: Sequence[FileFaults], style: str) -> None:
    """Write the reports to stdout in the format asked for."""
    from importlib.metadata import version  # noqa: PLC0415

    from ctxinspect.view.lint_formats import lint_github, lint_junit, lint_sarif  # noqa: PLC0415
    from ctxinspect.view.lint_text import lint_json, lint_jsonl, lint_lines  # noqa: PLC0415

    if style == "html":
        from ctxinspect.view.html import lint_html  # noqa: PLC0415

        emit(lint_html(reports))
    elif style == "sarif":
        emit(lint_sarif(reports, version("ctxinspect")))
    elif style in ("json", "junit"):
        emit(lint_json(reports) if style == "json" else lint_junit(reports))
    else:
        paint = paint_finding if style == "text" and colored() else None
        emit_lines({"jsonl": lint_jsonl, "github": lint_github, "text": lint_lines}[style](reports), paint)


def _emit_plans(file: str, replay: Replay, provider: str | None, plans: list[FixPlan], *, as_json: bool) -> None:
    """Keep the repair of every recorded call, and write it at once where it is written as text."""
    from ctxinspect.view.fix_plan import fix_plans, plan_lines  # noqa: PLC0415

    if not replay.session.recorded:
        narrate(f"{file}: no recorded sequence to repair; a native session is replayed under its own settings")
    for plan in fix_plans(file, replay, provider):
        plans.append(plan)
        if not as_json:
            emit_lines(plan_lines(plan))
