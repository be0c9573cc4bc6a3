"""`ctxinspect snapshot check|update DIR`: contexts that were approved, and what differs from them now."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ctxinspect.cli.exits import USAGE, Found
from ctxinspect.cli.sessions import open_replay, session_options
from ctxinspect.cli.stdio import emit_lines, narrate, write_atomically
from ctxinspect.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["command"]

_SUFFIX = ".context.txt"
_SESSIONS = (".json", ".jsonl")


@click.command()
@click.argument("action", type=click.Choice(["check", "update"]))
@click.argument("folder", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path))
@session_options
def command(action: str, folder: Path, overrides: tuple[str, ...], thread: str | None, format_name: str | None) -> None:
    """Compare the sessions in DIR with their approved contexts, or approve what they are now.

    NAME.json or NAME.jsonl in DIR is a session, NAME.json.context.txt its approved context.
    """
    texts: dict[Path, str] = {}
    broken = False
    for file in _sessions(folder):
        try:
            from ctxinspect.view.snapshot import snapshot_text  # noqa: PLC0415

            texts[file] = snapshot_text(open_replay(str(file), overrides, thread=thread, format_name=format_name))
        except InputError as error:
            narrate(f"ctxinspect: {error}")
            broken = True
    if not texts and not broken:
        msg = f"{folder}: holds no session; expected files that end in .json or .jsonl"
        raise InputError(msg)
    if broken and action == "update":
        raise click.exceptions.Exit(USAGE)
    if action == "update":
        for file, text in texts.items():
            write_atomically(_approved(file), text)
            narrate(f"approved {_approved(file)}")
        return
    differs = False
    for file, text in texts.items():
        try:
            found = list(_differences(file, text))
        except InputError as error:
            narrate(f"ctxinspect: {error}")
            broken = True
            continue
        emit_lines(f"{file}: {line}" for line in found)
        differs = differs or bool(found)
    if broken:
        raise click.exceptions.Exit(USAGE)
    if differs:
        raise Found


def _sessions(folder: Path) -> list[Path]:
    return sorted(file for file in folder.iterdir() if file.suffix in _SESSIONS and file.is_file())


def _approved(file: Path) -> Path:
    return file.with_name(file.name + _SUFFIX)


def _differences(file: Path, text: str) -> Iterator[str]:
    from ctxinspect.view.snapshot import compare  # noqa: PLC0415

    path = _approved(file)
    if not path.exists():
        msg = f"{path}: no approved context for {file.name}; approve it with `ctxinspect snapshot update {file.parent}`"
        raise InputError(msg)
    approved = path.read_bytes().decode("utf-8", errors="replace").replace("\r\n", "\n")
    yield from compare(approved, text.encode("utf-8", errors="backslashreplace").decode(), str(path))
