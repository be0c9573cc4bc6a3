"""Earlier turns as blocks, indexed by anchor in turn order: every question about turn t is answered by bisection.

Blocks are only ever appended, so an answer for turn t never changes when later blocks come. Each block's text is
searched for anchors once; adding a block costs its own anchors, whatever the number of blocks. `work` counts what was
done, so that tests can prove it.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass

from ctxinspect.gatekeeper.anchor import find_anchors
from ctxinspect.gatekeeper.bits import turn_bits

__all__ = ["Block", "BlockIndex", "Hit", "IndexWork"]

_FIELDS = 3
"""Numbers of one posting: the turn, and how often its user and its assistant text hold the anchor."""
_REMEMBERED_BITS = 400_000_000
"""Bits of sets of turns that are remembered; beyond them all are made anew."""


@dataclass(slots=True)
class IndexWork:
    """How often each kind of work was done."""

    blocks_indexed: int = 0
    anchors_extracted: int = 0
    """Occurrences of anchors found in block texts."""
    postings_visited: int = 0
    blocks_looked_at: int = 0
    """Blocks whose anchors were compared with a query's one by one."""


@dataclass(frozen=True, slots=True)
class Block:
    """One earlier turn: its two texts, without label and without tool results."""

    turn_id: int
    user: str
    assistant: str


@dataclass(frozen=True, slots=True)
class Hit:
    """A query anchor in a block: its position in the query, and its occurrences in either side."""

    position: int
    in_user: int
    in_assistant: int


class BlockIndex:
    """All blocks of a session. `t` is always a number of leading blocks: what turn t can look back on."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.work = IndexWork()
        self._postings: dict[str, array[int]] = {}
        self._sides: dict[str, tuple[int, int, int]] = {}
        self._held_bits = 0
        self._lengths_user = [0]
        self._lengths_assistant = [0]

    def __len__(self) -> int:
        return len(self.blocks)

    def add(self, user: str, assistant: str) -> int:
        """Append a block and return its turn id."""
        turn_id = len(self.blocks)
        user_side, assistant_side = find_anchors(user), find_anchors(assistant)
        for term, found in user_side.counts.items():
            self._posting(term).extend((turn_id, found, assistant_side.counts.get(term, 0)))
        for term, found in assistant_side.counts.items():
            if term not in user_side.counts:
                self._posting(term).extend((turn_id, 0, found))
        self.blocks.append(Block(turn_id, user, assistant))
        self._lengths_user.append(self._lengths_user[-1] + user_side.total)
        self._lengths_assistant.append(self._lengths_assistant[-1] + assistant_side.total)
        self.work.blocks_indexed += 1
        self.work.anchors_extracted += user_side.total + assistant_side.total
        return turn_id

    def df(self, term: str, t: int) -> int:
        """How many of the first t blocks hold the anchor in either side."""
        posting = self._postings.get(term)
        return 0 if posting is None else _before(posting, t)

    def in_turns(self, term: str, first: int, t: int) -> bool:
        """Whether any block from `first` to t - 1 holds the anchor."""
        posting = self._postings.get(term)
        if posting is None:
            return False
        count = _before(posting, t)
        return count > 0 and posting[(count - 1) * _FIELDS] >= first

    def hits(self, terms: Sequence[str], first: int, t: int) -> dict[int, list[Hit]]:
        """For every block from `first` to t - 1 that holds any of the terms: its hits in the order of the terms."""
        found: dict[int, list[Hit]] = {}
        for position, term in enumerate(terms):
            posting = self._postings.get(term)
            if posting is None:
                continue
            begin, end = _before(posting, first), _before(posting, t)
            self.work.postings_visited += max(0, end - begin)
            for at in range(begin * _FIELDS, end * _FIELDS, _FIELDS):
                found.setdefault(posting[at], []).append(Hit(position, posting[at + 1], posting[at + 2]))
        return found

    def masks(self, terms: Sequence[str], first: int, t: int) -> dict[int, int]:
        """For every block from `first` to t - 1 that holds any of the terms: which sides hold which, as one number.

        Bit 2k stands for term k in the user text, bit 2k + 1 for term k in the assistant text.
        """
        found: dict[int, int] = {}
        for position, term in enumerate(terms):
            posting = self._postings.get(term)
            if posting is None:
                continue
            begin, end = _before(posting, first), _before(posting, t)
            self.work.postings_visited += max(0, end - begin)
            user, assistant = 1 << 2 * position, 2 << 2 * position
            for at in range(begin * _FIELDS, end * _FIELDS, _FIELDS):
                turn_id = posting[at]
                found[turn_id] = (
                    found.get(turn_id, 0) | (user if posting[at + 1] else 0) | (assistant if posting[at + 2] else 0)
                )
        return found

    def sides(self, term: str) -> tuple[int, int]:
        """The blocks whose user text, and those whose assistant text, holds the anchor, as sets of turns (see `bits`).

        Every posting is visited once, however often it is asked.
        """
        posting = self._postings.get(term)
        if posting is None:
            return 0, 0
        known, in_user, in_assistant = self._sides.get(term, (0, 0, 0))
        count = len(posting)
        if known == count:
            return in_user, in_assistant
        self.work.postings_visited += (count - known) // _FIELDS
        places, blocks = range(known, count, _FIELDS), len(self.blocks)
        in_user |= turn_bits((posting[at] for at in places if posting[at + 1]), blocks)
        in_assistant |= turn_bits((posting[at] for at in places if posting[at + 2]), blocks)
        self._remember(term, (count, in_user, in_assistant))
        return in_user, in_assistant

    def _remember(self, term: str, sides: tuple[int, int, int]) -> None:
        if self._held_bits > _REMEMBERED_BITS:
            self._sides.clear()
            self._held_bits = 0
        self._sides[term] = sides
        self._held_bits += sides[1].bit_length() + sides[2].bit_length()

    def lengths(self, turn_id: int) -> tuple[int, int]:
        """Anchor occurrences of a block's user and assistant text."""
        user, assistant = self._lengths_user, self._lengths_assistant
        return user[turn_id + 1] - user[turn_id], assistant[turn_id + 1] - assistant[turn_id]

    def mean_lengths(self, t: int) -> tuple[float, float]:
        """Mean anchor occurrences of the user and the assistant texts of the first t blocks; t > 0."""
        return self._lengths_user[t] / t, self._lengths_assistant[t] / t

    def _posting(self, term: str) -> array[int]:
        posting = self._postings.get(term)
        if posting is None:
            posting = self._postings[term] = array("q")
        return posting


def _before(posting: array[int], t: int) -> int:
    """How many blocks of a posting are among the first t."""
    return bisect_left(range(len(posting) // _FIELDS), t, key=lambda at: posting[at * _FIELDS])
