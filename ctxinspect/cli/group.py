"""The command group: `ctxinspect FILE` opens the inspector, every other word is a command loaded when asked for."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

import click

from ctxinspect.cli.configured import color_option

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

__all__ = ["COMMANDS", "cli"]

COMMANDS: dict[str, str] = {
    "trace": "one request, whole",
    "lint": "findings; exit 1 at or above --fail-on",
    "diff": "two requests, two settings, or recording against replay: what differs and why",
    "why": "where a text occurs, its fate in one request, what would have kept it",
    "sweep": "one row per setting, and where an outcome flips",
    "eval": "gate and recall against topic labels",
    "track": "in which requests texts stand, and what took them out",
    "break": "every position where a predicate holds",
    "snapshot": "compare sessions with their approved contexts",
    "audit": "a corpus of sessions into one table",
    "schema": "JSON Schemas of session and trace",
    "samples": "the sample sessions",
    "explain": "what a rule means and how to fix it",
    "convert": "read one format, write another",
    "inspect-file": "what a file is, what was read and skipped",
    "config": "options: where they lie, what they are, what is wrong in them",
    "keys": "every action of the inspector and its keys",
    "doctor": "what terminal, clipboard and installation look like from here",
    "completion": "completion for bash, zsh or fish",
}
"""Commands and their one-line help; each lives in `commands/<name>.py` as `command`."""

_EXAMPLES = """\b
Examples:
  ctxinspect run.jsonl                        step through a recording
  ctxinspect trace run.jsonl --turn 3         one request as text
  ctxinspect lint run.jsonl --provider openai findings, exit 1 on errors
"""


class _Lazy(click.Group):
    """A group that imports a command's module when it is asked for, and takes any other word as a file to open."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        module = cmd_name.replace("-", "_")
        if cmd_name not in COMMANDS and cmd_name != "open":
            return None
        command = importlib.import_module(f"ctxinspect.cli.commands.{module}").command
        if not isinstance(command, click.Command):
            msg = f"commands/{module}.py has no click command"
            raise TypeError(msg)
        if ctx.resilient_parsing:
            from ctxinspect.cli.completing import completing  # noqa: PLC0415

            completing(command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and args[0] != "open":
            return "open", self.get_command(ctx, "open"), args
        if args[:1] == ["lint"] and not ctx.resilient_parsing and not {"--help", "-h"} & set(args):
            from ctxinspect.cli.configured import lint_defaults  # noqa: PLC0415

            ctx.default_map = {"lint": lint_defaults()}
        return super().resolve_command(ctx, args)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        own = {"--help", "-h", "--version"}
        at = 0
        while at < len(args) and args[at].partition("=")[0] == "--color":
            at += 1 if "=" in args[at] else 2
        rest = args[at:]
        if (not rest and not ctx.resilient_parsing) or (rest and rest[0].startswith("-") and rest[0] not in own):
            args = [*args[:at], "open", *rest]
        return super().parse_args(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Commands, and files: a file opens the inspector."""
        from click.shell_completion import CompletionItem  # noqa: PLC0415

        return [*super().shell_complete(ctx, incomplete), CompletionItem(incomplete, type="file")]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


def _version(ctx: click.Context, _param: click.Parameter, value: Any) -> None:
    if not value or ctx.resilient_parsing:
        return
    import platform  # noqa: PLC0415
    from importlib.metadata import version  # noqa: PLC0415

    from ctxinspect.cli.stdio import emit  # noqa: PLC0415

    emit(
        f"ctxinspect {version('ctxinspect')}, Textual {version('textual')}, Python {platform.python_version()}, "
        "formats ctxinspect/1 and ctxinspect-trace/1"
    )
    ctx.exit()


@click.command(
    cls=_Lazy,
    epilog=_EXAMPLES,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@color_option
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Print versions.")
def cli() -> None:
    """See what an LLM had in its context, request by request and stage by stage, and why.

    \b
    ctxinspect [FILE] [--at ADDRESS]   opens the inspector; without FILE, a picker
    """  # noqa: D301 - \b is click's
