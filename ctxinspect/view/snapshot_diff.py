"""The differences of an approved context from what is there now, by cause: setting, stage, component, turn.

The cause is the earliest difference in pipeline order: a setting or a tool before everything, else the first stage of
the first request that differs. Differences that are alike in several requests are one line with the places.
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from ctxinspect.view.snapshot_text import WORDS, Line, Section, read_snapshot

__all__ = ["Difference", "SnapshotDiff", "compare"]

_WHOLE = ("session", "settings")
_STAGES = {
    "gate": "gate",
    "turn": "cover",
    "component": "assemble",
    "window": "window",
    "dropped": "window",
    "message": "render",
    "finding": "lint",
}
_TEXT_LINES = 6
"""Lines of a changed text that are shown; more are counted."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One fact that changed: where, what, from what to what (null: not there)."""

    place: str
    word: str
    subject: str
    old: str | None
    new: str | None
    text: tuple[str, ...] = ()

    @property
    def what(self) -> str:
        """The fact, without its place."""
        head = f"{self.word} {self.subject}" if self.subject else self.word
        if self.old is None:
            return f"{head}: new, {self.new}"
        if self.new is None:
            return f"{head}: gone, was {self.old}"
        return f"{head}: {_change(self.old, self.new)}"


@dataclass(frozen=True, slots=True)
class SnapshotDiff:
    """All differences of one session, in order; `requests` counts those there are, `differing` those that differ."""

    differences: tuple[Difference, ...]
    requests: int
    differing: int

    @property
    def cause(self) -> str:
        """The cause in a few words; empty where nothing differs."""
        if not self.differences:
            return ""
        roots = [d for d in self.differences if d.place in _WHOLE and d.word != "volatile"]
        if roots:
            first = min(roots, key=lambda d: WORDS.index(d.word))
            more = len(roots) - 1
            return first.what + (f" (and {more} more of settings and session)" if more else "")
        first = min(self.differences, key=_upstream)
        if first.word in ("added", "removed"):
            return f"{first.place} is {'new' if first.word == 'added' else 'gone'}: the session has other requests"
        stage = "ingest" if _own_message(first) else _STAGES.get(first.word, "ingest")
        return f"{first.place}.{stage} {first.what}"

    def lines(self, limit: int | None = None) -> Iterator[str]:
        """First the cause, then every difference once with its places; after `limit` lines the rest is counted."""
        if not self.differences:
            return
        yield f"{self.differing} of {self.requests} requests differ; cause: {self.cause}"
        groups: dict[tuple[str, tuple[str, ...]], list[str]] = {}
        for difference in self.differences:
            groups.setdefault((difference.what, difference.text), []).append(difference.place)
        shown = list(groups.items())[:limit]
        for (what, text), places in shown:
            yield f"{_places(places)} {what}"
            yield from (f"    {line}" for line in text)
        if len(shown) < len(groups):
            yield f"{len(groups) - len(shown)} more differences"


def compare(approved: str, actual: str, name: str) -> SnapshotDiff:
    """What differs between an approved context and another text. Raises InputError where `approved` is none."""
    old, old_texts = read_snapshot(approved, name)
    new, new_texts = read_snapshot(actual, name)
    found: list[Difference] = []
    for place in dict.fromkeys([*old, *new]):
        if place not in old or place not in new:
            word = "removed" if place in old else "added"
            found.append(Difference(place, word, "", *(("its lines", None) if place in old else (None, "a request"))))
            continue
        found += _essential(list(_section(old[place], new[place], old_texts, new_texts)))
    places = [place for place in dict.fromkeys([*old, *new]) if place not in _WHOLE]
    differing = len({d.place for d in found if d.place not in _WHOLE})
    return SnapshotDiff(tuple(found), len(places), differing)


def _essential(found: list[Difference]) -> list[Difference]:
    """Without the sum of a request where the messages that it sums up differ too."""
    if not any(difference.word == "message" for difference in found):
        return found
    return [difference for difference in found if (difference.word, difference.subject) != ("window", "request")]


def _section(
    old: Section, new: Section, old_texts: dict[str, list[str]], new_texts: dict[str, list[str]]
) -> Iterator[Difference]:
    before, after = (_keyed(lines) for lines in _differing(old.lines, new.lines))
    keys = sorted(dict.fromkeys([*before, *after]), key=lambda key: WORDS.index(key[0]))
    for key in keys:
        was, now = before.get(key), after.get(key)
        values = was.value if was else None, now.value if now else None
        if values[0] == values[1]:
            continue
        text: tuple[str, ...] = ()
        if was and now and was.digest != now.digest:
            text = tuple(_text_diff(old_texts.get(str(was.digest), []), new_texts.get(str(now.digest), [])))
        yield Difference(old.place, key[0], key[1], *values, text)


def _differing(old: list[Line], new: list[Line]) -> tuple[list[Line], list[Line]]:
    """Both lists without what they have in common at their beginning and their end."""
    start, most = 0, min(len(old), len(new))
    while start < most and old[start] == new[start]:
        start += 1
    end = 0
    while end < most - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return old[start : len(old) - end], new[start : len(new) - end]


def _keyed(lines: list[Line]) -> dict[tuple[str, str, int], Line]:
    """Lines by word, subject and how many of the same stand before: a message that goes moves no other's key."""
    seen: Counter[tuple[str, str]] = Counter()
    keyed = {}
    for line in lines:
        keyed[line.word, line.subject, seen[line.word, line.subject]] = line
        seen[line.word, line.subject] += 1
    return keyed


def _text_diff(old: list[str], new: list[str]) -> Iterator[str]:
    changed = [line for line in difflib.unified_diff(old, new, lineterm="", n=0) if not line.startswith("@@")][2:]
    for line in changed[:_TEXT_LINES]:
        yield f"{line[0]} {line[1:].strip()}"
    if len(changed) > _TEXT_LINES:
        yield f"{len(changed) - _TEXT_LINES} more lines of this text differ"


def _change(old: str, new: str) -> str:
    """Only the parts of a value that changed: `64 tokens -> 66 tokens`; a digest alone is said to be a text."""
    pairs = list(zip(old.split(", "), new.split(", "), strict=False))
    if old.count(", ") != new.count(", ") or old.startswith(('"', "[")):
        return f"{old} -> {new}"
    parts = []
    for was, now in pairs:
        if was != now:
            parts.append("text changed" if was.startswith("#") and now.startswith("#") else _reworded(was, now))
    return ", ".join(parts)


def _reworded(old: str, new: str) -> str:
    """`64 -> 66 tokens`: words that both end in are said once."""
    was, now, rest = old.split(" "), new.split(" "), list[str]()
    while len(was) > 1 and len(now) > 1 and was[-1] == now[-1]:
        rest.insert(0, was.pop())
        now.pop()
    return " ".join([*was, "->", *now, *rest])


def _own_message(difference: Difference) -> bool:
    """Whether it is the request's own user message, which comes before every stage."""
    turn = difference.place.partition("r")[0]
    return difference.word == "message" and difference.subject.split(" ")[-1:] == [turn]


def _upstream(difference: Difference) -> tuple[int, int, int]:
    turn, _, request = difference.place.removeprefix("t").partition("r")
    order = -1 if _own_message(difference) else WORDS.index(difference.word) if difference.word in WORDS else -2
    return int(turn), int(request or 0), order


def _places(places: list[str]) -> str:
    known = list(dict.fromkeys(places))
    if known in (["settings"], ["session"]):
        return known[0]
    return known[0] if len(known) == 1 else f"{known[0]} … {known[-1]} ({len(known)} requests)"
