"""What differs from run to run in a recording that means the same, replaced before it is replayed.

Each rule keeps the shape of what it replaces, so that token counts, patterns of ids and equality stay what they are:
the first distinct id becomes number one, the second two, wherever they stand. Everything else is left alone, so a
session without volatile parts is itself. Rules: `RULES`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from ctxinspect.model.session import Session

__all__ = ["RULES", "VolatileRule", "without_volatile"]


class VolatileRule(NamedTuple):
    """One rule: its name, what it finds, and what stands there afterwards (in words, for people)."""

    name: str
    pattern: re.Pattern[str]
    becomes: str


RULES: tuple[VolatileRule, ...] = (
    VolatileRule(
        "uuid",
        re.compile(r"\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b"),
        "00000000-0000-0000-0000-000000000001, counted by first appearance",
    ),
    VolatileRule(
        "id",
        re.compile(r"\b(?:call|toolu|fc|msg|resp|run|req|chatcmpl|tooluse)[_-](?=[A-Za-z0-9]*[0-9])[A-Za-z0-9]{16,}\b"),
        "its own prefix and a number of the same length, counted by first appearance",
    ),
    VolatileRule(
        "time",
        re.compile(r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?"),
        "every digit 0; a date alone is content and stays",
    ),
    VolatileRule(
        "address",
        re.compile(r"\b0x[0-9a-f]{8,16}\b"),
        "0x and a number of the same length, counted by first appearance",
    ),
    VolatileRule(
        "temporary folder",
        re.compile(r"/pytest-of-[^/\s]+/pytest-\d+\b|(?<=/)tmp[a-z0-9_]{8}\b"),
        "/pytest-of-user/pytest-0, or tmp00000000",
    ),
)
"""In the order in which they are tried."""


def without_volatile(session: Session) -> tuple[Session, dict[str, int]]:
    """The session with its volatile parts replaced, and how many were replaced by which rule.

    Settings, tools and what describes the file itself (`source`) are left alone.
    """
    replacer = _Replacer()
    data = session.model_dump(mode="python", exclude={"source", "context", "tools"})
    changed = replacer.value(data)
    if not replacer.counts:
        return session, {}
    kept = {"source": session.source, "context": session.context, "tools": session.tools}
    return Session.model_validate({**changed, **kept}), dict(sorted(replacer.counts.items()))


class _Replacer:
    """Replaces in every string of a plain value; remembers which id became which number."""

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}
        self._numbers: dict[str, dict[str, int]] = {}

    def value(self, value: Any) -> Any:
        """The value with every string replaced, keys too (arguments may hold ids as keys)."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return {self.text(key) if isinstance(key, str) else key: self.value(item) for key, item in value.items()}
        if isinstance(value, (list, tuple)):
            return type(value)(self.value(item) for item in value)
        return value

    def text(self, text: str) -> str:
        """One string."""
        if len(text) < 10:
            return text
        for rule in RULES:
            text = rule.pattern.sub(self._by(rule.name), text)
        return text

    def _by(self, name: str) -> Callable[[re.Match[str]], str]:
        def replaced(match: re.Match[str]) -> str:
            self.counts[name] = self.counts.get(name, 0) + 1
            return self._replacement(name, match.group())

        return replaced

    def _replacement(self, name: str, found: str) -> str:
        if name == "time":
            return re.sub(r"\d", "0", found)
        if name == "temporary folder":
            return "/pytest-of-user/pytest-0" if found.startswith("/") else "tmp00000000"
        numbers = self._numbers.setdefault(name, {})
        number = numbers.setdefault(found.lower() if name == "uuid" else found, len(numbers) + 1)
        if name == "uuid":
            return f"00000000-0000-0000-0000-{number:012d}"
        if name == "address":
            return "0x" + str(number).rjust(len(found) - 2, "0")
        prefix = re.match(r"[a-z]+[_-]", found)
        assert prefix is not None
        return prefix.group() + str(number).rjust(len(found) - prefix.end(), "0")
