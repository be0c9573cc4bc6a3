"""A recording made by the user's own agent code: the native format, JSON Lines, one turn a line.

What is always true: the first line is the session without its turns, every other line is one whole turn; a line is
written in one piece, so that who follows the file never reads half of one; what the session model would refuse is
refused at the call that hands it in, naming the field; no clock is read and nothing else is written anywhere.
"""

from __future__ import annotations

import json
import os
import re
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from pydantic import BaseModel, ValidationError

from ctxinspect.errors import RecordingError
from ctxinspect.model.content import Content
from ctxinspect.model.plain import NotJsonError, plain
from ctxinspect.model.session import FORMAT, Component, Round, Session, ToolCall, ToolResult, ToolSchema, Turn, Usage
from ctxinspect.settings import Settings
from ctxinspect.text.nearest import nearest

__all__ = ["Recorder", "TurnRecorder"]

M = TypeVar("M", bound=BaseModel)
_Json = Mapping[str, Any]
_ContentLike = Content | Iterable[_Json]

# Lone surrogates have no UTF-8; the others end a line for readers that split text at every Unicode line end.
_ESCAPED = re.compile("[\ud800-\udfff\x85\u2028\u2029]")


class Recorder:
    """Writes a session turn by turn to `path`.

    A turn is written when it is answered, interrupted or closed, when the next one starts, and when the recorder is
    closed; with `fsync` each line is on the disk before the call returns. All methods may be called from any thread;
    one turn is open at a time.

    An existing file is not touched unless `append` goes on with it (its first line stays; a title, model, component …
    given again must be the same) or `overwrite` replaces it. Raises RecordingError where a value is not what the
    session format holds, and OSError where the file cannot be written.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        title: str | None = None,
        model: str | None = None,
        source: str | None = None,
        context: Settings | _Json | None = None,
        components: Iterable[Component | _Json] = (),
        variables: Mapping[str, str | None] | None = None,
        tools: Iterable[ToolSchema | _Json] = (),
        chat_tools: Iterable[str] = (),
        append: bool = False,
        overwrite: bool = False,
        fsync: bool = False,
    ) -> None:
        given = {
            "title": title,
            "model": model,
            "source": source,
            "context": context,
            "components": _listed(components),
            "variables": variables,
            "tools": _listed(tools),
            "chat_tools": _listed(chat_tools),
        }
        header = _validated(Session, given, "")
        self.path = Path(path)
        self.turns_written = 0
        self._lock = threading.RLock()
        self._open_turn: TurnRecorder | None = None
        self._fsync = fsync
        self._file: int | None = None
        existing = b"" if overwrite or not self.path.exists() else self.path.read_bytes()
        if existing and not append:
            msg = f"{self.path}: exists already; append=True goes on with it, overwrite=True replaces it"
            raise RecordingError(msg)
        if existing:
            self.turns_written = _checked_recording(self.path, existing, header)
        mode = os.O_WRONLY | os.O_CREAT | os.O_APPEND | (0 if existing else os.O_TRUNC) | getattr(os, "O_BINARY", 0)
        self._file = os.open(self.path, mode, 0o644)
        if not existing:
            self._write(header)
        elif not existing.endswith(b"\n"):
            self._write_bytes(b"\n")

    def turn(
        self,
        user: _ContentLike = "",
        *,
        source: str = "user",
        timestamp: str | None = None,
        components: Iterable[Component | _Json] = (),
        variables: Mapping[str, str | None] | None = None,
        inactive_pages: Iterable[str] = (),
        resets_history: bool = False,
        topic: str | None = None,
    ) -> TurnRecorder:
        """Start a turn; a turn still open is written first. The fields are those of a turn in the native format."""
        given = {
            "user": _listed(user),
            "source": source,
            "timestamp": timestamp,
            "components": _listed(components),
            "variables": variables,
            "inactive_pages": _listed(inactive_pages),
            "resets_history": resets_history,
            "topic": topic,
        }
        with self._lock:
            self._require_open()
            turn_id = self.turns_written + (self._open_turn is not None)
            data = _validated(Turn, given, f"turns[{turn_id}]")
            if self._open_turn is not None:
                self._open_turn.close()
            self._open_turn = TurnRecorder(self, turn_id, data)
            return self._open_turn

    def close(self) -> None:
        """Write the turn that is still open and close the file; closing twice is fine."""
        self._finish(interrupted=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._finish(interrupted=kind is not None)

    def _finish(self, *, interrupted: bool) -> None:
        with self._lock:
            if self._file is None:
                return
            try:
                if self._open_turn is not None:
                    self._open_turn.interrupt() if interrupted else self._open_turn.close()
            finally:
                os.close(self._file)
                self._file = None

    def _require_open(self) -> None:
        if self._file is None:
            msg = f"{self.path}: this recorder is closed; open another with append=True"
            raise RecordingError(msg)

    def _write_turn(self, data: _Json) -> None:
        """Write a finished turn and forget it; called with the lock held."""
        self._require_open()
        self._write(data)
        self.turns_written += 1
        self._open_turn = None

    def _write(self, data: _Json) -> None:
        text = json.dumps(data, ensure_ascii=False, allow_nan=False)
        escaped = _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
        self._write_bytes(escaped.encode("utf-8") + b"\n")

    def _write_bytes(self, line: bytes) -> None:
        """One write; where the system took only a part and then failed, that part is taken back."""
        file = self._file
        assert file is not None
        start = os.fstat(file).st_size
        try:
            written = os.write(file, line)
            while written < len(line):
                written += os.write(file, line[written:])
        except OSError:
            os.ftruncate(file, start)
            raise
        if self._fsync:
            os.fsync(file)


class TurnRecorder:
    """One turn while it happens. `turn_id` is its index in the session, `written` whether it is in the file.

    As a context manager it is closed at the end of the block, and marked interrupted where the block was left by an
    exception. After it is written every further call is a RecordingError.
    """

    def __init__(self, recorder: Recorder, turn_id: int, data: _Json) -> None:
        self.turn_id = turn_id
        self.written = False
        self._recorder = recorder
        self._data: dict[str, Any] = dict(data)
        self._rounds: list[dict[str, Any]] = []

    def round(
        self,
        assistant: _ContentLike | None = "",
        *,
        tool_calls: Iterable[ToolCall | _Json] = (),
        tool_results: Iterable[ToolResult | _Json] = (),
        usage: Usage | _Json | None = None,
    ) -> Self:
        """Add a round: one model call, and what came back so far from the tools it asked for (see `result`)."""
        given = {
            "assistant": _listed(assistant),
            "tool_calls": _listed(tool_calls),
            "tool_results": _listed(tool_results),
            "usage": usage,
        }
        with self._recorder._lock:  # noqa: SLF001 - the two classes are one recorder
            self._require_unwritten()
            self._rounds.append(_validated(Round, given, f"{self._place}.rounds[{len(self._rounds)}]"))
        return self

    def result(
        self,
        call_id: str | None,
        content: _ContentLike = "",
        *,
        name: str | None = None,
        is_error: bool = False,
    ) -> Self:
        """Add a tool result to the newest round: for tools that are run after the round was recorded."""
        given = {"call_id": call_id, "name": name, "content": _listed(content), "is_error": is_error}
        with self._recorder._lock:  # noqa: SLF001
            self._require_unwritten()
            if not self._rounds:
                msg = f"{self._place}: a tool result needs a round that called the tool; record the round first"
                raise RecordingError(msg)
            results = self._rounds[-1].setdefault("tool_results", [])
            place = f"{self._place}.rounds[{len(self._rounds) - 1}].tool_results[{len(results)}]"
            results.append(_validated(ToolResult, given, place))
        return self

    def answer(self, assistant: _ContentLike, *, usage: Usage | _Json | None = None) -> None:
        """The final answer: the turn is complete and written."""
        given = {"assistant": _listed(assistant), "usage": usage}
        with self._recorder._lock:  # noqa: SLF001
            self._require_unwritten()
            data = _validated(Turn, given, self._place)
            self._write({name: data[name] for name in ("assistant", "usage") if name in data})

    def interrupt(self) -> None:
        """The turn was stopped before its answer: write it so."""
        self._close(interrupted=True)

    def close(self) -> None:
        """Write the turn as it stands, without a final answer; fine if it is written already."""
        self._close(interrupted=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._close(interrupted=kind is not None)

    @property
    def _place(self) -> str:
        return f"turns[{self.turn_id}]"

    def _close(self, *, interrupted: bool) -> None:
        with self._recorder._lock:  # noqa: SLF001
            if not self.written:
                self._write({"interrupted": True} if interrupted else {})

    def _require_unwritten(self) -> None:
        if self.written:
            msg = f"{self._place}: this turn is written already; start the next one with turn()"
            raise RecordingError(msg)

    def _write(self, ending: _Json) -> None:
        rounds = {"rounds": self._rounds} if self._rounds else {}
        data = {"user": "", **self._data, **rounds, **ending}
        in_order = {name: data[name] for name in Turn.model_fields if name in data}
        self._recorder._write_turn(in_order)  # noqa: SLF001
        self.written = True


def _listed(value: Any) -> Any:
    """A generator or other iterable as a list; strings, mappings, models and None as they are."""
    if value is None or isinstance(value, (str, bytes, Mapping, BaseModel)) or not isinstance(value, Iterable):
        return value
    return list(value)


def _validated(kind: type[M], given: Mapping[str, Any], place: str) -> dict[str, Any]:
    """The given fields, checked against the model, as plain JSON. Raises RecordingError naming the field."""
    try:
        data = {name: value for name, value in given.items() if value is not None}
        return dict(plain(kind.model_validate(data), f".{place}" if place else ""))
    except ValidationError as error:
        raise RecordingError(_sentence(error, given, place)) from None
    except NotJsonError as error:
        raise RecordingError(str(error)) from None


def _sentence(error: ValidationError, given: Mapping[str, Any], place: str) -> str:
    """The most specific fault as one line: place, what is wrong, and the nearest known key for an unknown one."""
    faults = [(_path(fault["loc"], given, missing=fault["type"] == "missing"), fault) for fault in error.errors()]
    path, fault = max(faults, key=lambda each: len(each[0]))
    where = place + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    if fault["type"] == "extra_forbidden":
        hint = nearest(str(path[-1]), sorted(_known_keys()))
        return f"{where.removeprefix('.')}: no such field{'; ' + hint if hint else ''}"
    return f"{where.removeprefix('.')}: {fault['msg']}".replace("\n", " ")


def _path(loc: tuple[int | str, ...], given: Any, *, missing: bool) -> tuple[int | str, ...]:
    """The steps of a validation error that lead through the data, without the names of union members."""
    steps: list[int | str] = []
    node = given
    for part in loc:
        if isinstance(node, BaseModel) and isinstance(part, str) and hasattr(node, part):
            node = getattr(node, part)
        elif (isinstance(node, Mapping) and part in node) or (
            isinstance(node, (list, tuple)) and isinstance(part, int) and part < len(node)
        ):
            node = node[part]  # type: ignore[index]
        else:
            continue
        steps.append(part)
    return (*steps, loc[-1]) if missing else tuple(steps)


def _known_keys() -> set[str]:
    kinds: tuple[type[BaseModel], ...] = (
        Session,
        Settings,
        Component,
        ToolSchema,
        Turn,
        Round,
        ToolCall,
        ToolResult,
        Usage,
    )
    nested = (field.annotation for field in Settings.model_fields.values())
    groups = (kind for kind in nested if isinstance(kind, type) and issubclass(kind, BaseModel))
    return {name for kind in (*kinds, *groups) for name in kind.model_fields}


def _checked_recording(path: Path, existing: bytes, header: Mapping[str, Any]) -> int:
    """How many turns a recording to be continued holds. Raises RecordingError where it cannot be continued."""
    first, *rest = existing.split(b"\n")
    try:
        known = json.loads(first)
    except ValueError:
        known = None
    if not isinstance(known, dict) or known.get("format") != FORMAT:
        msg = f"{path}:1: not a recording of this format; its first line would be a session with format {FORMAT!r}"
        raise RecordingError(msg)
    if "turns" in known:
        msg = f"{path}:1: a session in one piece cannot be appended to; JSON Lines has no `turns` in its first line"
        raise RecordingError(msg)
    for name, value in header.items():
        if known.get(name) != value:
            msg = f"{name}: not what {path} says; a recording has one, so start another file or leave it out"
            raise RecordingError(msg)
    return sum(bool(line.strip()) for line in rest)
