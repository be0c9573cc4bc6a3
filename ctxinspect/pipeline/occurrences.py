"""Every place where a text occurs in a whole session: what was said, called, returned, and what stands in components.

One walk over the session, linear in its text. A text is a literal: no character of it has a meaning of its own. It is
found whatever its case, unless it holds a capital (smart case). In call arguments, which are JSON, it is also found in
its escaped forms.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from ctxinspect.errors import UsageError
from ctxinspect.model.content import Content, content_text, thinking_texts
from ctxinspect.model.pairing import RoundPages, pair_turns
from ctxinspect.model.session import Component, Session, Turn, arguments_text
from ctxinspect.window import tool_json

__all__ = ["Needle", "Occurrence", "OccurrenceKind", "Place", "fields_of", "occurrences"]

OccurrenceKind: TypeAlias = Literal[
    "component", "variable", "tool", "user", "assistant", "call", "result", "thinking", "rendered"
]
"""`tool` is a tool's schema, `call` are a call's arguments, `rendered` text that the pipeline wrote itself (a label, a header, a handle)."""

_ESCAPED = re.compile(r'["\\\x00-\x1f\x7f-\U0010ffff]')
"""Characters that JSON text may hold in another form than themselves."""


class Needle:
    """A text to look for. `spans` are half-open ranges of characters that never overlap."""

    def __init__(self, text: str) -> None:
        if not text.strip():
            msg = "the text to look for is empty; expected the words themselves, for example 'fencing token'"
            raise UsageError(msg)
        self.text = text
        self.smart = text == text.lower()
        """Whether capitals and small letters count as the same: so where the text has no capital."""
        flags = re.IGNORECASE if self.smart and text.lower() != text.upper() else 0
        self._plain = re.compile(re.escape(text), flags)
        forms = dict.fromkeys((text, json.dumps(text, ensure_ascii=False)[1:-1], json.dumps(text)[1:-1]))
        self._in_json = self._plain
        if _ESCAPED.search(text):
            escaped_case = flags or (re.IGNORECASE if text.lower() == text.upper() else 0)
            self._in_json = re.compile("|".join(re.escape(form) for form in forms), escaped_case)

    def spans(self, text: str, *, as_json: bool = False) -> Iterator[tuple[int, int]]:
        """Every place where it stands in `text`; `as_json` also finds its escaped forms."""
        for found in (self._in_json if as_json else self._plain).finditer(text):
            yield found.span()

    def stands_in(self, text: str, *, as_json: bool = False) -> bool:
        """Whether it stands in `text` at all."""
        return (self._in_json if as_json else self._plain).search(text) is not None


@dataclass(frozen=True, slots=True)
class Place:
    """A text of the session that may hold something: whose it is, and where it stands.

    `turn_id` is null for standing components and variables; `round` is the round of an assistant text, call or result
    and null for the final answer; `index` counts calls or results in their round; `page` is the call's page id (null
    for a result that answers nothing); `name` is the component's, variable's or tool's; `path` a JSON path into the
    session.
    """

    kind: OccurrenceKind
    turn_id: int | None
    path: str
    round: int | None = None
    index: int | None = None
    page: str | None = None
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Occurrence:
    """One place where the text stands: characters `start` to `end` of the text `field` of a place."""

    place: Place
    start: int
    end: int
    field: str = field(repr=False, compare=False)

    @property
    def id(self) -> str:
        """A key that is stable as long as the session is: its path and first character."""
        return f"{self.place.path}@{self.start}"

    def excerpt(self, around: int = 30) -> tuple[str, str, str]:
        """The text before it, itself, and the text behind it; at most `around` characters of either side."""
        text = self.field
        return text[max(0, self.start - around) : self.start], text[self.start : self.end], text[
            self.end : self.end + around
        ]  # fmt: skip


def occurrences(
    session: Session, needle: Needle, *, progress: Callable[[int, int], None] | None = None
) -> tuple[Occurrence, ...]:
    """Every occurrence, in session order: components, variables, tool schemas, then turn by turn in the order things were said.

    `progress` is called with turns done and turns in all, at most a hundred times.
    """
    found: list[Occurrence] = []
    total = len(session.turns)
    stride = max(1, total // 100)
    for place, text in fields_of(session):
        turn_id = place.turn_id
        if progress is not None and turn_id is not None and place.kind == "user" and turn_id % stride == 0:
            progress(turn_id, total)
        for start, end in needle.spans(text, as_json=place.kind in ("call", "tool")):
            found.append(Occurrence(place, start, end, text))
    if progress is not None:
        progress(total, total)
    return tuple(found)


def fields_of(session: Session) -> Iterator[tuple[Place, str]]:
    """Every place of the session with its text, in session order."""
    yield from _components(session.components, None, "$")
    yield from _variables(session.variables, None, "$")
    for at, tool in enumerate(session.tools):
        yield Place("tool", None, f"$.tools[{at}]", name=tool.name), tool_json(tool)
    for turn_id, (turn, pages) in enumerate(zip(session.turns, pair_turns(session.turns), strict=True)):
        yield from _turn(turn, turn_id, pages)


def _components(components: tuple[Component, ...], turn_id: int | None, base: str) -> Iterator[tuple[Place, str]]:
    for at, component in enumerate(components):
        yield Place("component", turn_id, f"{base}.components[{at}].content", name=component.name), component.content


def _variables(variables: dict[str, str | None], turn_id: int | None, base: str) -> Iterator[tuple[Place, str]]:
    for name, value in variables.items():
        if value is not None:
            yield Place("variable", turn_id, f"{base}.variables.{name}", name=name), value


def _turn(turn: Turn, turn_id: int, pages: tuple[RoundPages, ...]) -> Iterator[tuple[Place, str]]:
    base = f"$.turns[{turn_id}]"
    yield from _components(turn.components, turn_id, base)
    yield from _variables(turn.variables, turn_id, base)
    yield Place("user", turn_id, f"{base}.user"), content_text(turn.user)
    for number, round_ in enumerate(turn.rounds):
        here = f"{base}.rounds[{number}]"
        yield from _thinking(round_.assistant, turn_id, f"{here}.assistant", number)
        yield Place("assistant", turn_id, f"{here}.assistant", round=number), content_text(round_.assistant)
        ids = {page.call_index: page.id for page in pages[number].pages}
        answered = {page.result_index: page for page in pages[number].pages if page.result_index is not None}
        for at, call in enumerate(round_.tool_calls):
            where = f"{here}.tool_calls[{at}].arguments"
            yield Place("call", turn_id, where, number, at, ids.get(at), call.name), arguments_text(call.arguments)
        for at, result in enumerate(round_.tool_results):
            page = answered.get(at)
            name = page.call.name if page else result.name
            where = f"{here}.tool_results[{at}].content"
            yield (
                Place("result", turn_id, where, number, at, page.id if page else None, name),
                content_text(result.content),
            )
    yield from _thinking(turn.assistant, turn_id, f"{base}.assistant", None)
    yield Place("assistant", turn_id, f"{base}.assistant"), content_text(turn.assistant)


def _thinking(content: Content | None, turn_id: int, path: str, number: int | None) -> Iterator[tuple[Place, str]]:
    for at, text in enumerate(thinking_texts(content)):
        yield Place("thinking", turn_id, f"{path}.thinking[{at}]", round=number), text
