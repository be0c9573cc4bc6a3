"""Aider histories: Markdown lines of three speakers, many runs in a file."""

from __future__ import annotations

import pytest

from ctxinspect.errors import InputError
from ctxinspect.model.session import Source
from ctxinspect.readers import load_bytes

TEXT = """
# aider chat started at 2026-01-01 10:00:00

> Aider v0.80
> Main model: gpt-4o with diff edit format

#### fix the bug
#### in a.py

I fixed it.

> Applied edit to a.py

# aider chat started at 2026-01-02 10:00:00

# aider chat started at 2026-01-03 10:00:00

#### second
Sure.
"""


def test_runs_are_threads_and_the_last_with_a_message_is_opened():
    session = load_bytes(TEXT.encode(), name="f")
    assert [(turn.user, turn.assistant) for turn in session.turns] == [("second", "Sure.")]
    assert isinstance(session.source, Source)
    assert [thread.id for thread in session.source.threads] == ["run-1", "run-3"]
    assert session.source.unknown_kinds == {"run without a message": 1}
    assert "the system prompt" in session.source.missing


def test_lines_of_the_user_go_together_and_the_tools_are_left_out():
    session = load_bytes(TEXT.encode(), name="f", thread="run-1")
    assert session.turns[0].user == "fix the bug\nin a.py"
    assert session.turns[0].assistant == "I fixed it."
    assert session.model == "gpt-4o"
    assert session.recorded[0].messages[0].line == 7


def test_a_history_without_messages_says_so():
    with pytest.raises(InputError, match="no message"):
        load_bytes(b"# aider chat started at 2026-01-01 10:00:00\n", name="f")
