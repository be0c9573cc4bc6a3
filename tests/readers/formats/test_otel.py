"""Traces of model calls: spans out of order, JSON in strings, content that was never captured."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ctxinspect.errors import InputError
from ctxinspect.model.session import Session, Source
from ctxinspect.readers import load, load_bytes
from tests.support.databases import write_database

USER = {"role": "user", "parts": [{"type": "text", "content": "go"}]}
ASKED = {"role": "assistant", "parts": [{"type": "tool_call", "id": "c", "name": "f", "arguments": {"a": 1}}]}
ANSWER = {"role": "tool", "parts": [{"type": "tool_call_response", "id": "c", "response": "r"}]}
SAID = {"role": "assistant", "parts": [{"type": "text", "content": "done"}]}


def _any(value: Any) -> dict[str, Any]:
    return {"intValue": str(value)} if isinstance(value, int) else {"stringValue": value}


def _span(name: str, start: int, parent: str | None = None, **attributes: Any) -> dict[str, Any]:
    listed = [{"key": key.replace("__", "."), "value": _any(value)} for key, value in attributes.items()]
    return {"spanId": name, "parentSpanId": parent, "startTimeUnixNano": str(start), "name": name, "attributes": listed}


def _chat(name: str, start: int, asked: list[Any], said: list[Any], parent: str | None = None) -> dict[str, Any]:
    more = {"gen_ai__input__messages": json.dumps(asked), "gen_ai__output__messages": json.dumps(said)}
    numbers = {"gen_ai__usage__input_tokens": 7, "gen_ai__usage__output_tokens": 2}
    return _span(name, start, parent, gen_ai__operation__name="chat", gen_ai__request__model="m", **more, **numbers)


def _load(*spans: dict[str, Any]) -> Session:
    return load_bytes(json.dumps({"resourceSpans": [{"scopeSpans": [{"spans": list(spans)}]}]}).encode(), name="f")


def _source(session: Session) -> Source:
    assert isinstance(session.source, Source)
    return session.source


def test_spans_are_read_in_order_of_time_and_pair_calls_and_results():
    session = _load(
        _chat("b", 20, [USER, ASKED, ANSWER], [SAID]),
        _span("tool", 15, gen_ai__operation__name="execute_tool"),
        _chat("a", 10, [USER], [ASKED]),
    )
    assert [(c.id, c.turn, c.request) for c in session.recorded] == [("a", 0, 0), ("b", 0, 1)]
    turn = session.turns[0]
    assert turn.rounds[0].tool_calls[0].arguments == {"a": 1}
    assert turn.rounds[0].tool_results[0].content == "r"
    assert turn.assistant == "done"
    assert turn.usage is not None
    assert turn.usage.input == 7
    assert _source(session).unknown_kinds == {"span of no model call": 1}


def test_the_same_call_seen_by_framework_and_client_counts_once():
    session = _load(_chat("outer", 1, [USER], [SAID]), _chat("inner", 2, [USER], [SAID], parent="outer"))
    assert [call.id for call in session.recorded] == ["inner"]


def test_a_clients_span_without_text_inside_a_call_with_text_gives_its_usage_and_no_second_call():
    figures = {"gen_ai__usage__input_tokens": 9, "gen_ai__usage__cache_read__input_tokens": 5}
    mute = _span("inner", 2, parent="outer", gen_ai__operation__name="chat", **figures)
    session = _load(_chat("outer", 1, [USER], [SAID]), mute)
    assert [call.id for call in session.recorded] == ["outer"]
    assert len(_source(session).threads) == 1
    usage = session.recorded[0].usage
    assert usage is not None
    assert (usage.input, usage.cached) == (7, 5)


def test_calls_without_captured_text_are_listed_and_said_to_be_missing():
    usage = {"gen_ai__request__model": "m", "gen_ai__usage__input_tokens": 9, "gen_ai__operation__name": "chat"}
    session = _load(_span("a", 1, **usage), _span("b", 2, **usage))
    assert session.turns == ()
    assert [call.usage.input for call in session.recorded if call.usage] == [9, 9]
    assert _source(session).missing == ("the text of 2 of 2 calls: content capture was off",)


def test_an_attribute_that_was_cut_is_a_problem_and_the_rest_is_read():
    broken = _span("a", 1, gen_ai__operation__name="chat", gen_ai__input__messages='[{"role":"us')
    session = _load(broken, _chat("b", 2, [USER], [SAID]))
    assert [turn.user for turn in session.turns] == ["go"]
    assert ["span a" in problem.message for problem in _source(session).problems] == [True]


def test_indexed_messages_of_openinference_are_put_together():
    spans = [
        {
            "context": {"span_id": "1"},
            "start_time": "2026-01-01T00:00:00Z",
            "name": "x",
            "attributes": {
                "openinference.span.kind": "LLM",
                "llm.model_name": "m",
                "llm.input_messages.0.message.role": "system",
                "llm.input_messages.0.message.content": "s",
                "llm.input_messages.2.message.role": "user",
                "llm.input_messages.2.message.contents.0.message_content.type": "text",
                "llm.input_messages.2.message.contents.0.message_content.text": "go",
                "llm.output_messages.0.message.role": "assistant",
                "llm.output_messages.0.message.tool_calls.0.tool_call.id": "c",
                "llm.output_messages.0.message.tool_calls.0.tool_call.function.name": "f",
                "llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments": "{}",
                "llm.tools.0.tool.json_schema": json.dumps({"type": "function", "function": {"name": "f"}}),
                "llm.token_count.prompt": 4,
            },
        }
    ]
    session = load_bytes(json.dumps(spans).encode(), name="f")
    assert session.components[0].content == "s"
    assert session.turns[0].user == "go"
    assert session.turns[0].rounds[0].tool_calls[0].id == "c"
    assert [tool.name for tool in session.tools] == ["f"]


def test_indexed_prompts_calls_and_functions_are_put_together_and_gaps_passed_over():
    asked = {
        "gen_ai__request__model": "m",
        "gen_ai__operation__name": "chat",
        "gen_ai__prompt__0__role": "system",
        "gen_ai__prompt__0__content": "s",
        "gen_ai__prompt__3__role": "user",
        "gen_ai__prompt__3__content": "go",
        "gen_ai__completion__0__role": "assistant",
        "gen_ai__completion__0__tool_calls__0__id": "c",
        "gen_ai__completion__0__tool_calls__0__name": "f",
        "gen_ai__completion__0__tool_calls__0__arguments": '{"a": 1}',
        "llm__request__functions__0__name": "f",
        "llm__request__functions__0__parameters": '{"type": "object"}',
        "gen_ai__usage__prompt_tokens": 8,
    }
    session = _load(_span("a", 1, **asked))
    assert (session.components[0].content, session.turns[0].user) == ("s", "go")
    call = session.turns[0].rounds[0].tool_calls[0]
    assert (call.id, call.name, call.arguments) == ("c", "f", '{"a": 1}')
    assert [(tool.name, tool.parameters) for tool in session.tools] == [("f", {"type": "object"})]
    assert session.recorded[0].usage is not None
    assert session.recorded[0].usage.input == 8


def test_nested_attributes_are_the_same_as_dotted_ones():
    messages = [{"message": {"role": "user", "content": "go"}}]
    attributes = {"openinference": {"span": {"kind": "LLM"}}, "llm": {"input_messages": messages, "model_name": "m"}}
    spans = [{"context": {"span_id": "1"}, "attributes": attributes}]
    assert load_bytes(json.dumps(spans).encode(), name="f").turns[0].user == "go"


def test_the_older_event_form_is_read():
    span = _span("a", 1, gen_ai__operation__name="chat")
    user = {"name": "gen_ai.user.message", "attributes": [{"key": "content", "value": {"stringValue": "go"}}]}
    span["events"] = [user]
    assert _load(span).turns[0].user == "go"


def test_messages_that_stand_structured_in_an_event_are_read():
    def plain(value: Any) -> dict[str, Any]:
        if isinstance(value, list):
            return {"arrayValue": {"values": [plain(item) for item in value]}}
        if isinstance(value, dict):
            return {"kvlistValue": {"values": [{"key": key, "value": plain(item)} for key, item in value.items()]}}
        return _any(value)

    span = _span("a", 1, gen_ai__operation__name="chat", gen_ai__request__model="m")
    details = {"gen_ai.input.messages": [USER], "gen_ai.output.messages": [ASKED]}
    listed = [{"key": key, "value": plain(value)} for key, value in details.items()]
    span["events"] = [{"name": "gen_ai.client.inference.operation.details", "attributes": listed}]
    session = _load(span)
    assert session.turns[0].user == "go"
    assert session.turns[0].rounds[0].tool_calls[0].arguments == {"a": 1}


def test_a_trace_without_model_calls_says_so():
    with pytest.raises(InputError, match="none of a model call"):
        _load(_span("a", 1, http__method="GET"))


def _open_inference(text: str) -> dict[str, Any]:
    return {
        "openinference.span.kind": "LLM",
        "llm.input_messages": [{"message.role": "user", "message.content": text}],
        "llm.output_messages": [{"message.role": "assistant", "message.content": "Hi"}],
    }


def test_spans_in_a_table_are_read_from_json_or_from_a_column_each(tmp_path: Path):
    attributes = _open_inference("Hello")
    whole = {"id": 1, "span_id": "a", "parent_id": None, "name": "llm", "attributes": json.dumps(attributes)}
    columns = {f"attributes.{key}": v if isinstance(v, str) else json.dumps(v) for key, v in attributes.items()}
    spread = {"context.span_id": "a", "parent_id": None, "name": "llm", "start_time": "1", **columns}
    printed = {**spread, "attributes.llm.input_messages": repr(attributes["llm.input_messages"])}
    for table, row in (("spans", whole), ("traces", spread), ("span", printed)):
        session = load(write_database(tmp_path / f"{table}.db", {table: [row]}))
        assert isinstance(session.source, Source)
        assert (session.source.format, session.source.container) == ("otel", "sqlite")
        assert (session.turns[0].user, session.turns[0].assistant) == ("Hello", "Hi")


def test_traces_kept_by_name_in_one_object_are_read():
    def span(name: str) -> dict[str, Any]:
        return {"context": {"span_id": name}, "name": name, "attributes": _open_inference(name)}

    value = {"one": [span("a")], "two": [span("b")], "settings": {}}
    session = load_bytes(json.dumps(value).encode(), name="f")
    assert isinstance(session.source, Source)
    assert session.source.records_read == 2


def test_the_kind_of_a_span_may_stand_beside_its_attributes():
    call = {"context": {"span_id": "a"}, "span_kind": "LLM", "attributes": {"input.value": "redacted"}}
    session = load_bytes(json.dumps([call]).encode(), name="f")
    assert isinstance(session.source, Source)
    assert session.source.missing == ("the text of 1 of 1 calls: content capture was off",)
