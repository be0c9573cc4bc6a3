"""OpenAI Responses: what one response put out is one message; calls pair by `call_id`."""

from __future__ import annotations

import json
from typing import Any

from ctxinspect.model.session import Session, Source, ThinkingBlock
from ctxinspect.readers import load_bytes


def _load(*values: Any, thread: str | None = None) -> Session:
    return load_bytes("\n".join(json.dumps(value) for value in values).encode(), name="f", thread=thread)


def _message(role: str, text: str) -> dict[str, Any]:
    return {"type": "message", "role": role, "content": [{"type": "input_text", "text": text}]}


def _call(call_id: str, item_id: str) -> dict[str, Any]:
    return {"type": "function_call", "id": item_id, "call_id": call_id, "name": "f", "arguments": "{}"}


def _output(call_id: str, text: str = "r") -> dict[str, Any]:
    return {"type": "function_call_output", "call_id": call_id, "output": text}


def test_parallel_calls_are_one_message_and_pair_by_call_id():
    items = [_message("user", "go"), _call("c1", "fc_1"), _call("c2", "fc_2"), _output("c2", "2"), _output("c1", "1")]
    session = _load({"model": "gpt-4.1", "instructions": "be brief", "input": items})
    messages = session.recorded[0].messages
    assert [message.role for message in messages] == ["system", "user", "assistant", "tool", "tool"]
    assert [(call.id, call.item_id, call.path) for call in messages[2].calls] == [
        ("c1", "fc_1", "$.input[1]"),
        ("c2", "fc_2", "$.input[2]"),
    ]
    assert messages[0].marks == ("top_level",)
    assert len(session.turns[0].rounds) == 1


def test_reasoning_stands_in_the_message_it_came_with():
    reasoning = {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "hm"}]}
    session = _load({"model": "m", "input": [_message("user", "go"), reasoning, _call("c1", "f1")]})
    parts = session.recorded[0].messages[1].parts
    assert [part.type for part in parts] == ["thinking", "tool_call"]
    assert isinstance(parts[0], ThinkingBlock)
    assert (parts[0].text, parts[0].item_id) == ("hm", "rs_1")


def test_a_chain_of_calls_is_joined_through_the_earlier_response():
    first = {
        "request": {"model": "m", "input": "one"},
        "response": {"id": "r1", "object": "response", "output": [_message("assistant", "1")]},
    }
    second = {"request": {"model": "m", "previous_response_id": "r1", "input": "two"}}
    session = _load(first, second)
    assert [turn.user for turn in session.turns] == ["one", "two"]
    assert session.turns[0].assistant == "1"
    assert [(c.turn, len(c.messages), c.partial) for c in session.recorded] == [(0, 1, None), (1, 3, None)]


def test_a_call_whose_context_the_provider_keeps_is_partial():
    session = _load({"model": "m", "previous_response_id": "gone", "input": "two"})
    assert "gone" in (session.recorded[0].partial or "")


def test_tools_the_provider_ran_have_call_and_result_in_one_message():
    search = {
        "type": "web_search_call",
        "id": "ws_1",
        "action": {"type": "search", "query": "x"},
        "status": "completed",
    }
    body = {
        "object": "response",
        "model": "m",
        "output": [search, _message("assistant", "found")],
        "usage": {"input_tokens": 3},
    }
    session = _load(body)
    made = session.turns[0].rounds[0]
    assert (made.tool_calls[0].name, len(made.tool_results)) == ("web_search", 1)
    assert session.turns[0].assistant == "found"


def test_stream_events_give_the_whole_response_also_when_cut_short():
    done = {"type": "response.output_item.done", "item": _message("assistant", "hi")}
    created = {"type": "response.created", "response": {"id": "r", "object": "response", "model": "m", "output": []}}
    whole = {
        "type": "response.completed",
        "response": {"id": "r", "object": "response", "model": "m", "output": [_message("assistant", "hi")]},
    }
    for events in ((created, done), (created, done, whole)):
        session = _load(*events)
        assert [message.text for message in session.recorded[0].messages] == ["hi"]


def test_a_bare_list_of_items_is_a_conversation():
    session = _load([_message("user", "go"), _call("c1", "f1"), _output("c1")])
    assert [message.path for message in session.recorded[0].messages] == ["$[0]", "$[1]", "$[2]"]
    assert session.turns[0].rounds[0].tool_results[0].content == "r"


def test_a_conversation_that_the_provider_keeps_is_joined_within_the_file():
    def call(text: str, answer: str) -> dict[str, Any]:
        request = {"model": "gpt-5", "conversation": {"id": "conv_1"}, "input": text}
        output = [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": answer}]}]
        return {"request": request, "response": {"object": "response", "id": f"resp_{answer}", "output": output}}

    first, second = _load(call("one", "a"), call("two", "b")).recorded
    assert "conv_1, which the provider keeps" in (first.partial or "")
    assert [message.text for message in second.messages] == ["one", "a", "two"]


def test_instructions_are_not_inherited_through_the_earlier_response():
    answer = {"object": "response", "id": "resp_1", "output": [_message("assistant", "a")]}
    first = {"request": {"model": "gpt-5", "instructions": "be brief", "input": "one"}, "response": answer}
    second = {"request": {"model": "gpt-5", "previous_response_id": "resp_1", "input": "two"}, "response": answer}
    assert [message.role for message in _load(first, second).recorded[1].messages] == ["user", "assistant", "user"]


def test_bare_items_opaque_reasoning_and_lists_of_tools_are_parts_of_their_own():
    items = [
        {"role": "user", "content": "hi"},
        {"type": "mcp_list_tools", "id": "m", "server_label": "s", "tools": [{"name": "look", "input_schema": {}}]},
        {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "xyz"},
        {"type": "image_generation_call", "id": "ig", "result": "QUJD", "output_format": "png"},
    ]
    user, said = _load({"model": "gpt-5", "instructions": "i", "input": items}).recorded[0].messages[1:]
    assert user.text == "hi"
    assert [part.type for part in said.parts] == ["other", "thinking", "tool_call", "tool_result"]
    thinking = said.parts[1]
    assert isinstance(thinking, ThinkingBlock)
    assert (thinking.redacted, thinking.item_id) == (True, "rs_1")
    assert "QUJD" not in said.model_dump_json()


def test_of_a_stream_that_was_cut_short_inside_an_item_what_had_come_is_kept_and_it_is_said():
    def event(kind: str, **more: Any) -> dict[str, Any]:
        return {"type": f"response.{kind}", **more}

    head = {"id": "r", "object": "response", "model": "m", "status": "in_progress", "output": []}
    call = {"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "f", "arguments": ""}
    thought = {"type": "reasoning", "id": "rs_1", "summary": []}
    session = _load(
        event("created", response=head),
        event("output_item.added", output_index=0, item=thought),
        event("reasoning_summary_text.delta", output_index=0, summary_index=0, delta="Hm"),
        event("output_item.added", output_index=1, item={**_message("assistant", ""), "content": []}),
        event("output_text.delta", output_index=1, item_id="other", content_index=0, delta="Let "),
        event("output_text.delta", output_index=1, item_id="each time", content_index=0, delta="me"),
        event("output_item.added", output_index=2, item=call),
        event("function_call_arguments.delta", output_index=2, delta='{"a"'),
        event("function_call_arguments.delta", output_index=9, delta="of no item"),
    )
    (message,) = session.recorded[0].messages
    assert [part.type for part in message.parts] == ["thinking", "text", "tool_call"]
    assert message.text == "Let me"
    assert message.calls[0].arguments == '{"a"'
    assert isinstance(session.source, Source)
    assert any("not complete" in problem.message for problem in session.source.problems)
