"""What a file is: the formats that recognise it, or what it is instead and what to do. Content only, never the name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ctxinspect.errors import InputError
from ctxinspect.readers.container import Recording, Sample
from ctxinspect.readers.native import sniff_native
from ctxinspect.readers.recognised import recognise
from ctxinspect.readers.registry import Format, known_formats, ranked

__all__ = ["Identity", "identify"]

_SURE = 0.6
"""From this score on a format is believed, whatever else the file resembles."""


_TELLING = ("messages", "turns", "contents", "conversations", "input", "history", "spans", "steps")
"""Keys under which formats keep what was said."""


@dataclass(frozen=True, slots=True)
class Identity:
    """The candidates, best first (`native` is the score of the native format), or what the file is instead."""

    native: float
    candidates: tuple[tuple[float, Format], ...]
    what: str = ""
    remedy: str = ""
    known: str = ""
    """The name of what it is known to be, where it is no session."""

    @property
    def is_native(self) -> bool:
        """Whether the native format fits best."""
        return bool(self.native) and (not self.candidates or self.native >= self.candidates[0][0])

    @property
    def scores(self) -> list[tuple[str, float]]:
        """(name, score) of every candidate, best first."""
        scores = [(known.name, score) for score, known in self.candidates]
        native = [("native", self.native)] if self.native else []
        return sorted([*native, *scores], key=lambda entry: (-entry[1], entry[0]))

    def refusal(self, file: str) -> InputError:
        """Why the file cannot be opened as a session."""
        return InputError(self.what, file=file, remedy=self.remedy)


def identify(recording: Recording) -> Identity:
    """What the file is. Where it is no session, `what` and `remedy` say so."""
    sample = recording.sample()
    native = sniff_native(sample)
    candidates = tuple(ranked(sample))
    best = max(native, candidates[0][0] if candidates else 0.0)
    if best < _SURE:
        known = recognise(sample)
        if known is not None:
            return Identity(0.0, (), f"no session: this is {known.what}", known.remedy, known.name)
    if best:
        return Identity(native, candidates)
    return Identity(0.0, (), f"unknown format: {_description(sample)}", _remedy(sample))


def _remedy(sample: Sample) -> str:
    if sample.kind == "zip" and sample.members:
        return "unpack it; a folder stands for the sessions in it"
    names = ", ".join(known.name for known in known_formats())
    return f"known formats: native, {names}"


def _description(sample: Sample) -> str:
    kind = sample.kind
    if kind in ("zip", "sqlite"):
        outer, inner = ("a zip archive", "files") if kind == "zip" else ("an SQLite database", "tables")
        names = ", ".join(sample.members[:8]) + (", …" if len(sample.members) > 8 else "")
        return f"{outer} with the {inner} {names}" if names else f"{outer} that is empty or damaged"
    if kind in ("text", "binary"):
        return "text that is no JSON" if kind == "text" else "a binary file"
    first = sample.values[0] if sample.values else None
    if isinstance(first, dict):
        keys = ", ".join(map(str, list(first)[:8])) or "(none)"
        return f"JSON objects with the keys {keys}{_almost(first)}"
    return f"JSON that begins with a {'list' if isinstance(first, list) else type(first).__name__}"


def _almost(value: dict[str, Any]) -> str:
    """What is wrong with the one key that would have told the format, where there is such a key."""
    for key in _TELLING:
        if key not in value:
            continue
        inner = value[key]
        if not isinstance(inner, list):
            return f'; "{key}" is no list'
        if not inner:
            return f'; "{key}" is empty'
        if not all(isinstance(item, dict) for item in inner):
            return f'; not all of "{key}" are objects'
        return f'; the items of "{key}" have the keys {", ".join(map(str, list(inner[0])[:6])) or "(none)"}'
    return ""
