"""Trimming by whole units: the oldest go until the request fits, so that no call is ever parted from its result.

Units are additive because every message carries its own cost; the longest suffix that fits is found in one walk.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ctxinspect.model.messages import Message

__all__ = ["Grouped", "TrimResult", "Unit", "group_units", "trim_turns"]


@dataclass(frozen=True, slots=True)
class Unit:
    """Messages that stay or go together: `indices` into the request's list, `tokens` their cost."""

    kind: Literal["turn", "round", "message"]
    turn_id: int | None
    round: int | None
    tokens: int
    indices: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class TrimResult:
    """What stays and what goes, both oldest first; the cost of what stays; tokens that the pinned part is over."""

    kept: tuple[Unit, ...]
    dropped: tuple[Unit, ...]
    request_tokens: int
    missing: int


@dataclass(frozen=True, slots=True)
class Grouped:
    """A request's messages as units that may go, oldest first, and the indices of those that may not."""

    pinned: tuple[int, ...]
    units: tuple[Unit, ...]


def trim_turns(pinned_tokens: int, units: Sequence[Unit], message_budget: int) -> TrimResult:
    """Drop the oldest units until what is pinned and what stays cost at most `message_budget` (tokens).

    `units` are oldest first; `pinned_tokens` includes the reply's priming. Where the pinned part alone is over,
    everything else goes and `missing` says by how much. Linear.
    """
    total, first = pinned_tokens, len(units)
    while first and total + units[first - 1].tokens <= message_budget:
        first -= 1
        total += units[first].tokens
    return TrimResult(tuple(units[first:]), tuple(units[:first]), total, max(0, pinned_tokens - message_budget))


def group_units(messages: Sequence[Message], current_turn: int, *, flattened: bool = False) -> Grouped:
    """The units of a rendered request (specification page 3).

    Pinned are the system message, the current turn's opening message and its newest round that renders anything; in the
    flattened layout all of the current turn. Units are the earlier turns, then the older rounds of the current turn.
    """
    of_turn: dict[int, list[int]] = {}
    of_round: dict[int, list[int]] = {}
    pinned: list[int] = []
    for index, message in enumerate(messages):
        turn_id = message.turn_id
        if turn_id is not None and turn_id != current_turn:
            of_turn.setdefault(turn_id, []).append(index)
        elif turn_id is None or message.round is None or flattened:
            pinned.append(index)
        else:
            of_round.setdefault(message.round, []).append(index)
    if of_round:
        pinned += of_round.pop(max(of_round))
    costs = [message.tokens for message in messages]
    units = [Unit("turn", turn, None, sum([costs[i] for i in at]), tuple(at)) for turn, at in sorted(of_turn.items())]
    units += [
        Unit("round", current_turn, number, sum([costs[i] for i in at]), tuple(at))
        for number, at in sorted(of_round.items())
    ]
    return Grouped(tuple(sorted(pinned)), tuple(units))
