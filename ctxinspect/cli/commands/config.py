"""`ctxinspect config`: where options lie, what they are and why, what is wrong in them, and a file to begin with."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ctxinspect.cli.configured import configuration, key_bindings
from ctxinspect.cli.exits import USAGE
from ctxinspect.cli.stdio import emit, emit_lines, narrate, write_atomically
from ctxinspect.errors import CtxInspectError, UsageError

if TYPE_CHECKING:
    from ctxinspect.config import Config
    from ctxinspect.config.files import ConfigFile

__all__ = ["command"]


@click.group("config")
def command() -> None:
    """Options of the screen and of commands: flag, environment, nearest project file, user file, default."""


@command.command("path")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def path_command(as_json: bool) -> None:  # noqa: FBT001 - a click flag
    """Print where files of options, state and logs lie."""
    from ctxinspect.config import log_folder, project_file, state_folder, user_file  # noqa: PLC0415
    from ctxinspect.view.jsonable import dump  # noqa: PLC0415

    project = project_file(Path.cwd())
    places = {
        "user": user_file(os.environ),
        "project": project.path if project else None,
        "state": state_folder(),
        "log": log_folder(),
    }
    if as_json:
        emit(dump({name: str(path) if path else None for name, path in places.items()}, indent=2))
        return
    absent = "none here or above; ctxinspect.toml, or [tool.ctxinspect] in pyproject.toml"
    emit_lines(
        f"{name:<8} {path or absent}" + ("" if path is None or path.exists() else "  (absent)")
        for name, path in places.items()
    )


@command.command("show")
@click.option("--json", "as_json", is_flag=True, help="As JSON.")
def show_command(as_json: bool) -> None:  # noqa: FBT001 - a click flag
    """Print every option with its value and where the value came from."""
    from ctxinspect.view.jsonable import dump  # noqa: PLC0415

    config = configuration()
    if as_json:
        rows = {
            path: {"value": value, "source": config.origin(path).source, "place": config.origin(path).place}
            for path, value in config.values()
        }
        emit(dump(rows, indent=2))
        return
    shown = [
        (path, "unset" if value is None else dump(value), str(config.origin(path))) for path, value in config.values()
    ]
    widths = [max(len(row[at]) for row in shown) for at in (0, 1)]
    emit_lines(f"{path:<{widths[0]}}  {value:<{widths[1]}}  {origin}" for path, value, origin in shown)


@command.command("validate")
@click.argument("file", required=False)
def validate_command(file: str | None) -> None:
    """Say everything that is wrong in FILE, or in the user's and the project's files and the environment."""
    from ctxinspect.config.files import existing_user_file, project_file, read_config_file  # noqa: PLC0415
    from ctxinspect.config.load import unknown_variables  # noqa: PLC0415

    found: list[tuple[ConfigFile | None, str]]
    if file is not None:
        path = Path(file)
        own = path.name in ("ctxinspect.toml", "pyproject.toml")
        found = [(read_config_file(path), "project file" if own else "user file")]
    else:
        found = [(existing_user_file(os.environ), "user file"), (project_file(Path.cwd()), "project file")]
    files = [(given, source) for given, source in found if given is not None]
    faults = [str(fault) for given, source in files for fault in _faults(given, source)]
    if file is None:
        faults += unknown_variables(os.environ)
        if not faults:
            faults += [str(fault) for fault in _environment_faults()]
    for fault in faults:
        narrate(f"ctxinspect: {fault}")
    if faults:
        raise click.exceptions.Exit(USAGE)
    emit_lines(f"{given.path}: fine" for given, _ in files)
    if not files:
        emit("no file of options; everything is at its default or from the environment")


def _faults(file: ConfigFile, source: str) -> Iterator[CtxInspectError]:
    """What is wrong in a file: its shape first, then what its names mean."""
    from ctxinspect.config.load import config_of, file_faults  # noqa: PLC0415

    faults = file_faults(file, source)  # type: ignore[arg-type]
    yield from faults
    if not faults:
        user = source == "user file"
        yield from _meanings(config_of(file if user else None, None if user else file, {}, {}), told=True)


def _environment_faults() -> Iterator[CtxInspectError]:
    try:
        yield from _meanings(configuration(), told=False)
    except CtxInspectError as error:
        yield error


def _meanings(config: Config, *, told: bool) -> Iterator[CtxInspectError]:
    """Ids of actions, rules and expressions that do not exist; keys that clash are no fault and are `told`."""
    from ctxinspect.pipeline.fail_on import parse_fail_on  # noqa: PLC0415
    from ctxinspect.trace.codes import rule_named  # noqa: PLC0415

    try:
        for clash in key_bindings(config).clashes if told else ():
            narrate(f"ctxinspect: keys: {clash}")
    except UsageError as error:
        yield error
    checks: list[tuple[str, Any, Any]] = [("lint.fail_on", parse_fail_on, config.lint.fail_on)]
    checks += [(path, rule_named, code) for path in ("lint.select", "lint.ignore") for code in _codes(config, path)]
    for path, check, value in checks:
        try:
            check(value)
        except CtxInspectError as error:
            yield UsageError(f"{config.origin(path).place}: {path}: {error}")


def _codes(config: Config, path: str) -> tuple[str, ...]:
    codes: tuple[str, ...] = getattr(config.lint, path.rpartition(".")[2])
    return codes


@command.command("schema")
def schema_command() -> None:
    """Print the JSON Schema of a file of options."""
    from ctxinspect.config import Config  # noqa: PLC0415
    from ctxinspect.view.jsonable import dump  # noqa: PLC0415

    emit(dump({"$schema": "https://json-schema.org/draft/2020-12/schema", **Config.model_json_schema()}, indent=2))


@command.command("init")
@click.option("--project", is_flag=True, help="Write ctxinspect.toml in the working folder, not the user's file.")
@click.option("--force", is_flag=True, help="Replace a file that is there.")
def init_command(project: bool, force: bool) -> None:  # noqa: FBT001 - click flags
    """Write a file with every option at its default, commented out."""
    from ctxinspect.config import user_file  # noqa: PLC0415
    from ctxinspect.config.page import template  # noqa: PLC0415

    path = Path.cwd() / "ctxinspect.toml" if project else user_file(os.environ)
    if path.exists() and not force:
        msg = f"{path} is there already; --force replaces it"
        raise UsageError(msg)
    write_atomically(path, template(project=project))
    emit(str(path))
