"""What a test may hand in as a session, and the replay of it under the settings of the test."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeAlias

from pydantic import ValidationError

from ctxinspect.errors import UsageError
from ctxinspect.model.session import Session
from ctxinspect.pipeline.replay import Replay
from ctxinspect.recorder import Recorder

__all__ = ["SessionLike", "replay_of"]

SessionLike: TypeAlias = Session | Replay | Recorder | Mapping[str, Any] | str | os.PathLike[str]
"""A session, its replay, a recorder (as far as it is written), the native format as a dict, or a file of any format."""


def replay_of(session: SessionLike, settings: Mapping[str, Any] | None = None) -> Replay:
    """The replay of a session, with settings by dotted path as `--set` takes them.

    Raises InputError for a file that cannot be read, UsageError for a dict that is no session, SettingsError for a
    setting that is unknown or out of range.
    """
    replay = session if isinstance(session, Replay) else Replay(_session(session))
    return replay.fork(settings) if settings else replay


def _session(given: Session | Recorder | Mapping[str, Any] | str | os.PathLike[str]) -> Session:
    if isinstance(given, Session):
        return given
    if isinstance(given, Mapping):
        try:
            return Session.model_validate(dict(given))
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            place = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in first["loc"])
            msg = f"the dict is no session: ${place}: {first['msg']}"
            raise UsageError(msg) from error
    from ctxinspect.readers import load  # noqa: PLC0415 - only where a file is read

    return load(Path(given.path if isinstance(given, Recorder) else given))
