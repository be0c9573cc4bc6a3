"""What a file is and what was read of it, as text lines and as JSON values; every skipped record is accounted for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ctxinspect.model.session import Problem, Session, Source, Thread

__all__ = ["file_facts", "file_lines"]


def _source(session: Session, file: str) -> Source:
    given = session.source
    return given if isinstance(given, Source) else Source(format=session.format, file=file)


def file_facts(session: Session, file: str) -> dict[str, Any]:
    """The facts as JSON values: the session's source, and how many turns and recorded calls it has."""
    facts: dict[str, Any] = _source(session, file).model_dump(mode="json")
    facts["file"] = file
    return {**facts, "turns": len(session.turns), "calls": len(session.recorded), "model": session.model}


def file_lines(session: Session, file: str) -> Iterator[str]:
    """The facts as lines: the file, then format, container, records, threads, missing parts, kinds and problems."""
    source = _source(session, file)
    yield file
    dialect = f", dialect {source.dialect}" if source.dialect else ""
    yield f"  format     {source.format}, {source.family}{dialect}"
    yield f"  container  {source.container}"
    yield f"  records    {source.records_read} read, {source.records_skipped} skipped"
    model = session.model or "-"
    yield f"  session    {len(session.turns)} turns, {len(session.recorded)} recorded calls, model {model}"
    if len(source.threads) > 1:
        yield f"  threads    {len(source.threads)} (* is open)"
        yield from (_thread_line(thread) for thread in source.threads)
    if source.masked:
        kinds = ", ".join(f"{kind} ({count})" for kind, count in sorted(source.masked.items()))
        yield f"  masked     {kinds}; the masks are what is counted; --show-secrets reads them as they are"
    if source.missing:
        yield f"  missing    {'; '.join(source.missing)}"
    if source.unknown_kinds:
        kinds = ", ".join(f"{_line(kind)} ({count})" for kind, count in sorted(source.unknown_kinds.items()))
        yield f"  passed by  {kinds}"
    if source.problems:
        yield f"  problems   {len(source.problems)}"
        yield from (_problem_line(problem) for problem in source.problems)


def _line(text: str) -> str:
    return " ".join(text.split())


def _thread_line(thread: Thread) -> str:
    mark = "*" if thread.selected else " "
    parent = f", from {thread.parent}" if thread.parent else ""
    title = f"  {_line(thread.title)}" if thread.title else ""
    return f"    {mark} {_line(thread.id)}  {thread.kind}{parent}, {thread.messages} messages{title}"


def _problem_line(problem: Problem) -> str:
    place = f"line {problem.line}: " if problem.line is not None else ""
    path = f" @ {problem.path}" if problem.path else ""
    return f"    {problem.severity}: {place}{_line(problem.message)}{path}"
