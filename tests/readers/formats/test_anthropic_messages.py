"""Anthropic Messages: the system prompt beside the messages, results inside user messages, the cache in the usage."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ctxinspect.model.session import Session, Source, ThinkingBlock
from ctxinspect.readers import load_bytes

USE = {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "f", "input": {"a": 1}}]}
ANSWER = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "r", "is_error": True}]}
USER = {"role": "user", "content": "hello"}


def _load(*values: Any) -> Session:
    return load_bytes("\n".join(json.dumps(value) for value in values).encode(), name="f")


def _source(session: Session) -> Source:
    assert isinstance(session.source, Source)
    return session.source


def test_the_system_prompt_is_a_component_and_marked_as_standing_beside_the_messages():
    blocks = [{"type": "text", "text": "a"}, {"type": "text", "text": "b", "cache_control": {"type": "ephemeral"}}]
    session = _load({"model": "claude-x", "system": blocks, "messages": [USER]})
    assert session.components[0].content == "a\nb"
    system = session.recorded[0].messages[0]
    assert (system.role, system.path) == ("system", "$.system")
    assert system.marks == ("top_level", "cache_breakpoint")


def test_calls_and_results_pair_and_tools_keep_their_schema():
    tool = {"name": "f", "description": "d", "input_schema": {"type": "object"}}
    session = _load({"model": "claude-x", "messages": [USER, USE, ANSWER], "tools": [tool]})
    made = session.turns[0].rounds[0]
    assert made.tool_calls[0].arguments == {"a": 1}
    assert (made.tool_results[0].content, made.tool_results[0].is_error) == ("r", True)
    assert session.tools[0].parameters == {"type": "object"}
    assert len(session.turns) == 1


@pytest.mark.parametrize(
    ("body", "dialect"),
    [
        ({"model": "claude-x", "messages": [USER]}, "anthropic"),
        ({"model": "m", "messages": [USER], "tools": [{"name": "f", "input_schema": {}}]}, "anthropic"),
        ({"model": "m", "messages": [USER], "tools": [{"type": "web_search_20250305", "name": "s"}]}, "anthropic"),
        ({"model": "m", "messages": [USER], "tools": [{"type": "function", "function": {"name": "f"}}]}, "openai"),
        ({"model": "claude-x", "messages": [{"role": "system", "content": "s"}, USER]}, "openai"),
        ({"model": "m", "messages": [USER, USE]}, "anthropic"),
        ({"model": "m", "messages": [USER]}, "openai"),
        ([USER, USE, ANSWER], "anthropic"),
    ],
)
def test_the_shape_decides_between_the_dialects(body: Any, dialect: str):
    assert _source(_load(body)).dialect == dialect


def test_usage_input_is_everything_the_call_read():
    usage = {
        "input_tokens": 2,
        "cache_creation_input_tokens": 30,
        "cache_read_input_tokens": 400,
        "output_tokens": 5,
    }
    response = {"type": "message", "role": "assistant", "content": [{"type": "text", "text": "yo"}], "usage": usage}
    session = _load({"request": {"model": "claude-x", "messages": [USER]}, "response": response})
    assert session.turns[0].assistant == "yo"
    reported = session.recorded[0].usage
    assert reported is not None
    assert (reported.input, reported.cached, reported.output) == (432, 400, 5)


def test_a_streamed_answer_kept_as_raw_text_is_put_together():
    events = [
        {"type": "message_start", "message": {"role": "assistant", "usage": {"input_tokens": 9}}},
        {
            "type": "content_block_start",
            "index": 0,
            "content_block": {"type": "tool_use", "id": "t", "name": "f", "input": {}},
        },
        {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": '{"a"'}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": ":1}"}},
        {"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 1, "delta": {"type": "text_delta", "text": "hi"}},
        {"type": "message_delta", "usage": {"output_tokens": 4}},
    ]
    raw = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)
    record = {"request": {"body": {"model": "claude-x", "messages": [USER]}}, "response": {"body_raw": raw}}
    session = _load(record)
    assert session.turns[0].rounds[0].tool_calls[0].arguments == {"a": 1}
    reported = session.recorded[0].usage
    assert reported is not None
    assert (reported.input, reported.output) == (9, 4)


def test_thinking_keeps_its_signature_and_the_switch_is_known():
    blocks = [{"type": "thinking", "thinking": "hm", "signature": "s"}, {"type": "redacted_thinking", "data": "d"}]
    body = {
        "model": "claude-x",
        "thinking": {"type": "enabled"},
        "messages": [USER, {"role": "assistant", "content": blocks}],
    }
    call = _load(body).recorded[0]
    assert call.thinking
    parts = call.messages[1].parts
    assert isinstance(parts[0], ThinkingBlock)
    assert isinstance(parts[1], ThinkingBlock)
    assert (parts[0].signature, parts[0].redacted, parts[1].redacted) == ("s", False, True)


def test_images_in_results_are_media():
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "QUJD"}}
    result = {"type": "tool_result", "tool_use_id": "t1", "content": [{"type": "text", "text": "see"}, image]}
    session = _load({"model": "claude-x", "messages": [USER, USE, {"role": "user", "content": [result]}]})
    content = session.turns[0].rounds[0].tool_results[0].content
    assert [part.type for part in content if not isinstance(part, str)] == ["text", "image"]


def test_the_end_of_a_cached_stretch_is_marked_and_does_not_part_the_thread():
    def asked(*breakpoints: int) -> dict[str, Any]:
        said = [[{"type": "text", "text": word}] for word in ("one", "two", "three")[: max(breakpoints) + 1]]
        for number in breakpoints:
            said[number][0]["cache_control"] = {"type": "ephemeral"}
        roles = ("user", "assistant", "user")
        listed = [{"role": role, "content": content} for role, content in zip(roles, said, strict=False)]
        return {"model": "claude-x", "system": "s", "messages": listed}

    session = _load(asked(0), asked(2))
    assert [call.messages[-1].marks for call in session.recorded] == [("cache_breakpoint",)] * 2
    assert len(_source(session).threads) == 1


def test_what_the_provider_cleared_or_summarised_by_itself_is_said():
    edits = [{"type": "clear_tool_uses_20250919", "cleared_tool_uses": 3, "cleared_input_tokens": 900}]
    answer = {"type": "message", "role": "assistant", "content": [{"type": "text", "text": "a"}]}
    answer["context_management"] = {"applied_edits": edits}
    summary = {"role": "assistant", "content": [{"type": "compaction", "content": "So far: gate mended."}]}
    request = {"model": "claude-x", "messages": [USER, summary, USER]}
    session = _load({"request": request, "response": answer})
    assert [(problem.severity, problem.message) for problem in _source(session).problems] == [
        (
            "info",
            (
                "the provider edited the context of this call (clear_tool_uses_20250919): cleared input tokens 900,"
                " cleared tool uses 3"
            ),
        ),
        ("info", "a compaction block: the provider drops what stands before it, which is shown whole"),
    ]
    assert "So far: gate mended." in session.recorded[0].messages[1].text


def test_input_fragments_that_never_close_stay_as_the_text_received():
    events = [
        {"type": "message_start", "message": {"type": "message", "role": "assistant", "content": [], "id": "m"}},
        {"type": "content_block_start", "index": 0, "content_block": USE["content"][0] | {"input": {}}},  # type: ignore[index]
        {"type": "content_block_delta", "index": 0, "delta": {"type": "input_json_delta", "partial_json": '{"pa'}},
    ]
    (call,) = _load(*events).recorded[0].messages[0].calls
    assert call.arguments == '{"pa'


def test_several_results_in_one_message_pair_in_any_order_and_are_no_persons_turn():
    uses = [{"type": "tool_use", "id": name, "name": "f", "input": {}} for name in ("a", "b")]
    answers = [{"type": "tool_result", "tool_use_id": name, "content": name} for name in ("b", "a")]
    listed = [USER, {"role": "assistant", "content": uses}, {"role": "user", "content": answers}]
    session = _load({"model": "claude-x", "system": "s", "messages": listed})
    assert len(session.turns) == 1
    assert [result.call_id for result in session.turns[0].rounds[0].tool_results] == ["b", "a"]


def test_results_of_server_tools_stand_in_the_same_message():
    blocks = [
        {"type": "server_tool_use", "id": "s1", "name": "web_search", "input": {"query": "x"}},
        {"type": "web_search_tool_result", "tool_use_id": "s1", "content": [{"type": "web_search_result", "url": "u"}]},
        {"type": "text", "text": "Found."},
    ]
    session = _load({"model": "claude-x", "system": "s", "messages": [USER, {"role": "assistant", "content": blocks}]})
    turn = session.turns[0]
    assert len(turn.rounds[0].tool_results) == 1
    assert turn.assistant == "Found."


def test_of_a_usage_with_iterations_the_last_one_is_the_size_of_the_context():
    usage = {"input_tokens": 229, "output_tokens": 5, "iterations": [{"type": "compaction", "input_tokens": 55196}]}
    answer = {"type": "message", "role": "assistant", "content": [{"type": "text", "text": "a"}], "usage": usage}
    session = _load({"request": {"model": "claude-x", "system": "s", "messages": [USER]}, "response": answer})
    assert session.recorded[0].usage is not None
    assert session.recorded[0].usage.input == 229


def test_figures_left_out_at_the_end_of_a_stream_stay_and_its_context_edits_are_said():
    start = {"type": "message", "role": "assistant", "content": [], "id": "m"}
    events = [
        {"type": "message_start", "message": {**start, "usage": {"input_tokens": 9, "cache_read_input_tokens": 400}}},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": "hi"}},
        {
            "type": "message_delta",
            "usage": {"input_tokens": 0, "cache_read_input_tokens": None, "output_tokens": 4},
            "context_management": {"applied_edits": [{"type": "clear_thinking", "cleared_input_tokens": 7}]},
        },
    ]
    session = _load(*events)
    reported = session.recorded[0].usage
    assert reported is not None
    assert (reported.input, reported.cached, reported.output) == (409, 400, 4)
    assert any("clear_thinking" in problem.message for problem in _source(session).problems)


def test_a_side_call_that_begins_like_the_main_line_is_a_thread_of_its_own():
    def call(model: str, system: str, *messages: dict[str, Any], tool: bool = False) -> dict[str, Any]:
        tools = [{"name": "f", "input_schema": {"type": "object"}}] if tool else None
        answer = {"type": "message", "role": "assistant", "content": [{"type": "text", "text": "yo"}]}
        body = {"model": model, "system": system, "messages": list(messages)} | ({"tools": tools} if tools else {})
        return {"request": {"body": body}, "response": {"body": answer}}

    said = {"role": "assistant", "content": [{"type": "text", "text": "yo"}]}
    session = _load(
        call("claude-small", "New topic?", USER),
        call("claude-large", "You work.", USER, tool=True),
        call("claude-large", "You work. Now it is noon.", USER, said, USER, tool=True),
        call("claude-large", "Write a title.", USER, said, USER),
        call("claude-small", "You work. Now it is noon.", USER, said, USER, said, USER, tool=True),
    )
    assert [call.line for call in session.recorded] == [2, 3, 5]
    assert [(thread.kind, thread.messages) for thread in _source(session).threads if not thread.selected] == [
        ("side_call", 3),
        ("other", 5),
    ]


def test_a_request_of_text_alone_is_read_where_the_format_is_known_and_other_records_are_counted():
    plain = {"model": "m", "messages": [USER]}
    session = load_bytes(json.dumps(plain).encode(), format_name="anthropic_messages")
    assert [turn.user for turn in session.turns] == ["hello"]
    log = _load({"request": {"model": "claude-x", "messages": [USER]}}, {"event": "started"}, {"request": plain})
    assert _source(log).unknown_kinds == {"record of no model call": 1}
    assert len(_source(log).threads) == 1
    assert len(log.recorded) == 2
