"""From files, environment and flags to one configuration: flag, environment, nearest project file, user file, default.

The environment is handed in, never looked up. A value that does not fit is one line that names its file, key and line,
its variable or its flag, and what would be right.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

from pydantic import TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from ctxinspect.config.files import ConfigFile, existing_user_file, project_file
from ctxinspect.config.options import USER_ONLY, Config, Origin, Source, option_fields
from ctxinspect.errors import CtxInspectError, InputError, UsageError
from ctxinspect.text.nearest import nearest

__all__ = ["PREFIX", "allowed", "config_of", "file_faults", "load_config", "unknown_variables", "variable_of"]

PREFIX = "CTXINSPECT_"
_OTHER_VARIABLES = ("CTXINSPECT_CONFIG",)
_WORDS = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}

_MANY = 8
"""More words than this are not listed where one of them is near."""

Layer = dict[str, tuple[Any, Origin]]
"""Values by dotted path, each with its origin."""


def load_config(start: Path, environ: Mapping[str, str], flags: Mapping[str, Any] | None = None) -> Config:
    """The configuration in force in the folder `start`.

    `flags` are options by dotted path; null values are flags that were not given. Raises InputError or UsageError, one
    line.
    """
    return config_of(existing_user_file(environ), project_file(start), environ, flags or {})


def config_of(
    user: ConfigFile | None, project: ConfigFile | None, environ: Mapping[str, str], flags: Mapping[str, Any]
) -> Config:
    """The configuration of these sources. Raises InputError or UsageError, one line."""
    layer: Layer = {}
    for path, names in (("pager", ("PAGER",)), ("editor", ("VISUAL", "EDITOR"))):
        given = next((name for name in names if environ.get(name)), None)
        if given is not None:
            layer[path] = (environ[given], Origin("environment", given))
    for file, source in ((user, "user file"), (project, "project file")):
        if file is not None:
            layer |= _file_layer(file, source)  # type: ignore[arg-type]
    layer |= _color_layer(environ) | _environment_layer(environ) | _flag_layer(flags)
    return _joined(layer)


def file_faults(file: ConfigFile, source: Source) -> list[CtxInspectError]:
    """Everything that is wrong in a file, in its order."""
    faults: list[CtxInspectError] = []
    try:
        for _ in _file_values(file, source, faults):
            pass
        if not faults:
            _joined(_file_layer(file, source))
    except CtxInspectError as error:
        faults.append(error)
    return faults


def variable_of(path: str) -> str:
    """The environment variable of an option: `CTXINSPECT_LINT_FAIL_ON`."""
    return PREFIX + path.replace(".", "_").upper()


def unknown_variables(environ: Mapping[str, str]) -> list[str]:
    """Variables that begin like ours and mean nothing, each with the nearest that does."""
    known = [*map(variable_of, option_fields()), *_OTHER_VARIABLES]
    strange = sorted(name for name in environ if name.startswith(PREFIX) and name not in known)
    return [f"{name}: no such variable; {nearest(name, known) or 'see docs/configuration.md'}" for name in strange]


# --- layers ---


def _file_layer(file: ConfigFile, source: Source) -> Layer:
    """A file's values. Raises InputError for the first that does not fit."""
    faults: list[CtxInspectError] = []
    layer = dict(_file_values(file, source, faults))
    if faults:
        raise faults[0]
    return layer


def _file_values(
    file: ConfigFile, source: Source, faults: list[CtxInspectError]
) -> Iterator[tuple[str, tuple[Any, Origin]]]:
    """The values that fit; what does not is added to `faults`."""
    table: Any = file.source.data
    for name in file.table:
        table = table.get(name, {}) if isinstance(table, dict) else {}
    fields = option_fields()
    for path, value, inner in _leaves(table, fields):
        place = (*file.table, *inner)
        try:
            if path is None:
                raise _unknown(file, inner, fields)
            if source == "project file" and path in USER_ONLY:
                reason = f"{path} names a program or a file, and a project may not"
                raise file.source.fault(place, reason, "put it in the user file; `ctxinspect config path` names it")
            field = fields[path] if path in fields else Config.model_fields["keys"]
            fitting = _fitting(path, value, field)
        except InputError as error:
            faults.append(error)
        except ValueError as error:
            faults.append(file.source.fault(place, f"{path} is {_shown(value)}", str(error)))
        else:
            line = file.source.fault(place, "").line
            assert path is not None
            yield path, (fitting, Origin(source, f"{file.path}:{line}"))


def _leaves(table: Any, fields: Mapping[str, FieldInfo]) -> Iterator[tuple[str | None, Any, tuple[str, ...]]]:
    """Path, value and place of every value; the path is null where there is no such option."""
    sections = {path.split(".")[0] for path in fields if "." in path}
    for name, value in table.items() if isinstance(table, dict) else ():
        if name == "keys" and isinstance(value, dict):
            yield from _key_leaves(value, ("keys",))
        elif name in sections and isinstance(value, dict):
            for inner, item in value.items():
                path = f"{name}.{inner}"
                yield path if path in fields else None, item, (name, inner)
        else:
            yield name if name in fields else None, value, (name,)


def _key_leaves(table: Mapping[str, Any], place: tuple[str, ...]) -> Iterator[tuple[str, Any, tuple[str, ...]]]:
    """The keys of actions: `request.next = "n"` is a table in a table, `"request.next" = "n"` is not."""
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _key_leaves(value, (*place, name))
        else:
            yield ".".join((*place, name)), [value] if isinstance(value, str) else value, (*place, name)


def _unknown(file: ConfigFile, place: tuple[str, ...], fields: Mapping[str, FieldInfo]) -> InputError:
    name = ".".join(place)
    known = [*fields, "keys", *sorted({path.split(".")[0] for path in fields if "." in path})]
    table = f" in [{'.'.join(file.table)}]" if file.table else ""
    remedy = nearest(name, known) or "`ctxinspect config show` lists all options"
    return file.source.fault((*file.table, *place), f"unknown key {name!r}{table}", remedy)


def _color_layer(environ: Mapping[str, str]) -> Layer:
    """What other programs understand too (https://no-color.org, https://bixense.com/clicolors)."""
    if environ.get("NO_COLOR"):
        return {"color": ("never", Origin("environment", "NO_COLOR"))}
    if environ.get("TERM") == "dumb":
        return {"color": ("never", Origin("environment", "TERM"))}
    for name in ("FORCE_COLOR", "CLICOLOR_FORCE"):
        if environ.get(name, "0") not in ("", "0"):
            return {"color": ("always", Origin("environment", name))}
    return {}


def _environment_layer(environ: Mapping[str, str]) -> Layer:
    layer: Layer = {}
    for path, field in option_fields().items():
        name = variable_of(path)
        given = environ.get(name)
        if given:
            try:
                layer[path] = (_fitting(path, _typed(given, field), field), Origin("environment", name))
            except ValueError as error:
                msg = f"{name}={given}: {error}"
                raise UsageError(msg) from error
    return layer


def _typed(text: str, field: FieldInfo) -> Any:
    """A variable's text as its option wants it; as it is where that cannot be done."""
    if field.annotation is bool:
        return _WORDS.get(text.strip().lower(), text)
    if field.annotation is int and text.strip().isdecimal():
        return int(text)
    if get_origin(field.annotation) is Mapping:
        return _from_json(text)
    if "tuple" in str(field.annotation):
        return [part.strip() for part in text.split(",") if part.strip()]
    return text


def _from_json(text: str) -> Any:
    """A table in a variable is written as JSON; what is none stays as it is."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def _flag_layer(flags: Mapping[str, Any]) -> Layer:
    layer: Layer = {}
    fields = option_fields()
    for path, value in flags.items():
        if value is None:
            continue
        flag = f"--no-{path}" if value is False else f"--{path.replace('_', '-')}"
        try:
            layer[path] = (_fitting(path, value, fields[path]), Origin("flag", flag))
        except ValueError as error:
            msg = f"{flag} {value}: {error}"
            raise UsageError(msg) from error
    return layer


# --- values ---


def _fitting(path: str, value: Any, field: FieldInfo) -> Any:
    """The value, if the option may have it. Raises ValueError saying what it may have."""
    if path.startswith("keys."):
        if isinstance(value, list) and all(isinstance(key, str) and key for key in value):
            return tuple(value)
        msg = 'expected a key or a list of keys, such as "n" or ["n", "ctrl+n"]'
        raise ValueError(msg)
    kind: Any = Annotated[field.annotation, field]
    try:
        return TypeAdapter(kind, config={"strict": True}).validate_python(value)
    except ValidationError as error:
        words = _options(field.annotation)
        close = nearest(value, words) if words and isinstance(value, str) else ""
        long = close and len(words) > _MANY
        msg = "no such value" if long else f"expected {allowed(field)}"
        msg += f"; {close}" if close else ""
        raise ValueError(msg) from error


def _options(kind: Any) -> list[str]:
    """The words that an option may be; empty where it is no choice."""
    if get_origin(kind) is Literal:
        return [str(word) for word in get_args(kind)]
    return [word for part in get_args(kind) if get_origin(part) is Literal for word in map(str, get_args(part))]


def allowed(field: FieldInfo) -> str:
    """What an option may be, in a few words."""
    words = _options(field.annotation)
    if words:
        return ", ".join(words[:-1]) + " or " + words[-1]
    if field.annotation is bool:
        return "true or false"
    if field.annotation is int:
        limits = {type(item).__name__: item for item in field.metadata}
        low = f" from {limits['Ge'].ge}" if "Ge" in limits else ""
        return f"a whole number{low}" + (f" to {limits['Le'].le}" if "Le" in limits else "")
    if get_origin(field.annotation) is Mapping:
        return "a table of lists of strings (JSON in a variable)"
    return "a list of strings" if "tuple" in str(field.annotation) else "a string"


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    text = f'"{value}"' if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _joined(layer: Layer) -> Config:
    """One configuration of all values. Raises UsageError where they do not fit together."""
    data: dict[str, Any] = {"keys": {}}
    for path, (value, _) in layer.items():
        if path.startswith("keys."):
            data["keys"][path.removeprefix("keys.")] = value
        else:
            *parents, leaf = path.split(".")
            node = data
            for parent in parents:
                node = node.setdefault(parent, {})
            node[leaf] = value
    try:
        config = Config.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        section = ".".join(str(part) for part in first["loc"])
        place = next((str(o.place) for path, (_, o) in reversed(layer.items()) if path.startswith(section)), "")
        msg = f"{place}: {section}: {first['msg'].removeprefix('Value error, ')}"
        raise UsageError(msg) from error
    return config.with_origins({path: origin for path, (_, origin) in layer.items()})
