"""Reading an approved context back: sections of lines, each a word, a subject, a value and the text under it.

What is not of this format is refused with its line, so that a golden that was cut short, merged badly, edited by hand or
written by another version is never compared as if it said something.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ctxinspect.errors import InputError
from ctxinspect.view.snapshot import END, FORMAT, HEAD, digest_of

__all__ = ["WORDS", "Line", "Section", "read_snapshot"]

WORDS = (
    *("setting", "title", "view", "counter", "tool", "volatile", "request"),
    *("gate", "turn", "component", "window", "dropped", "message", "finding"),
)
"""The first word of every line, in pipeline order."""
_FIRST_COLON = frozenset({"setting", "title", "view", "counter", "volatile", "request", "gate", "window"})
_REMEDY = "restore the file, or approve it anew with `ctxinspect snapshot update --force`"


_FIRST = ("session", "settings")
"""The sections that stand before those of requests."""
_PLACE = re.compile(r"t\d{1,9}(?:r\d{1,9})?")
_SAME = re.compile(r"messages 0 to (\d{1,9}): as in (t\d{1,9}(?:r\d{1,9})?)")


@dataclass(frozen=True, slots=True)
class Line:
    """One fact: `component "rules": kept by fits, …` is the word `component`, its subject and its value."""

    word: str
    subject: str
    value: str

    @property
    def digest(self) -> str | None:
        """The digest at the end of a message, which stands for its text."""
        head, hash_, digest = self.value.rpartition("#")
        return digest if hash_ and head and self.word == "message" else None


@dataclass(slots=True)
class Section:
    """A request, the settings or the session itself; messages that stand in an earlier request are among its lines."""

    place: str
    lines: list[Line] = field(default_factory=list)

    @property
    def messages(self) -> list[Line]:
        """Its messages, in order."""
        return [line for line in self.lines if line.word == "message"]


def read_snapshot(text: str, name: str) -> tuple[dict[str, Section], dict[str, list[str]]]:
    """The sections by place, in order, and every text by its digest. Raises InputError naming file and line."""
    lines = text.split("\n")
    if lines[0] != FORMAT:
        msg = f"its format is {lines[0][:40]!r}, expected {FORMAT!r}"
        raise InputError(msg, file=name, line=1, remedy=_REMEDY)
    if lines[-2:] != [END, ""]:
        msg = f"it is not whole: the last line is not {END!r}"
        raise InputError(msg, file=name, line=len(lines), remedy=_REMEDY)
    sections: dict[str, Section] = {}
    texts: dict[str, list[str]] = {}
    for number, section, line in _lines(lines[1:-2], name):
        if line is None:
            if not _may_follow(section, sections):
                raise _fault(name, number, HEAD + section)
            sections[section] = Section(section)
            continue
        known = sections[section]
        if isinstance(line, Line):
            known.lines.append(line)
        elif (same := _SAME.fullmatch(line)) is not None:
            earlier = sections[same[2]].messages if same[2] in sections else []
            if int(same[1]) >= len(earlier):
                raise _fault(name, number, line)
            known.lines += earlier[: int(same[1]) + 1]
        elif known.lines and known.lines[-1].digest is not None:
            texts.setdefault(str(known.lines[-1].digest), []).append(line)
        else:
            raise _fault(name, number, line)
    _whole(sections, texts, name, len(lines))
    return sections, texts


def _may_follow(section: str, before: Mapping[str, Section]) -> bool:
    """Whether a section of this name may stand here: first the session, then the settings, then each request once."""
    if len(before) < len(_FIRST):
        return section == _FIRST[len(before)]
    return section not in before and _PLACE.fullmatch(section) is not None


def _whole(sections: Mapping[str, Section], texts: Mapping[str, list[str]], name: str, lines: int) -> None:
    """Raises InputError where a section is missing, or where a text is not the one that its digest stands for."""
    missing = _FIRST[len(sections) :]
    if missing:
        msg = f"it is not whole: {HEAD + missing[0]!r} is not there"
        raise InputError(msg, file=name, line=lines, remedy=_REMEDY)
    for section in sections.values():
        for message in section.messages:
            digest = str(message.digest)
            if digest_of(texts.get(digest, ())) != digest:
                msg = f"it was changed: the text #{digest} of a message in {section.place} is another one"
                raise InputError(msg, file=name, remedy=_REMEDY)


def _lines(lines: list[str], name: str) -> Iterator[tuple[int, str, Line | str | None]]:
    """(line number, section, a fact or a line of text or null for the section's own head)."""
    place = ""
    for number, line in enumerate(lines, 2):
        if line.startswith(HEAD):
            place = line.removeprefix(HEAD)
            yield number, place, None
        elif place and (line.startswith("  ") or _SAME.fullmatch(line) is not None):
            yield number, place, line
        elif place and (fact := _fact(line)) is not None:
            yield number, place, fact
        else:
            raise _fault(name, number, line)


def _fact(line: str) -> Line | None:
    head, colon, value = line.partition(": ")
    word = head.split(" ", 1)[0]
    if word not in _FIRST_COLON:
        head, colon, value = line.rpartition(": ")
    word, _, subject = head.partition(" ")
    if not colon or word not in WORDS:
        return None
    if word == "message":
        value = value.partition(", text in ")[0]
    return Line(word, subject, value)


def _fault(name: str, number: int, line: str) -> InputError:
    return InputError(f"{line[:40]!r} is no line of an approved context", file=name, line=number, remedy=_REMEDY)
