"""The log database of the `llm` command: conversations of both generations, read one at a time.

Until 0.35 a row of `responses` is one call; from 0.36 on messages stand in a tree that turns and threads point into,
and `responses` stays empty. A thread that stands in both is read from the tree, which holds its whole history.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from functools import partial

from ctxinspect.errors import InputError
from ctxinspect.model.session import RecordedCall, RecordedMessage, Usage
from ctxinspect.readers.container import Recording, Sample
from ctxinspect.readers.database import Row, columns_of, opened_database, rows
from ctxinspect.readers.formats._llm_tables import Tables
from ctxinspect.readers.reading import Conversation, Reading, Tale
from ctxinspect.readers.registry import Format
from ctxinspect.readers.wire.dialect import tokens

__all__ = ["FORMAT"]


def _sniff(sample: Sample) -> float:
    return 0.95 if sample.kind == "sqlite" and "_llm_migrations" in sample.members else 0.0


def _read(recording: Recording) -> Reading:
    with opened_database(recording.source) as database:
        threads = list(_threads(database))
        known = {row["id"] for row in threads}
        older = [row for row in _conversations(database) if row["id"] not in known]
    found = [
        *(_conversation(recording, row, new=True) for row in threads),
        *(_conversation(recording, row, new=False) for row in older),
    ]
    if not found:
        raise InputError("no conversation in it", remedy="llm logs when `llm logs on` is set")
    newest = max([*threads, *older], key=lambda row: (str(row["last"] or ""), str(row["id"])))
    return Reading(
        conversations=tuple(found),
        dialect="openai",
        family="capture",
        default=_name(newest),
        records_read=sum(known.turns for known in found),
    )


def _threads(database: sqlite3.Connection) -> Iterator[Row]:
    if not {"id", "thread_id", "tip_message_hash"} <= set(columns_of(database, "turns")):
        return
    yield from rows(
        database,
        "SELECT threads.id, threads.name, threads.forked_from AS parent, count(turns.id) AS calls,"
        " max(turns.datetime_utc) AS last FROM threads LEFT JOIN turns ON turns.thread_id = threads.id"
        " GROUP BY threads.id HAVING count(turns.id) > 0 OR threads.tip_message_hash IS NOT NULL ORDER BY threads.id",
    )


def _conversations(database: sqlite3.Connection) -> Iterator[Row]:
    if not {"id", "conversation_id", "prompt", "response"} <= set(columns_of(database, "responses")):
        return
    named = {"id", "name"} <= set(columns_of(database, "conversations"))
    name = "(SELECT name FROM conversations WHERE conversations.id = responses.conversation_id)" if named else "NULL"
    yield from rows(
        database,
        f"SELECT coalesce(conversation_id, id) AS id, {name} AS name, NULL AS parent, count(*) AS calls,"  # noqa: S608
        " max(datetime_utc) AS last FROM responses GROUP BY coalesce(conversation_id, id) ORDER BY 1",
    )


def _name(row: Row) -> str:
    return str(row["id"])


def _conversation(recording: Recording, row: Row, *, new: bool) -> Conversation:
    return Conversation(
        id=_name(row),
        tell=partial(_tale, recording, _name(row), new=new),
        kind="fork" if row["parent"] else "main",
        title=recording.cleared(" ".join(str(row["name"] or "").split())),
        messages=2 * row["calls"],
        turns=row["calls"],
        parent=row["parent"],
    )


def _tale(recording: Recording, name: str, *, new: bool) -> Tale:
    with opened_database(recording.source) as database:
        tables = Tables(database, recording)
        calls = list(tables.turns(name)) if new else list(tables.responses(name))
        tip = tables.tip(name) if new else None
    whole = tip or max((call.whole for call in calls), key=len, default=())
    usage: dict[int, Usage] = {}
    lengths: list[int] = []
    for call in calls:
        length = _common(call.asked, whole)
        lengths.append(length)
        reported = _usage(call.row)
        if reported is not None and length == len(call.asked) < len(whole) and whole[length].role == "assistant":
            usage[length] = reported
    model = next((str(call.row["model"]) for call in reversed(calls) if call.row.get("model")), None)
    return Tale(
        messages=whole,
        usage=usage,
        calls=tuple(
            RecordedCall(
                messages=call.asked,
                tools=call.tools,
                usage=_usage(call.row),
                model=call.row.get("resolved_model") or call.row.get("model"),
                id=str(call.row["id"]),
            )
            for call in calls
        ),
        call_lengths=tuple(lengths),
        tools=next((call.tools for call in reversed(calls) if call.tools), None),
        model=model,
    )


def _common(left: tuple[RecordedMessage, ...], right: tuple[RecordedMessage, ...]) -> int:
    """How many leading messages are the same; each names its own row, so places are compared and no texts."""
    shared = 0
    for one, other in zip(left, right, strict=False):
        if one.path != other.path or one.role != other.role:
            break
        shared += 1
    return shared


def _usage(row: Row) -> Usage | None:
    made = Usage(input=tokens(row.get("input_tokens")), output=tokens(row.get("output_tokens")))
    return made if made != Usage() else None


FORMAT = Format(
    name="llm_logs", title="a log database of llm", sniff=_sniff, read=_read, dialect="openai", family="capture"
)
