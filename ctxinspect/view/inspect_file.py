"""What a file is and what was read of it, as text lines and as JSON values; every skipped record is accounted for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ctxinspect.model.session import Problem, Session, Source, Thread

__all__ = ["file_facts", "file_lines"]


_THREADS = 40
"""Threads that the text shows of one file."""


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
        yield f"  threads    {len(source.threads)} (* is open; --thread opens another)"
        yield from _thread_lines(source.threads)
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


def _thread_lines(threads: Sequence[Thread]) -> Iterator[str]:
    """The threads as a tree, each under the one it left; of very many the first, and the open one."""
    shown = 0
    for thread, depth in _in_tree(threads):
        shown += 1
        if shown <= _THREADS or thread.selected:
            yield _thread_line(thread, depth)
    if shown > _THREADS:
        yield f"      … of {shown} threads; --format json names them all"


def _in_tree(threads: Sequence[Thread]) -> Iterator[tuple[Thread, int]]:
    """(thread, depth): children behind their parent, in file order. A parent that is not listed makes a root."""
    children: dict[str | None, list[Thread]] = {}
    names = {thread.id for thread in threads}
    for thread in threads:
        above = thread.parent if thread.parent in names and thread.parent != thread.id else None
        children.setdefault(above, []).append(thread)
    seen: set[int] = set()
    waiting = [(thread, 0) for thread in reversed(children.get(None, []))]
    while waiting:
        thread, depth = waiting.pop()
        if id(thread) in seen:
            continue
        seen.add(id(thread))
        yield thread, depth
        waiting += [(child, depth + 1) for child in reversed(children.get(thread.id, []))]
    yield from ((thread, 0) for thread in threads if id(thread) not in seen)  # parents in a circle


def _thread_line(thread: Thread, depth: int) -> str:
    mark = "*" if thread.selected else " "
    outside = f", from {_line(thread.parent)}" if thread.parent and not depth else ""
    file = f", in {_line(thread.file)}" if thread.file else ""
    title = f"  {_line(thread.title)}" if thread.title else ""
    place = "  " * depth
    return f"    {mark} {place}{_line(thread.id)}  {thread.kind}{outside}, {thread.messages} messages{file}{title}"


def _problem_line(problem: Problem) -> str:
    place = f"line {problem.line}: " if problem.line is not None else ""
    path = f" @ {problem.path}" if problem.path else ""
    return f"    {problem.severity}: {place}{_line(problem.message)}{path}"
