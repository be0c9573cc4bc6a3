"""Langfuse exports: JSON in strings, nested generations, several shapes of messages."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ctxinspect.errors import InputError
from ctxinspect.model.session import Session, Source
from ctxinspect.readers import load, load_bytes
from tests.support.shared import shared_folder

USER = {"role": "user", "content": "go"}


def _generation(name: str, asked: Any, said: Any, parent: str | None = None) -> dict[str, Any]:
    encoded = {"input": json.dumps(json.dumps(asked)), "output": json.dumps(said)}
    usage = {"input": 7, "output": 2, "input_cache_read": 3}
    known = {"id": name, "type": "GENERATION", "startTime": name, "parentObservationId": parent, "model": "m"}
    return {**known, **encoded, "usageDetails": usage}


def _load(*observations: dict[str, Any]) -> Session:
    return load_bytes(json.dumps({"trace": {}, "observations": list(observations)}).encode(), name="f")


def test_double_encoded_calls_make_a_story_with_usage():
    call = {
        "role": "assistant",
        "content": "",
        "additional_kwargs": {"tool_calls": [{"id": "c", "function": {"name": "f", "arguments": "{}"}}]},
    }
    result = {"role": "tool", "tool_call_id": "c", "content": "r"}
    session = _load(
        _generation("2", [USER, call, result], {"role": "assistant", "content": "done"}),
        _generation("1", [USER], call),
        {"id": "s", "type": "SPAN"},
    )
    turn = session.turns[0]
    assert (len(turn.rounds), turn.assistant) == (1, "done")
    assert turn.usage is not None
    assert (turn.usage.input, turn.usage.cached, turn.usage.output) == (7, 3, 2)
    assert isinstance(session.source, Source)
    assert session.source.unknown_kinds == {"observation of no model call": 1}


def test_a_generation_around_another_is_not_counted_twice():
    session = _load(_generation("1", [USER], "x"), _generation("2", [USER], "x", parent="1"))
    assert [call.id for call in session.recorded] == ["2"]


def test_messages_with_parts_and_gemini_contents_are_read():
    parts = [{"role": "user", "parts": [{"type": "text", "content": "go"}]}]
    assert _load(_generation("1", parts, None)).turns[0].user == "go"
    contents = {"contents": [{"role": "user", "parts": [{"text": "go"}]}], "config": {"system_instruction": "s"}}
    session = _load(_generation("1", contents, {"content": {"role": "model", "parts": [{"text": "hi"}]}}))
    assert (session.turns[0].user, session.turns[0].assistant) == ("go", "hi")
    assert session.components[0].content == "s"
    assert isinstance(session.source, Source)
    assert session.source.dialect == "gemini"


def test_calls_without_input_are_said_to_be_missing():
    session = _load(_generation("1", None, None))
    assert isinstance(session.source, Source)
    assert session.source.missing == ("the input of 1 of 1 calls",)


def test_a_trace_without_generations_says_so():
    with pytest.raises(InputError, match="none of them a GENERATION"):
        _load({"id": "s", "type": "SPAN"})


def test_schemas_logged_as_messages_of_role_tool_are_the_tools_of_the_call_and_were_never_sent():
    schema = {"type": "function", "function": {"name": "look", "parameters": {"type": "object"}}}
    result = {"role": "tool", "tool_call_id": "c1", "content": '{"function": {"name": "kept"}}'}
    call = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    asked = [USER, {"role": "assistant", "tool_calls": [call]}, result, {"role": "tool", "content": json.dumps(schema)}]
    session = _load(_generation("1", asked, "done"))
    assert [message.role for message in session.recorded[0].messages] == ["user", "assistant", "tool"]
    assert [tool.name for tool in session.tools] == ["look"]


@pytest.mark.corpus
def test_the_messages_are_those_that_the_exporters_own_adapters_find():
    folder = shared_folder("corpus") / "langfuse"
    for expected in sorted(folder.glob("*.chatml.json")):
        trace = expected.with_name(expected.name.replace(".chatml.", ".trace."))
        if not trace.is_file():
            continue
        known = json.loads(expected.read_text("utf-8"))
        source = load(trace).source
        assert isinstance(source, Source)
        for thread in source.threads:
            for call in load(trace, thread=thread.id).recorded:
                found = known[call.id]["input"]
                if found["success"]:
                    assert [message.role for message in call.messages] == [item["role"] for item in found["data"]]
                    tools = {tool["name"] for item in found["data"] for tool in item.get("tools") or ()}
                    assert {tool.name for tool in call.tools or ()} == tools
