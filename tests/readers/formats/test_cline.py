"""Cline tasks: texts that answer calls are their results; what the client adds is no person's turn."""

from __future__ import annotations

import json
from typing import Any

from ctxinspect.model.session import Session, Source
from ctxinspect.readers import load_bytes

INFO = {"modelId": "claude-x", "providerId": "anthropic", "mode": "act"}
ENVIRONMENT = "<environment_details>\n# Visible files\n</environment_details>"


def _user(*texts: str) -> dict[str, Any]:
    return {"role": "user", "content": [{"type": "text", "text": text} for text in texts]}


def _asks(*calls: tuple[str, str]) -> dict[str, Any]:
    blocks = [{"type": "tool_use", "id": name, "name": tool, "input": {}} for name, tool in calls]
    tokens = {"prompt": 10, "completion": 5, "cached": 90}
    return {"role": "assistant", "content": blocks, "modelInfo": INFO, "metrics": {"tokens": tokens}}


def _load(*messages: dict[str, Any]) -> Session:
    return load_bytes(json.dumps(list(messages)).encode(), name="f")


def test_a_text_that_begins_with_the_tools_name_is_the_result_of_its_call():
    session = _load(
        _user("<task>\nmend it\n</task>"),
        _asks(("t1", "read_file"), ("t2", "search_files")),
        _user("[search_files for 'x'] Result:\nnone", "[read_file for 'a.py'] Result:\nprint(1)", ENVIRONMENT),
    )
    assert isinstance(session.source, Source)
    assert (session.source.format, session.model) == ("cline", "claude-x")
    results = session.turns[0].rounds[0].tool_results
    assert [(result.call_id, result.name) for result in results] == [("t2", "search_files"), ("t1", "read_file")]
    assert "print(1)" in str(results[1].content)
    usage = session.turns[0].rounds[0].usage
    assert usage is not None
    assert (usage.input, usage.cached, usage.output) == (100, 90, 5)
    answered = session.recorded[0].messages[2]
    assert answered.marks == ("paired_by_name", "injected")
    assert [turn.source for turn in session.turns] == ["user", "client"]


def test_a_persons_words_behind_a_result_are_a_turn_of_theirs():
    session = _load(_user("go"), _asks(("t1", "read_file")), _user("[read_file for 'a'] Result:\nx", "and hurry"))
    assert [(turn.user, turn.source) for turn in session.turns] == [("go", "user"), ("and hurry", "user")]


def test_a_text_of_another_tool_answers_nothing():
    session = _load(_user("go"), _asks(("t1", "read_file")), _user("[write_to_file for 'a'] Result:\nx"))
    assert session.turns[0].rounds[0].tool_results == ()
    assert session.turns[1].user == "[write_to_file for 'a'] Result:\nx"


def test_real_results_are_left_as_they_are():
    result = {"type": "tool_result", "tool_use_id": "t1", "content": "x"}
    session = _load(_user("go"), _asks(("t1", "read_file")), {"role": "user", "content": [result]})
    assert session.turns[0].rounds[0].tool_results[0].content == "x"
    assert session.recorded[0].messages[2].marks == ()
