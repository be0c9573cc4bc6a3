"""The native format, read strictly: a typo is an error that names its place, and never a default in silence.

One JSON object, or JSON Lines whose first line is the object without `turns` and whose other lines are one turn each.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from ctxinspect.errors import InputError
from ctxinspect.model.session import FORMAT, Problem, Session, Source, Turn
from ctxinspect.readers.container import Recording, Sample
from ctxinspect.text.nearest import nearest

__all__ = ["read_native", "sniff_native"]

_LONGEST_VALUE = 80
_WANTED = {
    "tuple_type": "should be a list",
    "list_type": "should be a list",
    "model_type": "should be an object",
    "dict_type": "should be an object",
    "string_type": "should be a string",
    "union_tag_invalid": "the type of a part should be text, image, file, audio or thinking",
    "union_tag_not_found": "a part needs a type: text, image, file, audio or thinking",
}


def sniff_native(sample: Sample) -> float:
    """1 where the first object names the native format, a little where it has turns and nothing foreign."""
    head = sample.values[0] if sample.values else None
    if not isinstance(head, dict):
        return 0.0
    name = head.get("format")
    if isinstance(name, str) and name.startswith("ctxinspect/"):
        return 1.0
    turns = head.get("turns")
    looks = isinstance(turns, list) and all(isinstance(turn, dict) and "user" in turn for turn in turns)
    return 0.4 if looks and not head.keys() & {"messages", "contents", "mapping"} else 0.0


def read_native(recording: Recording) -> Session:
    """The session. Raises InputError with file, line (JSON Lines) and JSON path for the first thing that is wrong."""
    records = recording.records()
    head = next(records, None)
    if head is None or not isinstance(head.value, dict):
        raise InputError("expected a JSON object", file=recording.name, line=1, remedy='with "format": "ctxinspect/1"')
    _check_format(head.value, recording.name)
    data = dict(head.value)
    rest = list(records)
    line = head.line if recording.kind == "jsonl" else None
    if rest and "turns" in data:
        raise InputError(
            "turns stand both in the first line and in lines of their own",
            file=recording.name,
            line=line,
            path="$.turns",
            remedy="in JSON Lines the first line is the session without turns",
        )
    try:
        session = Session.model_validate(data)
    except ValidationError as error:
        raise _input_error(error, data, Session, recording.name, line) from error
    turns = session.turns
    if rest:
        turns = tuple(_turn(record.value, record.line, recording.name) for record in rest)
    return session.model_copy(update={"turns": turns, "source": _source(session.source, recording)})


def _check_format(head: Mapping[str, Any], file: str) -> None:
    name = head.get("format", FORMAT)
    if name != FORMAT:
        msg = f"unknown format {_shown(name)}"
        raise InputError(msg, file=file, path="$.format", remedy=f'this version reads "{FORMAT}"')


def _turn(value: Any, line: int | None, file: str) -> Turn:
    try:
        return Turn.model_validate(value)
    except ValidationError as error:
        raise _input_error(error, value, Turn, file, line) from error


def _source(given: Source | str | None, recording: Recording) -> Source | str | None:
    """Where it came from: what the file says of itself, with the problems of this reading added."""
    problems: tuple[Problem, ...] = tuple(recording.problems)
    masked = recording.masked_kinds()
    if isinstance(given, Source):
        more = {"problems": (*given.problems, *problems), "masked": {**given.masked, **masked}}
        return given.model_copy(update=more) if problems or masked else given
    if isinstance(given, str) and not problems and not masked:
        return given
    return Source(
        format=given if isinstance(given, str) else FORMAT,
        file=recording.name,
        family="native",
        container=recording.container,
        records_read=recording.records_read,
        records_skipped=recording.records_skipped,
        problems=problems,
        masked=masked,
    )


def _input_error(error: ValidationError, data: Any, model: type[BaseModel], file: str, line: int | None) -> InputError:
    """One of the faults as an error: an unknown key before all others, else the one that lies deepest."""
    faults = [_Fault(details, data, model) for details in error.errors(include_url=False)]
    fault = min(faults, key=lambda known: known.rank)
    return InputError(fault.reason, file=file, line=line, path=fault.path, remedy=fault.remedy or None)


class _Fault:
    """One validation error with its JSON path: union members in the location are no part of the data, and left out."""

    def __init__(self, details: Mapping[str, Any], data: Any, model: type[BaseModel]) -> None:
        self.kind = str(details["type"])
        self.path = "$"
        self.known: tuple[str, ...] = ()
        self.key = ""
        node = data
        models: tuple[type[BaseModel], ...] = (model,)
        for step in details["loc"]:
            self.known = tuple(dict.fromkeys(name for known in models for name in known.model_fields))
            if isinstance(step, int) and isinstance(node, list) and step < len(node):
                node = node[step]
                self.path += f"[{step}]"
            elif isinstance(step, str) and isinstance(node, Mapping) and self._is_key(step, node):
                self.key = step
                node = node.get(step)
                self.path += f".{step}" if step.isidentifier() else f"[{json.dumps(step)}]"
                models = tuple(_models(models, step))
        self.value = node
        self.message = str(details["msg"]).removeprefix("Value error, ")
        self.depth = self.path.count(".") + self.path.count("[")

    def _is_key(self, step: str, node: Mapping[str, Any]) -> bool:
        return step in node or (self.kind == "missing" and step in self.known)

    @property
    def rank(self) -> tuple[bool, int, str]:
        """Sort key: unknown keys first, then the deepest place."""
        return (self.kind != "extra_forbidden", -self.depth, self.path)

    @property
    def reason(self) -> str:
        """What is wrong, with the value."""
        if self.kind == "extra_forbidden":
            return f'unknown key "{self.key}"'
        if self.kind == "missing":
            return f'required key "{self.key}" is missing'
        if self.kind == "value_error":
            return self.message
        if self.key in ("context_limit", "context_tokens"):
            return f"{self.key} must be a positive integer, not {_shown(self.value)}"
        message = _WANTED.get(self.kind) or (self.message[:1].lower() + self.message[1:]).removeprefix("input ")
        return f"{message}, not {_shown(self.value)}"

    @property
    def remedy(self) -> str:
        """What would be right, where it can be guessed."""
        if self.kind != "extra_forbidden":
            return ""
        return nearest(self.key, self.known) or f"known keys: {', '.join(self.known)}"


def _models(models: tuple[type[BaseModel], ...], key: str) -> Iterator[type[BaseModel]]:
    """The models that a value under this key may be."""
    for model in models:
        field = model.model_fields.get(key)
        if field is not None:
            yield from _inside(field.annotation)


def _inside(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for argument in get_args(annotation):
        yield from _inside(argument)


def _shown(value: Any) -> str:
    """A value as JSON, shortened where it is long, and marked as such."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}… ({len(text)} characters)"
