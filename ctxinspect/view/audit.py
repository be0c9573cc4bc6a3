"""A corpus of sessions as one table: a row a session, every number the trace's and lint's own.

CSV, JSON or JSON Lines. In CSV a cell that a spreadsheet could take for a formula is written as text.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields

from ctxinspect.errors import UsageError
from ctxinspect.model.session import Session, Source
from ctxinspect.pipeline.lint_report import lint_session
from ctxinspect.pipeline.replay import Replay
from ctxinspect.text.sanitize import sanitize
from ctxinspect.view.jsonable import dump, jsonable
from ctxinspect.view.overview import request_row

__all__ = ["FORMATS", "AuditRow", "audit_row", "audit_text", "format_of", "unread_row"]

FORMATS = ("csv", "json", "jsonl")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True, slots=True)
class AuditRow:
    """One session, or one file that could not be read (`problem`; everything else null then).

    Sizes are in tokens. `reported_input` sums what the provider reported, `counted` the same requests as counted here.
    `reusable` is the share of all requests' tokens after the first that a prompt cache could reuse.
    """

    file: str
    format: str | None = None
    title: str | None = None
    model: str | None = None
    view: str | None = None
    threads: int | None = None
    turns: int | None = None
    requests: int | None = None
    messages: int | None = None
    records_read: int | None = None
    records_skipped: int | None = None
    secrets_masked: int | None = None
    window: int | None = None
    tools: int | None = None
    largest_request: int | None = None
    last_request: int | None = None
    over_budget: int | None = None
    trimmed: int | None = None
    switches: int | None = None
    reusable: float | None = None
    reported_input: int | None = None
    counted: int | None = None
    errors: int | None = None
    warnings: int | None = None
    infos: int | None = None
    rules: str | None = None
    problem: str | None = None


def unread_row(file: str, problem: str) -> AuditRow:
    """A file that could not be read, and why."""
    return AuditRow(file, problem=problem)


def audit_row(file: str, replay: Replay, *, progress: Callable[[int, int], None] | None = None) -> AuditRow:
    """One session in numbers, in its own view; `progress` is told (requests done, requests in all)."""
    session = replay.session
    source = session.source if isinstance(session.source, Source) else None
    rows, reported, counted, messages, over = [], 0, 0, 0, 0
    for done, step in enumerate(replay.steps, 1):
        trace = replay.trace(step.turn, step.request, view=replay.default_view, ledger=False)
        rows.append(request_row(trace))
        messages = len(trace.messages)
        over += trace.window.request_tokens > trace.window.message_budget
        if trace.usage is not None and trace.usage.reported.input is not None:
            reported, counted = reported + trace.usage.reported.input, counted + trace.usage.counted
        if progress is not None:
            progress(done, len(replay.steps))
    faults = lint_session(replay)
    severities = Counter(fault.finding.severity for fault in faults)
    later = sum(row.request for row in rows[1:])
    decided = {row.turn: row.decision for row in rows if row.decision is not None}
    return AuditRow(
        file,
        format=source.format if source else session.format,
        title=session.title,
        model=session.model,
        view=replay.default_view,
        threads=len(source.threads) if source else 0,
        turns=len(session.turns),
        requests=len(rows),
        messages=messages,
        records_read=source.records_read if source else None,
        records_skipped=source.records_skipped if source else None,
        secrets_masked=_masked(session),
        window=max((row.size for row in rows), default=None),
        tools=max((row.tools for row in rows), default=None),
        largest_request=max((row.total for row in rows), default=None),
        last_request=rows[-1].total if rows else None,
        over_budget=over,
        trimmed=sum(row.dropped > 0 for row in rows),
        switches=sum(decision == "switch" for decision in decided.values()) if decided else None,
        reusable=round(sum(min(row.common or 0, row.request) for row in rows[1:]) / later, 4) if later else None,
        reported_input=reported if counted else None,
        counted=counted or None,
        errors=severities["error"],
        warnings=severities["warning"],
        infos=severities["info"],
        rules=" ".join(f"{code}:{number}" for code, number in sorted(Counter(f.finding.id for f in faults).items())),
    )


def _masked(session: Session) -> int:
    return sum(session.source.masked.values()) if isinstance(session.source, Source) else 0


def format_of(name: str) -> str:
    """The format that a file's ending asks for. Raises UsageError naming those there are."""
    ending = name.rpartition(".")[2].lower()
    if ending not in FORMATS:
        msg = f"--out {name}: expected a name that ends in {', '.join('.' + known for known in FORMATS)}"
        raise UsageError(msg)
    return ending


def audit_text(rows: Sequence[AuditRow], style: str) -> str:
    """The table in one of `FORMATS`; it ends in a newline."""
    if style == "json":
        return dump([jsonable(row) for row in rows], indent=2) + "\n"
    if style == "jsonl":
        return "".join(dump(row) + "\n" for row in rows)
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([field.name for field in fields(AuditRow)])
    writer.writerows(_cells(row) for row in rows)
    return out.getvalue()


def _cells(row: AuditRow) -> Iterator[str]:
    for field in fields(AuditRow):
        value = getattr(row, field.name)
        text = "" if value is None else sanitize(str(value))
        yield f"'{text}" if isinstance(value, str) and text.startswith(_FORMULA) else text
