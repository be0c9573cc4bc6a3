"""Gemini Interactions: steps and outputs, chains, streams; told apart from the Responses API."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ctxinspect.model.session import Session, Source
from ctxinspect.readers import load_bytes
from ctxinspect.readers.wire.interactions import WIRE

ASKED = {"model": "gemini-x", "input": "Weather?", "system_instruction": "Be brief.", "tools": []}
TOOLS = [{"type": "function", "name": "weather", "description": "Looks out", "parameters": {"type": "object"}}]
CALLED = {
    "object": "interaction",
    "id": "i1",
    "status": "requires_action",
    "model": "gemini-x",
    "steps": [
        {"type": "thought", "signature": "sig"},
        {"type": "function_call", "id": "c1", "name": "weather", "arguments": {"city": "Oslo"}},
    ],
    "usage": {"total_input_tokens": 10, "total_cached_tokens": 4, "total_output_tokens": 3, "total_thought_tokens": 2},
}
GIVEN = {
    "model": "gemini-x",
    "previous_interaction_id": "i1",
    "input": [{"type": "function_result", "call_id": "c1", "name": "weather", "result": "rain"}],
}
SAID = {
    "object": "interaction",
    "id": "i2",
    "status": "completed",
    "model": "gemini-x",
    "steps": [{"type": "model_output", "content": [{"type": "text", "text": "Rain."}]}],
}


def _load(*values: Any) -> Session:
    return load_bytes(b"\n".join(json.dumps(value).encode() for value in values), name="f")


def _source(session: Session) -> Source:
    assert isinstance(session.source, Source)
    return session.source


def test_a_chain_is_joined_by_the_interaction_it_builds_on():
    session = _load({"request": {**ASKED, "tools": TOOLS}, "response": CALLED}, {"request": GIVEN, "response": SAID})
    assert _source(session).format == "gemini_interactions"
    (turn,) = session.turns
    assert (turn.user, turn.rounds[0].tool_calls[0].id, turn.rounds[0].tool_results[0].content) == (
        *("Weather?", "c1", "rain"),
    )
    assert turn.assistant == "Rain."
    assert [len(call.messages) for call in session.recorded] == [2, 3]
    assert session.recorded[1].partial is None
    usage = session.recorded[0].usage
    assert usage is not None
    assert (usage.input, usage.cached, usage.output) == (10, 4, 5)
    assert [tool.name for tool in session.recorded[0].tools or ()] == ["weather"]


def test_a_chain_whose_beginning_is_not_in_the_file_is_partial():
    session = _load({"request": GIVEN, "response": SAID})
    assert "i1, which the provider keeps" in (session.recorded[0].partial or "")


def test_a_response_alone_is_read_and_so_are_the_older_outputs():
    search = [
        {"type": "google_search_call", "id": "s", "arguments": {"queries": ["x"]}},
        {"type": "google_search_result", "call_id": "s", "result": [{"search_suggestions": "y"}], "is_error": False},
        {"type": "text", "text": "Found."},
    ]
    session = _load({"id": "i", "status": "completed", "model": "gemini-x", "outputs": search})
    (message,) = session.recorded[0].messages
    assert [part.type for part in message.parts] == ["tool_call", "tool_result", "text"]
    assert message.calls[0].server
    assert message.calls[0].name == "google_search"


def test_turns_and_media_of_an_input_are_messages():
    turns = [
        {"role": "user", "content": [{"type": "image", "mime_type": "image/png", "data": "QUJD"}]},
        {"role": "model", "content": "A letter."},
        {"role": "user", "content": [{"type": "text", "text": "Which?"}]},
    ]
    session = _load({"model": "gemini-x", "input": turns})
    messages = session.recorded[0].messages
    assert [message.role for message in messages] == ["user", "assistant", "user"]
    assert messages[0].text == "[image image/png, 3 bytes]"


def test_a_stream_is_put_together():
    session = _load(
        {"event_type": "interaction.start", "interaction": {"id": "i", "status": "in_progress", "model": "gemini-x"}},
        {"event_type": "content.start", "index": 0, "content": {"type": "text"}},
        {"event_type": "content.delta", "index": 0, "delta": {"type": "text", "text": "Ra"}},
        {"event_type": "content.delta", "index": 0, "delta": {"type": "text", "text": "in."}},
        {"event_type": "content.stop", "index": 0},
        {"event_type": "interaction.complete", "interaction": {"id": "i", "usage": {"total_output_tokens": 2}}},
    )
    assert session.recorded[0].messages[0].text == "Rain."
    assert session.recorded[0].usage is not None


def test_a_request_of_the_responses_api_is_not_taken_for_one():
    session = _load({"model": "gpt-5", "input": "hi", "instructions": "be brief"})
    assert _source(session).format == "openai_responses"


CALL = {"type": "function_call", "call_id": "c1", "name": "weather", "arguments": '{"city": "Oslo"}'}
OUTPUT = {"type": "function_call_output", "call_id": "c1", "output": "rain"}
WEATHER = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Weather?"}]}


def test_a_responses_body_keeps_its_pairs_whatever_the_name_of_its_model():
    session = _load({"model": "gemini-2.5-pro", "input": [WEATHER, CALL, OUTPUT]})
    assert (_source(session).format, _source(session).dialect) == ("openai_responses", "openai-responses")
    (turn,) = session.turns
    assert turn.user == "Weather?"
    (called,) = turn.rounds
    assert [call.id for call in called.tool_calls] == [result.call_id for result in called.tool_results] == ["c1"]


@pytest.mark.parametrize(
    "body",
    [
        {"input": [{"role": "user", "content": "Weather?"}, CALL]},
        {"input": [{"role": "user", "content": "Weather?"}, OUTPUT]},
        {"input": [WEATHER]},
        {"input": "Weather?", "instructions": "Be brief."},
        {"input": "Weather?", "previous_response_id": "r1"},
    ],
)
def test_what_only_the_responses_api_has_outweighs_the_name_of_the_model(body):
    assert not WIRE.is_request({"model": "gemini-x", **body})


@pytest.mark.parametrize(
    "given",
    [
        "Weather?",
        [{"role": "user", "content": "Weather?"}],
        [{"type": "user_input", "content": [{"type": "text", "text": "Weather?"}]}],
        [{"type": "function_call", "id": "c1", "name": "weather", "arguments": {}}],
        [{"type": "function_result", "call_id": "c1", "name": "weather", "result": "rain"}],
    ],
)
def test_a_body_of_steps_or_turns_is_told_by_its_model(given):
    assert WIRE.is_request({"model": "gemini-x", "input": given})
