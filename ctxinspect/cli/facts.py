"""What this terminal, this machine and this installation look like: facts for `doctor`, each with a verdict.

Only looks: nothing is written, no program is run, no terminal is asked.
"""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

from ctxinspect.errors import CtxInspectError

if TYPE_CHECKING:
    from ctxinspect.config import Config

__all__ = ["Fact", "facts"]

_VARIABLES = ("TERM", "COLORTERM", "NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE", "TMUX", "STY", "SSH_TTY", "LANG",
              "LC_ALL", "PAGER", "VISUAL", "EDITOR")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Fact:
    """A fact: its group, its name, what was found, and what is wrong with it (nothing: empty)."""

    group: str
    name: str
    value: str
    fault: str = ""


def facts(environ: Mapping[str, str], start: Path) -> Iterator[Fact]:
    """All facts, in groups."""
    yield from _terminal(environ)
    config, fault = _configuration(environ, start)
    yield from _options(config, fault, environ, start)
    yield from _installation()


def _terminal(environ: Mapping[str, str]) -> Iterator[Fact]:
    for name in _VARIABLES:
        if name in environ or name in ("TERM", "COLORTERM", "NO_COLOR"):
            wrong = name == "TERM" and environ.get("TERM", "") in ("", "dumb")
            fault = "the inspector needs a terminal that is more than dumb" if wrong else ""
            yield Fact("terminal", name, environ.get(name, "unset") or "empty", fault)
    for name, stream in (("stdin", sys.stdin), ("stdout", sys.stdout), ("stderr", sys.stderr)):
        value = ("terminal" if stream.isatty() else "no terminal") + f", {stream.encoding}"
        yield Fact("terminal", name, value)
    columns, rows = _size()
    fault = "the inspector shows one line below 40x10" if 0 < columns < 40 or 0 < rows < 10 else ""
    yield Fact("terminal", "size", f"{columns}x{rows}" if columns else "unknown", fault)


def _size() -> tuple[int, int]:
    """Columns and rows of the first stream that is a terminal; zeros where none is."""
    for stream in (sys.stderr, sys.stdout, sys.stdin):
        try:
            size = os.get_terminal_size(stream.fileno())
        except (OSError, ValueError):
            continue
        return size.columns, size.lines
    return 0, 0


def _configuration(environ: Mapping[str, str], start: Path) -> tuple[Config, str]:
    from ctxinspect.config import Config, load_config  # noqa: PLC0415

    try:
        return load_config(start, environ), ""
    except CtxInspectError as error:
        return Config(), str(error)


def _options(config: Config, fault: str, environ: Mapping[str, str], start: Path) -> Iterator[Fact]:
    from ctxinspect.cli.configured import key_bindings  # noqa: PLC0415
    from ctxinspect.config import log_folder, project_file, state_folder, user_file  # noqa: PLC0415
    from ctxinspect.config.load import unknown_variables  # noqa: PLC0415

    user = user_file(environ)
    yield Fact("options", "user file", str(user) + ("" if user.is_file() else "  (absent)"))
    try:
        project = project_file(start)
        yield Fact("options", "project file", str(project.path) if project else "none")
    except CtxInspectError as error:
        yield Fact("options", "project file", "unreadable", str(error))
    yield Fact("options", "values", "in order" if not fault else "refused", fault)
    for line in unknown_variables(environ):
        yield Fact("options", "variable", line.partition(":")[0], line)
    try:
        clashes = key_bindings(config).clashes
        yield Fact("options", "keys", f"{len(config.keys)} changed", "; ".join(clashes))
    except CtxInspectError as error:
        yield Fact("options", "keys", "refused", str(error))
    yield Fact("options", "theme", config.theme + (f" -> {_auto_theme(environ)}" if config.theme == "auto" else ""))
    yield Fact("options", "color", f"{config.color}  ({config.origin('color')})")
    yield _clipboard(config, environ)
    for name, folder in (("state folder", state_folder()), ("log folder", log_folder())):
        yield Fact("options", name, str(folder), "" if _writable(folder) else "cannot be written to")


def _auto_theme(environ: Mapping[str, str]) -> str:
    full = environ.get("COLORTERM") in ("truecolor", "24bit") and not environ.get("NO_COLOR")
    return "ctx-dark" if full else "ctx-ansi"


def _writable(folder: Path) -> bool:
    """Whether the folder, or the nearest one above it that is there, can be written to."""
    there = next((path for path in (folder, *folder.parents) if path.exists()), folder)
    return there.is_dir() and os.access(there, os.W_OK)


def _clipboard(config: Config, environ: Mapping[str, str]) -> Fact:
    """How a short text would be copied from here."""
    from ctxinspect.tui.clipboard import facts_here, routes  # noqa: PLC0415
    from ctxinspect.tui.programs import Programs  # noqa: PLC0415

    programs = Programs(config.clipboard, config.clipboard_command, config.pager, config.editor)
    try:
        found = [" ".join(route.command) or route.kind for route in routes(facts_here(programs, environ), 1000)]
    except CtxInspectError as error:
        return Fact("options", "clipboard", "refused", str(error))
    return Fact("options", "clipboard", ", else ".join(found))


def _installation() -> Iterator[Fact]:
    from ctxinspect.tokens.vocab import SHA256, encoding  # noqa: PLC0415

    yield Fact("installation", "platform", platform.platform(terse=True))
    yield Fact("installation", "python", f"{platform.python_version()} {sys.executable}")
    for name in ("ctxinspect", "textual", "click", "pydantic", "tiktoken", "platformdirs", "zstandard"):
        try:
            yield Fact("installation", name, version(name))
        except PackageNotFoundError:
            yield Fact("installation", name, "absent", "" if name == "zstandard" else "reinstall ctxinspect")
    for name in SHA256:
        try:
            tokens = encoding(name).n_vocab
            yield Fact("installation", name, f"intact, {tokens} tokens")
        except (RuntimeError, OSError) as error:
            yield Fact("installation", name, "damaged", str(error))
