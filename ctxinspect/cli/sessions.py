"""Opening a session for a command: the file, the thread, the overrides; shared options in one place."""

from __future__ import annotations

import itertools
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from ctxinspect.cli.configured import color_option
from ctxinspect.cli.progress import progress
from ctxinspect.errors import InputError, UsageError

if TYPE_CHECKING:
    from ctxinspect.model.session import Session
    from ctxinspect.pipeline.replay import Replay, View

__all__ = [
    "open_replay",
    "open_session",
    "secrets_option",
    "secrets_shown",
    "session_files",
    "session_options",
    "view_of",
]

_NAMED = 8
"""Sessions of a folder that a refusal names."""

_SHOW_SECRETS = "ctxinspect.show_secrets"

F = TypeVar("F", bound=Callable[..., Any])


def session_options(function: F) -> F:
    """The options of every command on a session: --set, --thread, --from; --show-secrets, --color need no parameter."""
    function = color_option(secrets_option(function))
    for decorate in (
        click.option("--from", "format_name", metavar="FORMAT", help="Read the file as this format."),
        click.option("--thread", metavar="ID", help="Which thread of the file (default: the longest)."),
        click.option("--set", "overrides", multiple=True, metavar="PATH=VALUE", help="Override a setting; repeatable."),
    ):
        function = decorate(function)
    return function


def secrets_option(function: F) -> F:
    """`--show-secrets`, for commands that open sessions; `open_session` finds out by itself whether it was given."""

    def keep(ctx: click.Context, _param: click.Parameter, value: Any) -> None:
        ctx.meta[_SHOW_SECRETS] = bool(value)

    return click.option(
        "--show-secrets",
        is_flag=True,
        expose_value=False,
        callback=keep,
        help="Show keys, tokens and authorization headers, which are masked otherwise.",
    )(function)


def secrets_shown() -> bool:
    """Whether the running command was given `--show-secrets`."""
    ctx = click.get_current_context(silent=True)
    return bool(ctx and ctx.meta.get(_SHOW_SECRETS))


def open_session(file: str, *, thread: str | None = None, format_name: str | None = None) -> Session:
    """The session in a file (`-` is standard input), or the only one in a folder.

    Raises InputError, and UsageError for a folder with several; never waits for a terminal to type.
    """
    from ctxinspect.readers import load  # noqa: PLC0415

    if file != "-" and Path(file).is_dir():
        file = _only_session(Path(file))
    if file == "-" and sys.stdin.isatty():
        msg = "standard input is a terminal; expected a session in a pipe, for example: cat run.jsonl | ctxinspect -"
        raise UsageError(msg)
    source = file if file == "-" else Path(file)
    with progress(f"reading {file}, MB") as tell:
        session = load(
            source,
            thread=thread,
            format_name=format_name,
            progress=lambda done, total: tell(done // 1_000_000, total // 1_000_000),
            show_secrets=secrets_shown(),
        )
    _tell_of_masks(session, file)
    return session


def _only_session(folder: Path) -> str:
    """The file of the one session in a folder."""
    from ctxinspect.readers.folder import list_sessions  # noqa: PLC0415

    found = [str(session.path) for session in itertools.islice(list_sessions(folder), _NAMED + 1)]
    if not found:
        raise _no_session(str(folder))
    if len(found) > 1:
        more = ", …" if len(found) > _NAMED else ""
        names = ", ".join(os.path.relpath(file, folder) for file in found[:_NAMED])
        msg = f"{folder}: a folder with several sessions; name one of them: {names}{more}"
        raise UsageError(msg)
    return found[0]


def _no_session(folder: str) -> InputError:
    return InputError("no session in this folder", file=folder, remedy="`ctxinspect inspect-file` says what is in it")


def session_files(files: Sequence[str]) -> Iterator[str]:
    """The files as they are named; a folder stands for the sessions in it, one by one as they are found.

    Raises InputError for a folder without any.
    """
    from ctxinspect.readers.folder import list_sessions  # noqa: PLC0415

    for file in files:
        if file == "-" or not Path(file).is_dir():
            yield file
            continue
        empty = True
        for session in list_sessions(Path(file)):
            empty = False
            yield str(session.path)
        if empty:
            raise _no_session(file)


def _tell_of_masks(session: Session, file: str) -> None:
    """One line on stderr where secrets were masked, since the masks are what is counted."""
    from ctxinspect.cli.stdio import narrate  # noqa: PLC0415
    from ctxinspect.model.session import Source  # noqa: PLC0415

    number = sum(session.source.masked.values()) if isinstance(session.source, Source) else 0
    if number:
        what = "1 secret is" if number == 1 else f"{number} secrets are"
        narrate(f"ctxinspect: {file}: {what} masked, and the masks are counted; --show-secrets shows them")


def open_replay(
    file: str, overrides: tuple[str, ...] = (), *, thread: str | None = None, format_name: str | None = None
) -> Replay:
    """The replay of a file's session with `--set` applied."""
    from ctxinspect.pipeline.replay import Replay  # noqa: PLC0415
    from ctxinspect.settings import parse_override  # noqa: PLC0415

    replay = Replay(open_session(file, thread=thread, format_name=format_name))
    return replay.fork(dict(parse_override(text) for text in overrides)) if overrides else replay


def view_of(replay: Replay, asked: str | None, overrides: tuple[str, ...]) -> View:
    """The view asked for, else the session's own: RECORDED for a foreign file unless settings were overridden."""
    if asked == "recorded" and not replay.session.foreign:
        msg = "--view recorded: a native session has no recording; its replay is the only view"
        raise UsageError(msg)
    if asked in ("recorded", "replay"):
        return "recorded" if asked == "recorded" else "replay"
    return "replay" if overrides else replay.default_view
