"""The native format written: the whole session, nothing left out but fields that stand at their default.

A cut session ends with the request asked for; a repaired one has every call answered once, under its page id.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ctxinspect.dialects.draft import Loss
from ctxinspect.errors import InputError
from ctxinspect.model.pairing import RoundPages, pair_turns
from ctxinspect.model.plain import NotJsonError, plain
from ctxinspect.model.session import MediaBlock, ResultPart, Session, Source, ToolCall, ToolResult, Turn

__all__ = ["TurnRepair", "cut_session", "native_body", "native_lines", "native_losses", "repaired_turns"]

STUB = "[interrupted: no result]"


@dataclass(frozen=True, slots=True)
class TurnRepair:
    """One change to a turn: `kind` (drop, stub, move, rename), where, for which call, why."""

    kind: str
    path: str
    call_id: str | None
    reason: str


def native_body(session: Session) -> dict[str, Any]:
    """The session as one JSON object. Raises InputError for a value that JSON cannot hold."""
    try:
        body = plain(session)
    except NotJsonError as error:
        raise InputError(error.reason, path=f"${error.path}", remedy="it cannot be written as JSON") from error
    assert isinstance(body, dict)
    return body


def native_lines(body: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The session as JSON Lines: the object without `turns`, then one turn a line."""
    yield {key: value for key, value in body.items() if key != "turns"}
    yield from body.get("turns", [])


def native_losses(session: Session) -> Iterator[Loss]:
    """What the session no longer holds of its file: other threads, and the bytes of payloads."""
    if isinstance(session.source, Source):
        for thread in session.source.threads:
            if not thread.selected:
                yield Loss(thread.id, "thread", "another conversation of the file: --thread ID converts it")
    for call in session.recorded[-1:]:
        for index, message in enumerate(call.messages):
            for part in message.parts:
                inner = part.content if isinstance(part, ResultPart) else None
                payloads = [part] if isinstance(part, MediaBlock) else []
                held = len(payloads) + sum(
                    item.type in ("image", "file", "audio") for item in inner or () if not isinstance(item, str)
                )
                for _ in range(held):
                    path = part.path or f"messages[{index}]"
                    yield Loss(path, "payload", "kind, size and hash are kept, the bytes are not", part.line)


def cut_session(session: Session, turn: int, request: int) -> Session:
    """The session up to a request: earlier turns whole, this one with its first `request` rounds and no answer.

    Recorded calls are those up to the request; the caller cuts the one call of a transcript.
    """
    last = session.turns[turn]
    asked = last.model_copy(
        update={"rounds": last.rounds[:request], "assistant": None, "usage": None, "interrupted": False}
    )
    recorded = tuple(call for call in session.recorded if (call.turn, call.request) <= (turn, request))
    return session.model_copy(update={"turns": (*session.turns[:turn], asked), "recorded": recorded})


def repaired_turns(turns: Sequence[Turn]) -> tuple[tuple[Turn, ...], tuple[TurnRepair, ...]]:
    """Turns whose calls are answered once each, in the order of the calls, and the changes that make them so."""
    steps: list[TurnRepair] = []
    made: list[Turn] = []
    for turn_id, (turn, pages) in enumerate(zip(turns, pair_turns(turns), strict=True)):
        rounds = []
        for number, (round_, paired) in enumerate(zip(turn.rounds, pages, strict=True)):
            path = f"$.turns[{turn_id}].rounds[{number}]"
            steps += _steps(round_.tool_calls, round_.tool_results, paired, path)
            rounds.append(
                round_.model_copy(
                    update={
                        "tool_calls": tuple(page.call.model_copy(update={"id": page.id}) for page in paired.pages),
                        "tool_results": tuple(
                            page.result.model_copy(update={"call_id": page.id})
                            if page.result is not None
                            else ToolResult(call_id=page.id, name=page.call.name, content=STUB, is_error=True)
                            for page in paired.pages
                        ),
                    }
                )
            )
        made.append(turn.model_copy(update={"rounds": tuple(rounds)}))
    return tuple(made), tuple(steps)


def _steps(
    calls: Sequence[ToolCall], results: Sequence[ToolResult], paired: RoundPages, path: str
) -> Iterator[TurnRepair]:
    for page in paired.pages:
        place = f"{path}.tool_calls[{page.call_index}]"
        given = calls[page.call_index].id or None
        if given != page.id:
            why = "its id was used before" if given else "a call needs an id"
            yield TurnRepair("rename", place, given, f"call id becomes {page.id}: {why}")
        if page.result is None:
            yield TurnRepair("stub", place, page.id, f"result added: {STUB}")
    for index in paired.unpaired:
        result = results[index]
        yield TurnRepair("drop", f"{path}.tool_results[{index}]", result.call_id, "result dropped: no open call is its")
    order = [page.result_index for page in paired.pages if page.result_index is not None]
    if order != sorted(order):
        yield TurnRepair("move", f"{path}.tool_results", None, "results moved into the order of their calls")
