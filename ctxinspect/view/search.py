"""Looking for a text in a panel, in a request, or in the whole session: the places, in the order a reader meets them.

A literal search ignores capitals where the pattern has none. A regular expression may take only so long at one text;
a text it was too slow for is counted, never passed over in silence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import regex

from ctxinspect.errors import UsageError
from ctxinspect.model.session import Session
from ctxinspect.pipeline.occurrences import fields_of
from ctxinspect.pipeline.plan import Step
from ctxinspect.view.inspection import Inspection
from ctxinspect.view.panels import PANELS
from ctxinspect.view.table import Table

__all__ = ["SCOPES", "Pattern", "Place", "Scope", "find_in_panel", "find_in_request", "find_in_session"]

Scope: TypeAlias = Literal["panel", "request", "session"]
SCOPES: tuple[Scope, ...] = ("panel", "request", "session")
_PATIENCE = 0.5
"""Seconds a regular expression may take at one text."""
_AROUND = 30
"""Characters shown on either side of what was found."""
Progress: TypeAlias = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a text was found: request, panel and row, and the words around it (raw)."""

    step: Step
    panel: int
    key: str
    around: str


@dataclass
class Pattern:
    """What is looked for. Raises UsageError for an expression that cannot be read; `slow` counts texts given up."""

    text: str
    is_regex: bool = False
    slow: int = 0
    _compiled: regex.Pattern[str] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        flags = regex.IGNORECASE if self.text == self.text.lower() else 0
        try:
            self._compiled = regex.compile(self.text if self.is_regex else re.escape(self.text), flags)
        except regex.error as error:
            msg = f"/{self.text}/: {error}"
            raise UsageError(msg) from error

    def around(self, text: str) -> str | None:
        """The first place in a text with some words around it, null where there is none."""
        try:
            found = self._compiled.search(text, timeout=_PATIENCE, concurrent=True)
        except TimeoutError:
            self.slow += 1
            return None
        if found is None:
            return None
        return text[max(0, found.start() - _AROUND) : found.end() + _AROUND]


def _in_table(table: Table, step: Step, panel: int, pattern: Pattern) -> Iterator[Place]:
    for row in table.rows:
        around = pattern.around("  ".join(cell.text for cell in row.cells))
        if around is not None:
            yield Place(step, panel, row.key, around)


def find_in_panel(inspection: Inspection, panel: int, pattern: Pattern) -> tuple[Place, ...]:
    """Every row of one panel that holds it, in the panel's order."""
    return tuple(_in_table(PANELS[panel - 1].table(inspection), inspection.step, panel, pattern))


def find_in_request(inspection: Inspection, pattern: Pattern, progress: Progress) -> tuple[Place, ...]:
    """Every row of every panel of one request, panel by panel."""
    found: list[Place] = []
    for done, spec in enumerate(PANELS):
        progress(done, len(PANELS))
        found += _in_table(spec.table(inspection), inspection.step, spec.number, pattern)
    return tuple(found)


def find_in_session(
    session: Session, pattern: Pattern, step_of: Callable[[int], Step], here: Step, progress: Progress
) -> tuple[Place, ...]:
    """Every text of the session that holds it: components first, then turn by turn; `step_of` gives a turn's request.

    A place in a turn is the turn's row in panel 1, one of a component its row in panel 3 of the request `here`.
    """
    found: dict[tuple[Step, int, str], Place] = {}
    for place, text in fields_of(session):
        if place.turn_id is not None:
            progress(place.turn_id, len(session.turns))
        around = pattern.around(text)
        if around is None:
            continue
        if place.kind == "component" and place.name is not None:
            where = (here if place.turn_id is None else step_of(place.turn_id), 3, place.name)
        elif place.turn_id is None:
            continue
        else:
            where = (step_of(place.turn_id), 1, str(place.turn_id))
        said = f"{place.kind}{f' {place.name}' if place.name else ''}: {around}"
        found.setdefault(where, Place(*where, said))
    return tuple(found.values())
