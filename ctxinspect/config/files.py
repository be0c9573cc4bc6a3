"""Where configuration and state lie: the platform's folders, the nearest project file. Nothing is created here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ctxinspect.errors import InputError, UsageError
from ctxinspect.text.toml_places import TomlText

__all__ = [
    "ConfigFile",
    "existing_user_file",
    "log_folder",
    "project_file",
    "read_config_file",
    "state_folder",
    "user_file",
]

_NAME = "ctxinspect.toml"


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """A file of configuration: its path, its text, and the table in it that is ours (`("tool", "ctxinspect")`, or all)."""

    path: Path
    source: TomlText
    table: tuple[str, ...] = ()


def user_file(environ: Mapping[str, str]) -> Path:
    """The user's own file, there or not: `CTXINSPECT_CONFIG`, else `config.toml` in the platform's folder."""
    from platformdirs import user_config_path  # noqa: PLC0415 - only those who need a folder pay for it

    asked = environ.get("CTXINSPECT_CONFIG")
    return Path(asked) if asked else user_config_path("ctxinspect", appauthor=False) / "config.toml"


def state_folder() -> Path:
    """Where history, recent files and saved breakpoints are kept."""
    from platformdirs import user_state_path  # noqa: PLC0415

    return user_state_path("ctxinspect", appauthor=False)


def log_folder() -> Path:
    """Where the traceback of an internal error goes."""
    from platformdirs import user_log_path  # noqa: PLC0415

    return user_log_path("ctxinspect", appauthor=False)


def read_config_file(path: Path) -> ConfigFile:
    """A file of configuration; of a pyproject.toml its `[tool.ctxinspect]`. Raises InputError; OSError."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError("not UTF-8", file=str(path), remedy="expected TOML in UTF-8") from error
    return ConfigFile(path, TomlText(text, str(path)), ("tool", "ctxinspect") if path.name == "pyproject.toml" else ())


def project_file(start: Path) -> ConfigFile | None:
    """The nearest file from this folder upwards: `ctxinspect.toml`, or a `pyproject.toml` with `[tool.ctxinspect]`.

    Raises InputError where the nearest one cannot be read as TOML.
    """
    for folder in (start, *start.parents):
        own = folder / _NAME
        if own.is_file():
            return read_config_file(own)
        shared = folder / "pyproject.toml"
        if shared.is_file() and (found := _with_table(shared)) is not None:
            return found
    return None


def _with_table(path: Path) -> ConfigFile | None:
    """A pyproject.toml, if it has a table of ours; one that does not even name us is never read as TOML."""
    try:
        found = read_config_file(path)
    except (OSError, InputError):
        return None
    if "ctxinspect" not in found.source.text:
        return None
    tool = found.source.data.get("tool")
    return found if isinstance(tool, dict) and "ctxinspect" in tool else None


def existing_user_file(environ: Mapping[str, str]) -> ConfigFile | None:
    """The user's own file, read; null where there is none. Raises UsageError where the one asked for is not there."""
    path = user_file(environ)
    if path.is_file():
        return read_config_file(path)
    if environ.get("CTXINSPECT_CONFIG"):
        msg = f"CTXINSPECT_CONFIG={path}: no such file"
        raise UsageError(msg)
    return None
