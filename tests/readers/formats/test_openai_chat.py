"""Chat Completions on disk: bodies, logs, lists, role lines, fine-tune rows, chunks."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ctxinspect.model.session import CallPart, OtherPart, ResultPart, Session, Source
from ctxinspect.readers import load_bytes


def _load(value: Any, thread: str | None = None) -> Session:
    return load_bytes(json.dumps(value).encode(), name="f", thread=thread)


def _lines(*values: Any, thread: str | None = None) -> Session:
    return load_bytes("".join(json.dumps(value) + "\n" for value in values).encode(), name="f", thread=thread)


def _source(session: Session) -> Source:
    assert isinstance(session.source, Source)
    return session.source


USER = {"role": "user", "content": "hello"}
SYSTEM = {"role": "system", "content": "be brief"}
TOOL = {"type": "function", "function": {"name": "look", "description": "d", "parameters": {"type": "object"}}}


def _call(arguments: Any = "{}", call_id: str | None = "c1", name: str = "look") -> dict[str, Any]:
    function = {"name": name, "arguments": arguments}
    return {"role": "assistant", "content": None, "tool_calls": [{"id": call_id, "function": function}]}


def test_a_request_body_is_one_recorded_call_with_its_tools():
    session = _load({"model": "gpt-4o-mini", "messages": [SYSTEM, USER], "tools": [TOOL]})
    assert session.components[0].content == "be brief"
    assert session.turns[0].user == "hello"
    assert session.tools[0].name == "look"
    assert (session.model, session.context.counter, session.context.history) == ("gpt-4o-mini", "o200k_base", "full")
    call = session.recorded[0]
    assert (call.turn, call.request, len(call.messages)) == (0, 0, 2)
    assert (_source(session).dialect, _source(session).family) == ("openai", "capture")


def test_a_log_of_calls_is_one_thread_and_every_call_keeps_its_step_and_usage():
    first = [SYSTEM, USER]
    second = [*first, _call(), {"role": "tool", "tool_call_id": "c1", "content": "r"}]
    usage = {"prompt_tokens": 5, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 3}}
    answers = [_call(), {"role": "assistant", "content": "done"}]
    records = [
        {
            "request": {"model": "gpt-4o", "messages": asked},
            "response": {"choices": [{"message": said}], "usage": usage},
        }
        for asked, said in zip((first, second), answers, strict=True)
    ]
    session = _lines(*records)
    assert [(c.turn, c.request, len(c.messages), c.line) for c in session.recorded] == [(0, 0, 2, 1), (0, 1, 4, 2)]
    turn = session.turns[0]
    assert turn.assistant == "done"
    assert turn.rounds[0].usage == turn.usage == session.recorded[0].usage
    assert turn.usage is not None
    assert turn.usage.cached == 3
    assert len(_source(session).threads) == 1


def test_calls_with_another_beginning_are_another_thread():
    other = {"role": "user", "content": "title please"}
    bodies = [{"model": "m", "messages": m} for m in ([USER], [other], [USER, _call()], [USER, _call(), USER])]
    session = _lines(*bodies)
    assert [(t.id, t.kind, t.messages) for t in _source(session).threads] == [
        ("thread-1", "main", 3),
        ("thread-2", "side_call", 1),
    ]
    assert [turn.user for turn in _lines(*bodies, thread="thread-2").turns] == ["title please"]


def test_a_bare_list_and_role_lines_are_one_chat():
    for session in (_load([SYSTEM, USER]), _lines(SYSTEM, USER)):
        assert session.turns[0].user == "hello"
        assert _source(session).family == "transcript"
        assert _source(session).records_read == 2
    assert [m.line for m in _lines(SYSTEM, USER).recorded[0].messages] == [1, 2]


def test_fine_tune_rows_are_one_thread_each_and_the_longest_is_opened():
    rows = [{"messages": [USER], "tools": [TOOL]}, {"messages": [USER, _call(), USER]}]
    session = _lines(*rows)
    assert [(t.id, t.selected) for t in _source(session).threads] == [("row-1", False), ("row-2", True)]
    assert [tool.name for tool in _lines(*rows, thread="row-1").tools] == ["look"]


def test_odd_contents_keep_their_shape_and_the_file_opens():
    odd = [None, 42, {"text": "x"}, [{"type": "text", "text": None}, "bare", {"type": "text", "text": "ok"}]]
    messages = [{"role": "user", "content": content} for content in odd] + [{"role": "user"}]
    call = _load({"messages": messages}).recorded[0]
    assert [message.shape for message in call.messages] == ["null", "bad", "bad", "parts", "absent"]
    faulty = [part for message in call.messages for part in message.parts if isinstance(part, OtherPart)]
    assert [part.fault is not None for part in faulty] == [True, True, True]
    assert call.messages[3].text == "bare\nok"


@pytest.mark.parametrize(
    ("arguments", "kept"), [("{}", "{}"), ("", ""), ({"a": 1}, {"a": 1}), (None, ""), ([1], "[1]"), ("{bad", "{bad")]
)
def test_arguments_stay_as_received(arguments: Any, kept: Any):
    part = _load({"messages": [USER, _call(arguments)]}).recorded[0].messages[1].parts[0]
    assert isinstance(part, CallPart)
    assert part.arguments == kept


def test_images_become_media_type_bytes_and_digest_and_the_payload_is_gone():
    url = "data:image/png;base64," + "QUJD" * 200
    parts = [{"type": "text", "text": "what"}, {"type": "image_url", "image_url": {"url": url}}]
    session = _load({"messages": [{"role": "user", "content": parts}]})
    image = session.recorded[0].messages[0].parts[1]
    assert (image.type, getattr(image, "media_type", ""), getattr(image, "bytes", 0)) == ("image", "image/png", 600)
    assert "QUJDQUJD" not in session.model_dump_json()


def test_legacy_functions_are_calls_and_results_without_ids():
    call = {"role": "assistant", "content": None, "function_call": {"name": "f", "arguments": "{}"}}
    session = _load({"model": "m", "messages": [USER, call, {"role": "function", "name": "f", "content": "r"}]})
    messages = session.recorded[0].messages
    assert (messages[1].calls[0].id, messages[1].calls[0].name) == (None, "f")
    assert isinstance(messages[2].parts[0], ResultPart)
    assert (messages[2].role, messages[2].parts[0].name) == ("function", "f")
    assert len(session.turns[0].rounds[0].tool_results) == 1


def test_an_empty_legacy_call_is_no_call():
    message = {**_call(), "function_call": {"name": "", "arguments": ""}}
    assert len(_load({"messages": [USER, message]}).recorded[0].messages[1].calls) == 1


def test_interleaved_fragments_go_to_the_call_of_their_index():
    def chunk(*calls: dict[str, Any], **more: Any) -> dict[str, Any]:
        return {"choices": [{"index": 0, "delta": {"tool_calls": list(calls)}}], **more}

    session = _lines(
        chunk(
            {"index": 0, "id": "a", "function": {"name": "f", "arguments": ""}},
            {"index": 0, "function": {"arguments": '{"x":'}},
        ),
        chunk({"index": 1, "id": "b", "function": {"name": "g", "arguments": '{"y":'}}),
        chunk({"index": 0, "function": {"arguments": "1}"}}),
        chunk({"index": 1, "function": {"arguments": "2}"}}),
        {"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 1}},
    )
    calls = session.recorded[0].messages[0].calls
    assert [(call.id, call.name, call.arguments) for call in calls] == [("a", "f", '{"x":1}'), ("b", "g", '{"y":2}')]
    assert session.recorded[0].partial is not None


def test_vendors_reasoning_is_thinking_and_not_text():
    message = {"role": "assistant", "content": "yes", "reasoning_content": "because"}
    recorded = _load({"messages": [USER, message]}).recorded[0].messages[1]
    assert [part.type for part in recorded.parts] == ["thinking", "text"]
    assert recorded.text == "yes"


def test_a_line_that_is_no_message_is_a_problem_and_the_rest_is_read():
    session = _lines(USER, {"role": "user", "content": "two"}, {"kind": "note"})
    assert len(session.turns) == 2
    assert [(p.line, p.lost) for p in _source(session).problems] == [(3, True)]
    assert (_source(session).records_read, _source(session).records_skipped) == (2, 1)


SEVERAL = "the response has 2 choices; the first one is shown"


def test_usage_may_stand_in_a_last_chunk_without_choices_and_further_choices_are_not_mixed_in():
    def chunk(*choices: dict[str, Any], **more: Any) -> dict[str, Any]:
        return {"object": "chat.completion.chunk", "id": "c", "model": "gpt-4o", "choices": list(choices), **more}

    session = _lines(
        chunk(
            {"index": 0, "delta": {"role": "assistant", "content": "Hel"}}, {"index": 1, "delta": {"content": "Bye"}}
        ),
        chunk({"index": 0, "delta": {"content": "lo"}}),
        chunk(usage={"prompt_tokens": 7, "completion_tokens": 2, "total_tokens": 9}),
    )
    assert session.recorded[0].messages[0].text == "Hello"
    assert session.recorded[0].usage is not None
    assert session.recorded[0].usage.input == 7
    assert [problem.message for problem in _source(session).problems] == [SEVERAL]
    answers = [{"message": {"role": "assistant", "content": text}} for text in ("a", "b")]
    whole = _load({"request": {"model": "gpt-4o", "messages": [USER]}, "response": {"choices": answers}})
    assert whole.turns[0].assistant == "a"
    assert [problem.message for problem in _source(whole).problems] == [SEVERAL]


def test_null_legacy_calls_and_refusals_are_read():
    said = [USER, {"role": "assistant", "content": None, "function_call": None, "refusal": "I will not."}]
    message = _load({"messages": said}).recorded[0].messages[1]
    assert (message.calls, message.text) == ((), "I will not.")


def test_files_and_audio_are_facts():
    parts = [
        {"type": "file", "file": {"filename": "a.pdf", "file_data": "data:application/pdf;base64,QUJD"}},
        {"type": "input_audio", "input_audio": {"format": "wav", "data": "QUJD"}},
        {"type": "text", "text": "look"},
    ]
    session = _load({"messages": [{"role": "user", "content": parts}]})
    assert "QUJD" not in session.model_dump_json()
    assert (
        session.recorded[0].messages[0].text.startswith("[file application/pdf, 3 bytes]\n[audio audio/wav, 3 bytes]")
    )


def test_parallel_calls_answered_in_another_order_and_ids_used_again_pair_nearest():
    def calls(*ids: str) -> dict[str, Any]:
        made = [{"id": name, "type": "function", "function": {"name": "look", "arguments": "{}"}} for name in ids]
        return {"role": "assistant", "content": None, "tool_calls": made}

    def answer(name: str, text: str) -> dict[str, Any]:
        return {"role": "tool", "tool_call_id": name, "content": text}

    listed = [USER, calls("a", "b"), answer("b", "B1"), answer("a", "A1"), calls("a"), answer("a", "A2")]
    rounds = _load({"messages": listed}).turns[0].rounds
    assert [[(r.call_id, r.content) for r in made.tool_results] for made in rounds] == [
        [("b", "B1"), ("a", "A1")],
        [("a", "A2")],
    ]


def test_a_call_that_failed_and_was_made_again_has_the_answer_of_the_second():
    request = {"model": "gpt-4o", "messages": [USER]}
    said = {"object": "chat.completion", "choices": [{"message": {"role": "assistant", "content": "ok"}}]}
    session = _lines({"request": request, "response": {"error": "429"}}, {"request": request, "response": said})
    assert len(session.recorded) == 2
    assert session.turns[0].assistant == "ok"


def test_a_spoken_answer_is_the_facts_of_its_sound_and_what_was_said():
    audio = {"id": "a", "data": "QUJD", "transcript": "Hello there"}
    session = _load({"messages": [USER, {"role": "assistant", "content": None, "audio": audio}]})
    message = session.recorded[0].messages[1]
    assert [part.type for part in message.parts] == ["audio", "text"]
    assert message.text.endswith("\nHello there")
    assert "QUJD" not in session.model_dump_json()
