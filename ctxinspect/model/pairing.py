"""Pairing of tool calls and results inside rounds: done once here, for rendering, statistics and lint alike.

A page is one call together with its result. Page ids are unique in a session; they are the ids rendered on both halves,
and handles and inactive pages go by them (specification page 4 rule 1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ctxinspect.model.session import Round, ToolCall, ToolResult, Turn

__all__ = ["Page", "PairingFault", "RoundPages", "pair_turns"]

_USED_TWICE = "stands on two calls of one message"
_USED_BEFORE = "was used before in this session"

FaultCode = Literal[
    "missing-call-id", "duplicate-call-id", "ambiguous-pair", "duplicate-result", "orphan-result", "results-reordered"
]


@dataclass(frozen=True, slots=True)
class Page:
    """One call with its result (null where none came); `guessed` marks a pair found among several open calls."""

    id: str
    turn_id: int
    round: int
    call_index: int
    call: ToolCall
    result: ToolResult | None
    result_index: int | None
    guessed: bool = False


@dataclass(frozen=True, slots=True)
class PairingFault:
    """Something wrong with the pairing of a round; `half` and `index` say which call or result."""

    code: FaultCode
    half: Literal["call", "result"]
    index: int
    call_id: str | None
    text: str
    in_one_message: bool = False
    """For `duplicate-call-id`: whether both calls stand in one message, which is graver."""


@dataclass(frozen=True, slots=True)
class RoundPages:
    """A round's pages in the order of its calls, its unpaired results (by index), and what was wrong."""

    pages: tuple[Page, ...]
    unpaired: tuple[int, ...]
    faults: tuple[PairingFault, ...]


def pair_turns(turns: Sequence[Turn]) -> tuple[tuple[RoundPages, ...], ...]:
    """Pages of every round of every turn. Linear in the number of calls and results."""
    used: set[str] = set()
    paired: list[tuple[RoundPages, ...]] = []
    for turn_id, turn in enumerate(turns):
        rounds: list[RoundPages] = []
        calls_so_far = 0
        for number, round_ in enumerate(turn.rounds):
            rounds.append(_pair_round(turn_id, number, round_, calls_so_far, used))
            calls_so_far += len(round_.tool_calls)
        paired.append(tuple(rounds))
    return tuple(paired)


def _pair_round(turn_id: int, number: int, round_: Round, calls_so_far: int, used: set[str]) -> RoundPages:
    faults: list[PairingFault] = []
    ids: list[str] = []
    for index, call in enumerate(round_.tool_calls):
        page_id = call.id or f"t{turn_id}c{calls_so_far + index}"
        if not call.id:
            faults.append(
                PairingFault(
                    "missing-call-id", "call", index, page_id, f"call of {call.name} has no id; named {page_id}"
                )
            )
        unique = _unique(page_id, used)
        if call.id and unique != page_id:
            twice = any(earlier.id == call.id for earlier in round_.tool_calls[:index])
            text = f"id {page_id} {_USED_TWICE if twice else _USED_BEFORE}; rendered as {unique}"
            faults.append(PairingFault("duplicate-call-id", "call", index, unique, text, in_one_message=twice))
        used.add(unique)
        ids.append(unique)
    answers, guessed, unpaired = _match(round_, ids, faults)
    order = [answers[i] for i in range(len(ids)) if i in answers]
    if order != sorted(order):
        text = "results came in another order than the calls; rendered in the order of the calls"
        faults.append(PairingFault("results-reordered", "result", min(order), None, text))
    pages = tuple(
        Page(
            id=ids[i],
            turn_id=turn_id,
            round=number,
            call_index=i,
            call=call,
            result=round_.tool_results[answers[i]] if i in answers else None,
            result_index=answers.get(i),
            guessed=i in guessed,
        )
        for i, call in enumerate(round_.tool_calls)
    )
    return RoundPages(pages, tuple(unpaired), tuple(faults))


def _unique(page_id: str, used: set[str]) -> str:
    if page_id not in used:
        return page_id
    n = 2
    while f"{page_id}#{n}" in used:
        n += 1
    return f"{page_id}#{n}"


def _match(round_: Round, ids: Sequence[str], faults: list[PairingFault]) -> tuple[dict[int, int], set[int], list[int]]:
    """Which result answers which call: (call index → result index, guessed call indexes, unpaired result indexes)."""
    calls = round_.tool_calls
    answers: dict[int, int] = {}
    guessed: set[int] = set()
    unpaired: list[int] = []
    for index, result in enumerate(round_.tool_results):
        open_calls = [i for i in range(len(calls)) if i not in answers]
        if result.call_id:
            hit = next((i for i in open_calls if calls[i].id == result.call_id), None)
            if hit is None:
                unpaired.append(index)
                known = any(call.id == result.call_id for call in calls)
                code: FaultCode = "duplicate-result" if known else "orphan-result"
                text = (
                    f"a second result for call {result.call_id}; the first one is paired, this one is not rendered"
                    if known
                    else f"result for {result.call_id}, which is no call of its round; shown, not rendered"
                )
                faults.append(PairingFault(code, "result", index, result.call_id, text))
                continue
        else:
            named = [i for i in open_calls if not result.name or calls[i].name == result.name]
            if not named:
                unpaired.append(index)
                text = f"result of {result.name or 'an unnamed tool'} without id finds no open call; not rendered"
                faults.append(PairingFault("orphan-result", "result", index, None, text))
                continue
            hit = named[0]
            text = f"result of {result.name or 'an unnamed tool'} has no call id; paired with {ids[hit]} by its name"
            faults.append(PairingFault("missing-call-id", "result", index, ids[hit], text))
            if len(named) > 1:
                guessed.add(hit)
                text = f"{len(named)} open calls fit a result without id; {ids[hit]}, the first, is a guess"
                faults.append(PairingFault("ambiguous-pair", "result", index, ids[hit], text))
        answers[hit] = index
    return answers, guessed, unpaired
