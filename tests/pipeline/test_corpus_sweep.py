"""Every real recording beside the repository: it opens or says what it is, every record is accounted for, and whatever
can be asked of it is answered. Sessions with many requests are asked for some of them, spread evenly."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from ctxinspect.model.session import Session, Source
from ctxinspect.pipeline.lint_report import lint_session
from ctxinspect.pipeline.replay import Replay
from ctxinspect.readers import load
from ctxinspect.readers.folder import FoundFile, list_files
from ctxinspect.text.secrets import find_secrets
from tests.support.shared import shared_folder

pytestmark = pytest.mark.corpus

_ASKED = 12
"""Requests of one session that are traced in each view."""

_OPENED = 3
"""Threads of one file that are opened."""

_NO_SESSIONS = {"README.md", "SOURCES.tsv"}


def _found() -> list[FoundFile]:
    return list(list_files(shared_folder("corpus")))


def _sessions() -> Iterator[tuple[Path, Session]]:
    for found in _found():
        if found.format is not None:
            yield found.path, load(found.path)


def _source(session: Session) -> Source:
    assert isinstance(session.source, Source)
    return session.source


def _values_in(file: Path) -> int:
    """How many JSON values the lines of a file hold, and how many pieces are none; counted apart from the readers."""
    decoder = json.JSONDecoder(strict=False)
    total = 0
    for raw in file.read_bytes().removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        line = raw.decode("utf-8", errors="replace").strip(" \r\t\0").removeprefix("data:").lstrip()
        if raw.startswith((b"event:", b":", b"id:", b"retry:")) or line == "[DONE]":
            continue
        while line:
            total += 1
            try:
                _, end = decoder.raw_decode(line)
            except ValueError:
                break
            line = line[end:].lstrip()
    return total


def test_every_file_opens_as_a_session_or_says_what_it_is() -> None:
    for found in _found():
        if found.path.name in _NO_SESSIONS:
            continue
        assert found.format is not None or found.what.startswith("no session: "), (found.path.name, found.what)


def test_every_record_is_read_or_skipped_and_what_is_skipped_is_named() -> None:
    for file, session in _sessions():
        source = _source(session)
        lost = [problem for problem in source.problems if problem.lost]
        assert source.records_skipped == len([p for p in lost if p.severity == "error"]), file.name
        assert source.records_read > 0, file.name
        if source.container in ("jsonl", "sse") and source.format != "otel":  # of which spans are counted
            assert source.records_read + source.records_skipped == _values_in(file), file.name


def test_every_thread_of_a_file_can_be_opened() -> None:
    for file, session in _sessions():
        for thread in _source(session).threads[:_OPENED]:
            opened = load(file, thread=thread.id)
            assert [known.id for known in _source(opened).threads if known.selected] == [thread.id], file.name


def test_linting_and_tracing_answer_in_both_views() -> None:
    for file, session in _sessions():
        replay = Replay(session)
        lint_session(replay, profile=None, replay_too=True)
        step = max(1, len(replay.steps) // _ASKED)
        for turn, request in [*replay.steps[::step], *replay.steps[-1:]]:
            for view in ("recorded", "replay"):
                trace = replay.trace(turn, request, view=view, ledger=False)
                assert (trace.view, trace.turn_id, trace.request) == (view, turn, request), file.name


def test_no_secret_is_left_in_any_session() -> None:
    for file, session in _sessions():
        text = session.model_dump_json()
        assert not [secret for secret in find_secrets(text) if not text.startswith("[masked ", secret.start)], file.name
