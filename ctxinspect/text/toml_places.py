"""TOML texts with their places, since the standard parser forgets them: errors name file, key and line.

What cannot be found (a key inside an inline table) has the line of what holds it.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ctxinspect.errors import InputError
from ctxinspect.text.nearest import nearest

__all__ = ["TomlText", "line_of", "toml_text"]

_HEADER = re.compile(r"\s*(\[\[?)\s*([^\[\]#]+?)\s*\]\]?\s*(?:#.*)?")
_KEY = re.compile(r"""\s*((?:"(?:[^"\\]|\\.)*"|'[^']*'|[A-Za-z0-9_-]+|\s*\.\s*)+?)\s*=""")
_PART = re.compile(r"""\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([A-Za-z0-9_-]+))\s*""")


@dataclass(frozen=True)
class TomlText:
    """A TOML text and the name of its file, which errors begin with."""

    text: str
    file: str

    @cached_property
    def data(self) -> dict[str, Any]:
        """What it holds. Raises InputError with the line where it is no TOML."""
        try:
            return tomllib.loads(self.text)
        except tomllib.TOMLDecodeError as error:
            found = re.search(r"line (\d+)", str(error))
            reason = re.sub(r" *\(at [^)]*\)$", "", str(error))
            line = int(found[1]) if found else max(1, len(self.text.splitlines()))
            raise InputError("not TOML: " + reason, file=self.file, line=line) from error

    def fault(self, path: Sequence[str | int], reason: str, remedy: str | None = None) -> InputError:
        """An error at this path."""
        return InputError(reason, file=self.file, line=line_of(self.text, path), remedy=remedy)

    def only(self, table: Mapping[str, Any], keys: Iterable[str], path: Sequence[str | int] = ()) -> None:
        """Raise InputError for the first key of the table at `path` that is not among these, naming the nearest."""
        known = tuple(keys)
        for key in table:
            if key not in known:
                name = ".".join(str(part) for part in (*path, key) if isinstance(part, str))
                raise self.fault(
                    (*path, key), f"unknown key {name!r}", nearest(key, known) or "keys: " + ", ".join(known)
                )


def line_of(text: str, path: Sequence[str | int]) -> int:
    """The 1-based line of a path such as `("lint", "select")` or `("breakpoint", 2, "on")`; 1 where nothing is found.

    A number in the path is the place in an array of tables.
    """
    wanted = tuple(path)
    best, best_line = 0, 1
    table: tuple[str | int, ...] = ()
    counts: dict[tuple[str | int, ...], int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        header = _HEADER.fullmatch(line)
        if header is not None:
            names = _parts(header[2])
            if header[1] == "[[":
                counts[names] = counts.get(names, -1) + 1
            table = _numbered(names, counts)
            found = table
        else:
            key = _KEY.match(line)
            if key is None:
                continue
            found = (*table, *_parts(key[1]))
        if len(found) > best and wanted[: len(found)] == found:
            best, best_line = len(found), number
    return best_line


def _parts(dotted: str) -> tuple[str, ...]:
    return tuple(next(part for part in match.groups() if part is not None) for match in _PART.finditer(dotted))


def _numbered(names: tuple[str, ...], counts: dict[tuple[str | int, ...], int]) -> tuple[str | int, ...]:
    """A header's path with the place of every array of tables in it."""
    path: tuple[str | int, ...] = ()
    for at in range(len(names)):
        path = (*path, names[at])
        if names[: at + 1] in counts:
            path = (*path, counts[names[: at + 1]])
    return path


def toml_text(value: str) -> str:
    """A text as a TOML basic string; what UTF-8 cannot hold becomes U+FFFD."""
    escaped = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
    out = []
    for char in value.encode("utf-8", "replace").decode("utf-8"):
        plain = char if char >= " " and char != "\x7f" else f"\\u{ord(char):04x}"
        out.append(escaped.get(char, plain))
    return '"' + "".join(out) + '"'
