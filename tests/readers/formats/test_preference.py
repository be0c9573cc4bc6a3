"""Training rows: prompt and completion, chosen and rejected, as strings or as messages."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ctxinspect.model.session import Session, Source
from ctxinspect.readers import load_bytes


def _load(*rows: Any, thread: str | None = None) -> Session:
    return load_bytes(b"\n".join(json.dumps(row).encode() for row in rows), name="f", thread=thread)


def _source(session: Session) -> Source:
    assert isinstance(session.source, Source)
    return session.source


@pytest.mark.parametrize("as_messages", [False, True])
def test_the_chosen_answer_is_the_conversation_and_the_rejected_one_a_branch(as_messages: bool):
    def said(role: str, text: str) -> Any:
        return [{"role": role, "content": text}] if as_messages else text

    row = {"prompt": said("user", "go"), "chosen": said("assistant", "good"), "rejected": said("assistant", "bad")}
    session = _load(row, row)
    assert _source(session).format == "preference"
    assert [(thread.id, thread.kind, thread.parent) for thread in _source(session).threads] == [
        *[("row-1", "main", None), ("row-1-rejected", "branch", "row-1")],
        *[("row-2", "main", None), ("row-2-rejected", "branch", "row-2")],
    ]
    assert (session.turns[0].user, session.turns[0].assistant) == ("go", "good")
    assert _load(row, thread="row-1-rejected").turns[0].assistant == "bad"


def test_a_prompt_and_its_completion_are_a_conversation_with_their_tools():
    tools = [{"type": "function", "function": {"name": "look", "parameters": {}}}]
    session = _load({"prompt": "go", "completion": "done", "tools": tools})
    assert (session.turns[0].user, session.turns[0].assistant) == ("go", "done")
    assert [tool.name for tool in session.tools] == ["look"]


def test_rows_that_are_none_are_problems_and_bodies_of_calls_are_not_taken_for_rows():
    session = _load({"prompt": "a", "completion": "b"}, {"prompt": "a"}, {"prompt": "c", "completion": "d"})
    assert (_source(session).records_read, _source(session).records_skipped) == (2, 1)
    call = {"model": "gpt-4o", "messages": [{"role": "user", "content": "hi"}], "prompt": "x", "completion": "y"}
    assert _source(_load(call)).format == "openai_chat"
