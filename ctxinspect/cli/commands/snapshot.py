"""`ctxinspect snapshot check|update DIR`: contexts that were approved, and by which cause they differ from them now.

Nothing is written but by `update`, and by it only where every session opens and every file in the way is an approved
context of this format; each file is written whole or not at all.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ctxinspect.cli.exits import USAGE, Found
from ctxinspect.cli.sessions import open_replay, session_options
from ctxinspect.cli.stdio import emit_lines, narrate, write_atomically
from ctxinspect.errors import CtxInspectError, InputError, SettingsError, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ctxinspect.view.snapshot_diff import SnapshotDiff

__all__ = ["command"]

_SUFFIX = ".context.txt"
_SESSIONS = (".json", ".jsonl", ".ndjson", ".har", ".eval", ".gz", ".zst")
_SHOWN = 100
"""Differences of one session that are printed without --full."""


@click.command()
@click.argument("action", type=click.Choice(["check", "update"]))
@click.argument("folder", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("names", metavar="[NAME…]", nargs=-1)
@click.option("--full", is_flag=True, help=f"check: print every difference, not only the first {_SHOWN} of a session.")
@click.option("--force", is_flag=True, help="update: write over a file that is no approved context of this format.")
@session_options
def command(
    action: str,
    folder: Path,
    names: tuple[str, ...],
    full: bool,  # noqa: FBT001 - a click flag
    force: bool,  # noqa: FBT001 - a click flag
    overrides: tuple[str, ...],
    thread: str | None,
    format_name: str | None,
) -> None:
    """Compare the sessions in DIR with their approved contexts (exit 1: they differ), or approve what they are now.

    NAME.json (or .jsonl, …) in DIR is a session, NAME.json.context.txt its approved context. With NAME… only these.
    """
    files = _sessions(folder, names)
    faults = [] if names else _leftover(folder, files)
    texts: dict[Path, str] = {}
    for file in files:
        try:
            texts[file] = _text(file, overrides, thread, format_name)
        except SettingsError:
            raise
        except (CtxInspectError, OSError) as error:
            faults.append(str(error) if isinstance(error, CtxInspectError) else f"{file}: {error}")
    differs = _check(texts, faults, None if full else _SHOWN) if action == "check" else _update(texts, faults, force)
    if faults:
        for fault in faults:
            narrate(f"ctxinspect: {fault}")
        if action == "update":
            narrate("ctxinspect: nothing was written")
        raise click.exceptions.Exit(USAGE)
    if differs:
        raise Found


def _sessions(folder: Path, names: Sequence[str]) -> list[Path]:
    found = sorted(file for file in folder.iterdir() if file.suffix in _SESSIONS and file.is_file())
    if not names:
        if not found and not any(folder.glob(f"*{_SUFFIX}")):
            raise InputError(
                "holds no session", file=str(folder), remedy=f"expected files that end in {', '.join(_SESSIONS)}"
            )
        return found
    chosen = []
    for name in names:
        file = next((file for file in found if Path(name).name in (file.name, file.stem)), None)
        if file is None:
            msg = f"{name}: no such session in {folder}; there are: {', '.join(file.name for file in found) or 'none'}"
            raise UsageError(msg)
        chosen.append(file)
    return chosen


def _leftover(folder: Path, files: Sequence[Path]) -> list[str]:
    """Approved contexts whose session is not there any more: nobody would notice that they check nothing."""
    known = {_approved(file) for file in files}
    return [
        f"{path}: its session {path.name.removesuffix(_SUFFIX)} is not there; bring it back or delete the file"
        for path in sorted(folder.glob(f"*{_SUFFIX}"))
        if path not in known
    ]


def _approved(file: Path) -> Path:
    return file.with_name(file.name + _SUFFIX)


def _text(file: Path, overrides: tuple[str, ...], thread: str | None, format_name: str | None) -> str:
    from ctxinspect.view.snapshot import snapshot_text  # noqa: PLC0415

    return snapshot_text(open_replay(str(file), overrides, thread=thread, format_name=format_name))


def _compared(file: Path, text: str) -> SnapshotDiff:
    """What differs from the approved file. Raises InputError where there is none of this format."""
    from ctxinspect.view.snapshot_diff import compare  # noqa: PLC0415

    path = _approved(file)
    try:
        approved = path.read_bytes().decode("utf-8").replace("\r\n", "\n")
    except FileNotFoundError as error:
        remedy = f"look at it and approve it with `ctxinspect snapshot update {file.parent} {file.name}`"
        msg = f"no approved context for {file.name}"
        raise InputError(msg, file=str(path), remedy=remedy) from error
    except UnicodeDecodeError as error:
        raise InputError("not UTF-8", file=str(path), remedy="restore the approved context") from error
    return compare(approved, text, str(path))


def _check(texts: dict[Path, str], faults: list[str], limit: int | None) -> bool:
    """Print what differs; faults are added. Returns whether anything differs."""
    differs = False
    for file, text in texts.items():
        try:
            found = _compared(file, text)
        except (InputError, OSError) as error:
            faults.append(str(error))
            continue
        emit_lines(line if line.startswith("    ") else f"{file}: {line}" for line in found.lines(limit))
        differs = differs or bool(found.differences)
    return differs


def _update(texts: dict[Path, str], faults: list[str], force: bool) -> bool:  # noqa: FBT001
    """Write what is approved now, and say what changed by it; nothing where there is a fault. Returns False."""
    said: dict[Path, str] = {}
    for file, text in texts.items():
        said[file] = "new"
        if not _approved(file).exists():
            continue
        try:
            found = _compared(file, text)
        except (InputError, OSError) as error:
            if not force:
                faults.append(str(error))
            said[file] = "written anew"
        else:
            said[file] = next(iter(found.lines()), "unchanged")
    if not faults:
        for file, text in texts.items():
            if said[file] != "unchanged":
                write_atomically(_approved(file), text)
            narrate(f"approved {_approved(file)}: {said[file]}")
    return False
