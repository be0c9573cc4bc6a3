"""The rows of recall: those that stayed are at hand, the dropped ones behind them are built when they are looked at.

A session of ten thousand turns has nearly as many candidates at every request, and hardly anyone looks at all of them.
As a sequence it is the same, whoever looks and however often.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import overload

from ctxinspect.trace.types import RecallRow

__all__ = ["RecallRows", "recall_row", "recall_rules", "stayed_rows"]


_PAGE = 64
"""Rows that are built at least when one is looked at that is not there yet."""


class RecallRows(Sequence[RecallRow]):
    """All candidates of a request in rank order.

    `stayed` are the first of them, those that were not dropped by the filter or the limit; `count` is the number of
    all. `dropped` gives the rules of the others by turn and is asked at most once; `first` gives the first rows, so
    many as it is asked for, and is asked for more the further somebody looks.
    """

    __slots__ = ("_count", "_dropped", "_first", "_rows", "_rules", "stayed")
    __hash__ = None  # type: ignore[assignment]

    def __init__(
        self,
        stayed: tuple[RecallRow, ...],
        count: int,
        dropped: Callable[[], Mapping[int, str]],
        first: Callable[[int], Sequence[RecallRow]],
    ) -> None:
        self.stayed = stayed
        self._count = count
        self._dropped = dropped
        self._first = first
        self._rules: Mapping[int, str] | None = None
        self._rows = stayed

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> RecallRow: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[RecallRow, ...]: ...
    def __getitem__(self, index: int | slice) -> RecallRow | tuple[RecallRow, ...]:
        """A row by rank; the first ones are at hand."""
        if isinstance(index, slice):
            places = range(*index.indices(self._count))
            rows = self._upto(max(places, default=-1) + 1)
            return tuple(rows[place] for place in places)
        if not -self._count <= index < self._count:
            raise IndexError(index)
        place = index % self._count
        return self._upto(place + 1)[place]

    def __iter__(self) -> Iterator[RecallRow]:
        return iter(self._all())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (RecallRows, tuple, list)):
            return len(self) == len(other) and self._all() == tuple(other)
        return NotImplemented

    def __repr__(self) -> str:
        return f"<{self._count} recall rows, {len(self.stayed)} stayed>"

    @property
    def rules(self) -> Mapping[int, str]:
        """The rule that decided on each candidate, by turn; no row is built for it."""
        if self._rules is None:
            self._rules = {**self._dropped(), **{row.turn_id: row.rule for row in self.stayed}}
        return self._rules

    def _all(self) -> tuple[RecallRow, ...]:
        return self._upto(self._count)

    def _upto(self, number: int) -> tuple[RecallRow, ...]:
        """At least the first `number` rows."""
        if number > len(self._rows):
            wanted = min(self._count, max(_PAGE, 2 * number))
            self._rows = (*self.stayed, *self._first(wanted)[len(self.stayed) :])
        return self._rows


def stayed_rows(rows: Sequence[RecallRow]) -> Sequence[RecallRow]:
    """The rows of the candidates that neither the filter nor the limit dropped, in rank order; builds no row."""
    if isinstance(rows, RecallRows):
        return rows.stayed
    return [row for row in rows if row.rule not in ("content_filter", "recall_limit")]


def recall_rules(rows: Sequence[RecallRow]) -> Mapping[int, str]:
    """The rule that decided on each candidate, by turn; builds no row."""
    return rows.rules if isinstance(rows, RecallRows) else {row.turn_id: row.rule for row in rows}


def recall_row(rows: Sequence[RecallRow], turn_id: int) -> RecallRow | None:
    """The row of a turn, None where it is no candidate; builds the dropped rows only where it is one of them."""
    found = next((row for row in stayed_rows(rows) if row.turn_id == turn_id), None)
    if found is None and turn_id in recall_rules(rows):
        found = next(row for row in rows if row.turn_id == turn_id)
    return found
