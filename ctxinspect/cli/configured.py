"""The configuration of this run, read once and only by commands that look at it; the `--color` flag that all take."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ctxinspect.errors import UsageError

if TYPE_CHECKING:
    from ctxinspect.config import Bindings, Config

__all__ = [
    "color_option",
    "colored",
    "configuration",
    "key_bindings",
    "lint_defaults",
    "per_file_ignores",
]

_CHOICES = ("auto", "always", "never")
_COLOR = "ctxinspect.color"

F = TypeVar("F", bound=Callable[..., Any])


def color_option(function: F) -> F:
    """`--color`, for commands and the group; `configuration` finds out by itself whether it was given."""

    def keep(ctx: click.Context, _param: click.Parameter, value: str | None) -> None:
        if value is not None:
            ctx.meta[_COLOR] = value

    return click.option(
        "--color",
        type=click.Choice(_CHOICES),
        expose_value=False,
        callback=keep,
        help="Whether to colour (default: on a terminal).",
    )(function)


def configuration(flags: Mapping[str, Any] | None = None) -> Config:
    """The configuration in force in the working folder, under these flags. Raises InputError or UsageError."""
    from ctxinspect.config import load_config  # noqa: PLC0415 - pydantic is loaded only here

    ctx = click.get_current_context(silent=True)
    given = {"color": ctx.meta.get(_COLOR) if ctx else None}
    return load_config(Path.cwd(), os.environ, {**given, **(flags or {})})


def colored() -> bool:
    """Whether stdout gets colour: as the flag, the environment and the files say, else where it is a terminal."""
    choice = configuration().color
    return choice == "always" or (choice == "auto" and sys.stdout.isatty())


def lint_defaults() -> dict[str, Any]:
    """What the configuration says for flags of `lint` that were not given."""
    lint = configuration().lint
    given = {"select": lint.select, "ignore": lint.ignore, "provider": lint.provider, "fail_on": lint.fail_on}
    return {name: value for name, value in given.items() if value}


def per_file_ignores() -> Callable[[str], tuple[str, ...]]:
    """What the configuration ignores for a file: rules by its name.

    A pattern is compared with the path from the project file's folder (else the working folder) and with the bare name;
    `*` stands for any characters, slashes too. Raises UsageError naming the place of a rule that is none.
    """
    from ctxinspect.trace.codes import rule_named  # noqa: PLC0415

    config = configuration()
    patterns = config.lint.per_file_ignores
    where = config.origin("lint.per_file_ignores").place
    try:
        codes = {pattern: tuple(rule_named(code).code for code in given) for pattern, given in patterns.items()}
    except UsageError as error:
        msg = f"{where}: lint.per_file_ignores: {error}"
        raise UsageError(msg) from error
    file, _, line = where.rpartition(":")
    folder = (Path(file).parent if line.isdecimal() else Path.cwd()).resolve()

    def ignored(name: str) -> tuple[str, ...]:
        path = Path(name).resolve()
        inside = path.relative_to(folder) if path.is_relative_to(folder) else path
        names = (inside.as_posix(), path.name)
        return tuple(
            c for pattern, found in codes.items() for c in found if any(fnmatchcase(n, pattern) for n in names)
        )

    return ignored


def key_bindings(config: Config) -> Bindings:
    """The keys of every action. Raises UsageError with the place of what cannot be."""
    from ctxinspect.config import resolve_keys  # noqa: PLC0415
    from ctxinspect.tui.actions import ACTIONS  # noqa: PLC0415

    for action, keys in config.keys.items():
        try:
            resolve_keys(ACTIONS, {action: keys})
        except UsageError as error:
            msg = f"{config.origin(f'keys.{action}').place}: {error}"
            raise UsageError(msg) from error
    return resolve_keys(ACTIONS, config.keys)
