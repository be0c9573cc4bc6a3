"""Breakpoints: predicates with an id, a switch and a count to pass over, and the file that keeps them.

A collection never changes; every edit gives a new one, and an id is never used twice. Where they stop is worked out in
`hit_index`. The file is TOML, and reading what was written gives the same collection.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ctxinspect.errors import InputError, UsageError
from ctxinspect.pipeline.predicate import Predicate, parse
from ctxinspect.text.toml_places import TomlText, toml_text

__all__ = ["FORMAT", "Breakpoint", "Breakpoints", "dump_breakpoints", "load_breakpoints", "parse_breakpoints"]

FORMAT = "ctxinspect-breaks/1"
_KEYS = {"id": int, "on": str, "enabled": bool, "ignore": int, "once": bool}
_WANTED = {int: "a whole number", str: "a string", bool: "true or false"}


@dataclass(frozen=True, slots=True)
class Breakpoint:
    """One breakpoint: stops where `expression` holds, after `ignore` stops from the session's start; `once`: one time."""

    id: int
    expression: str
    enabled: bool = True
    ignore: int = 0
    once: bool = False

    @property
    def predicate(self) -> Predicate:
        """The expression as a tree. Raises UsageError where it cannot be read."""
        return parse(self.expression)


@dataclass(frozen=True, slots=True)
class Breakpoints:
    """Breakpoints in the order of their ids; `last_id` is the highest id ever given."""

    items: tuple[Breakpoint, ...] = ()
    last_id: int = 0

    def __iter__(self) -> Iterator[Breakpoint]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    @property
    def enabled(self) -> tuple[Breakpoint, ...]:
        """Those that are switched on."""
        return tuple(item for item in self.items if item.enabled)

    def get(self, number: int) -> Breakpoint:
        """The breakpoint of this id. Raises UsageError naming the ids there are."""
        for item in self.items:
            if item.id == number:
                return item
        known = ", ".join(str(item.id) for item in self.items)
        msg = f"no breakpoint {number}; " + (f"there are {known}" if known else "none is set")
        raise UsageError(msg)

    def add(self, expression: str, *, once: bool = False) -> Breakpoints:
        """With one more; its id is the new `last_id`. Raises UsageError where the expression cannot be read."""
        parse(expression)
        new = Breakpoint(self.last_id + 1, expression.strip(), once=once)
        return Breakpoints((*self.items, new), new.id)

    def remove(self, number: int) -> Breakpoints:
        """Without this one."""
        gone = self.get(number)
        return replace(self, items=tuple(item for item in self.items if item is not gone))

    def replace(self, number: int, expression: str) -> Breakpoints:
        """With another expression at this id. Raises UsageError where it cannot be read."""
        parse(expression)
        return self._with(replace(self.get(number), expression=expression.strip()))

    def toggle(self, number: int, *, enabled: bool | None = None) -> Breakpoints:
        """With this one switched over, or on or off as asked."""
        item = self.get(number)
        return self._with(replace(item, enabled=not item.enabled if enabled is None else enabled))

    def with_ignore(self, number: int, ignore: int) -> Breakpoints:
        """With this one passing over so many stops, counted from the start of the session."""
        if ignore < 0:
            msg = f"ignore {ignore}: expected 0 or more"
            raise UsageError(msg)
        return self._with(replace(self.get(number), ignore=ignore))

    def _with(self, new: Breakpoint) -> Breakpoints:
        return replace(self, items=tuple(new if item.id == new.id else item for item in self.items))


def dump_breakpoints(breakpoints: Iterable[Breakpoint]) -> str:
    """The file's text; keys at their default are left out."""
    lines = [f'format = "{FORMAT}"']
    for item in breakpoints:
        lines += ["", "[[breakpoint]]", f"id = {item.id}", f"on = {toml_text(item.expression)}"]
        lines += [] if item.enabled else ["enabled = false"]
        lines += [f"ignore = {item.ignore}"] if item.ignore else []
        lines += ["once = true"] if item.once else []
    return "\n".join(lines) + "\n"


def load_breakpoints(path: Path | str) -> Breakpoints:
    """The breakpoints in a file. Raises InputError naming file, line and key; OSError where it cannot be opened."""
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError("not UTF-8", file=str(path), remedy="expected a TOML file of breakpoints") from error
    return parse_breakpoints(text, str(path))


def parse_breakpoints(text: str, file: str = "breakpoints") -> Breakpoints:
    """The breakpoints in a text; `file` is its name in errors. Raises InputError."""
    source = TomlText(text, file)
    data = source.data
    source.only(data, ("format", "breakpoint"))
    if data.get("format") != FORMAT:
        found = "no format" if "format" not in data else f"format is {data['format']!r}"
        raise source.fault(("format",), found, f'expected format = "{FORMAT}"')
    tables = data.get("breakpoint", [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise source.fault(("breakpoint",), "breakpoint is no table", "expected [[breakpoint]]")
    return _numbered([_read(table, at, source) for at, table in enumerate(tables)], source)


def _read(table: Mapping[str, Any], at: int, source: TomlText) -> Breakpoint:
    """One table as a breakpoint; id 0 where it has none."""
    source.only(table, _KEYS, ("breakpoint", at))
    for key, value in table.items():
        if type(value) is not _KEYS[key] or (isinstance(value, int) and value < (key == "id")):
            wanted = _WANTED[_KEYS[key]] + (" from 1" if key == "id" else " from 0" if key == "ignore" else "")
            raise source.fault(("breakpoint", at, key), f"{key} is {value!r}", f"expected {wanted}")
    if "on" not in table:
        raise source.fault(("breakpoint", at), "a breakpoint without on", 'expected on = "EXPR"')
    try:
        parse(table["on"])
    except UsageError as error:
        raise source.fault(("breakpoint", at, "on"), f"on: {error}") from error
    return Breakpoint(
        table.get("id", 0), table["on"], table.get("enabled", True), table.get("ignore", 0), table.get("once", False)
    )


def _numbered(items: list[Breakpoint], source: TomlText) -> Breakpoints:
    """All of them in the order of ids; those without get the next free ones."""
    taken: set[int] = set()
    for at, item in enumerate(items):
        if item.id in taken:
            raise source.fault(("breakpoint", at, "id"), f"id {item.id} twice", "leave the id out to get a free one")
        taken |= {item.id} - {0}
    last = max(taken, default=0)
    numbered = []
    for item in items:
        last += item.id == 0
        numbered.append(item if item.id else replace(item, id=last))
    return Breakpoints(tuple(sorted(numbered, key=lambda item: item.id)), last)
