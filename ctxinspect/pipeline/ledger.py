"""The ledger: every candidate of a request ends in exactly one state, with the rule that decided and its numbers.

The last stage that removes a candidate decides. Pages and sentences of a turn that is out are not listed apart.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ctxinspect.trace.types import STAGES, LedgerEntry

if TYPE_CHECKING:
    from ctxinspect.pipeline.stages import Request, Stages

__all__ = ["build_ledger"]


def build_ledger(stages: Stages, request: Request) -> tuple[LedgerEntry, ...]:
    """Rows in stage order, then by kind and id. Linear in the number of candidates."""
    rows = [*request.assembly.ledger, *_dropped_components(stages)]
    turns = {entry.id: entry for entry in _turn_rows(stages, request)}
    trimmed = _trimmed_turns(request, turns)
    turns.update(trimmed)
    rows += turns.values()
    rows += _page_rows(stages, request, turns)
    if stages.settings.history == "gatekeeper":
        for entry in request.selection.sentence_ledger():
            owner = turns.get(int(str(entry.id).partition(".")[0]))
            if owner is not None and owner.state != "dropped":
                rows.append(entry)
    return tuple(sorted(rows, key=_place))


def _place(entry: LedgerEntry) -> tuple[int, str, tuple[tuple[int, int | str], ...]]:
    parts = str(entry.id).split(".")
    natural = tuple((0, int(part)) if part.isdecimal() else (1, part) for part in parts)
    return STAGES.index(entry.stage), entry.kind, natural


def _dropped_components(stages: Stages) -> Iterable[LedgerEntry]:
    for item in stages.settings.what_if.drop:
        kind, _, name = item.partition(":")
        if kind == "component":
            yield LedgerEntry("component", name, "ingest", "dropped", "what_if_drop")


def _turn_rows(stages: Stages, request: Request) -> Iterable[LedgerEntry]:
    turn = request.step.turn
    dropped = {int(i.partition(":")[2]) for i in stages.settings.what_if.drop if i.startswith("turn:")}
    if stages.settings.history == "full":
        first = stages.first_visible(turn)
        rows: Iterable[LedgerEntry] = (
            LedgerEntry("turn", t, "render", "kept", "full")
            if t >= first
            else LedgerEntry("turn", t, "ingest", "dropped", "history_reset")
            for t in range(turn)
        )
    else:
        rows = request.selection.turn_ledger()
    for row in rows:
        if row.id in dropped:
            yield LedgerEntry("turn", row.id, "ingest", "dropped", "what_if_drop")
        else:
            yield row


def _trimmed_turns(request: Request, turns: dict[str | int, LedgerEntry]) -> dict[str | int, LedgerEntry]:
    """Turns that the window took: whole ones dropped, those that lost only some messages truncated."""
    window = request.window
    left = {message.turn_id for message in window.messages}
    gone = {message.turn_id for message in window.removed}
    out: dict[str | int, LedgerEntry] = {}
    for turn_id in sorted(t for t in gone if t is not None and t != request.step.turn):
        if turn_id in turns:
            value, limit = window.tokens_before, window.trace.message_budget
            state = "truncated" if turn_id in left else "dropped"
            out[turn_id] = LedgerEntry("turn", turn_id, "window", state, "trimmed", value, limit, value - limit)  # type: ignore[arg-type]
    return out


def _page_rows(stages: Stages, request: Request, turns: dict[str | int, LedgerEntry]) -> Iterable[LedgerEntry]:
    window = request.window
    left = {call.id for message in window.messages for call in message.calls}
    left &= {message.call_id for message in window.messages if message.role == "tool" and message.call_id}
    value, limit = window.tokens_before, window.trace.message_budget
    for rendered in (*request.history, request.current):
        owner = turns.get(rendered.turn_id)
        if rendered is not request.current and owner is not None and owner.state == "dropped":
            continue
        for fate in rendered.pages:
            if fate.state != "dropped" and fate.id not in left:
                yield LedgerEntry("page", fate.id, "window", "dropped", "trimmed", value, limit, value - limit)
            else:
                yield fate.entry()
    if stages.settings.history != "gatekeeper":
        return
    for chosen in request.selection.selected:
        owner = turns.get(chosen.turn_id)
        if chosen.via != "cover" or owner is None or owner.state == "dropped":
            continue
        for round_ in stages.sequencer.pages[chosen.turn_id]:
            for page in round_.pages:
                yield LedgerEntry("page", page.id, "cover", "dropped", "cover_text_only")
