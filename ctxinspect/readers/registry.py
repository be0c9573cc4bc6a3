"""The formats, found by looking into `readers.formats`: one module each, with a module constant `FORMAT`.

Recognition is by content only. Scores lie in 0 … 1; equal scores are ordered by name, so the choice never depends on
the order of files.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from ctxinspect.errors import UsageError
from ctxinspect.readers import formats
from ctxinspect.readers.container import Recording, Sample
from ctxinspect.readers.reading import Dialect, Family, Reading
from ctxinspect.text.nearest import nearest

__all__ = ["Format", "format_named", "known_formats", "ranked"]


@dataclass(frozen=True, slots=True)
class Format:
    """A recorded-session format: how to recognise it and how to read it.

    `sniff` gives the share of the sample that is this format's own, weighed by how specific its keys are: 0.9 and more
    for keys nobody else has, 0.5 for shapes that several formats share. `read` raises InputError where the file turns
    out to be another.
    """

    name: str
    title: str
    sniff: Callable[[Sample], float]
    read: Callable[[Recording], Reading]
    dialect: Dialect | None = None
    family: Family | None = None


@cache
def known_formats() -> tuple[Format, ...]:
    """Every foreign format, by name."""
    names = [module.name for module in pkgutil.iter_modules(formats.__path__) if not module.name.startswith("_")]
    found: list[Format] = [importlib.import_module(f"{formats.__name__}.{name}").FORMAT for name in names]
    return tuple(sorted(found, key=lambda known: known.name))


def format_named(name: str) -> Format:
    """The format of this name, or the only one whose name begins so. Raises UsageError naming the nearest ones."""
    wanted = name.replace("-", "_").lower()
    begun = [known for known in known_formats() if wanted and known.name.startswith(wanted)]
    for known in begun:
        if known.name == wanted or len(begun) == 1:
            return known
    names = [known.name for known in known_formats()]
    if begun:
        hint = f"names that begin so: {', '.join(known.name for known in begun)}"
    else:
        hint = nearest(wanted, names) or f"known: {', '.join(['native', *names])}"
    msg = f"no format {name!r}; {hint}"
    raise UsageError(msg)


def ranked(sample: Sample) -> list[tuple[float, Format]]:
    """Formats that recognise something in the sample, best first."""
    scored = [(_score(known, sample), known) for known in known_formats()]
    return sorted((entry for entry in scored if entry[0] > 0), key=lambda entry: (-entry[0], entry[1].name))


def _score(known: Format, sample: Sample) -> float:
    """The format's score; a file so odd that its sniffer stumbles is not one of its own."""
    try:
        return round(known.sniff(sample), 9)
    except (KeyError, TypeError, AttributeError, IndexError, ValueError, RecursionError):
        return 0.0
