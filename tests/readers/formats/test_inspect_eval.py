"""Inspect logs: samples of a zip or of one document, attachments put back, usage by message."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import pytest

from ctxinspect.errors import InputError
from ctxinspect.model.session import Source
from ctxinspect.readers import load_bytes

CALL = {"id": "c", "function": "f", "arguments": {"a": 1}}
SAMPLE: dict[str, Any] = {
    "id": 1,
    "epoch": 1,
    "messages": [
        {"role": "user", "content": "attachment://h", "id": "m0"},
        {"role": "assistant", "content": "", "tool_calls": [CALL], "id": "m1"},
        {"role": "tool", "content": "", "function": "f", "tool_call_id": "c", "error": {"message": "no"}, "id": "m2"},
    ],
    "attachments": {"h": "long text"},
    "events": [
        {
            "event": "model",
            "model": "openai/gpt-4o",
            "tools": [{"name": "f", "parameters": {}}],
            "output": {
                "choices": [{"message": {"id": "m1"}}],
                "usage": {"input_tokens": 3, "input_tokens_cache_read": 40, "output_tokens": 5},
            },
        }
    ],
}


def _zip(**members: Any) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("_journal/start.json", "{}")
        archive.writestr("header.json", "{}")
        for name, value in members.items():
            archive.writestr(f"samples/{name}.json", value if isinstance(value, str) else json.dumps(value))
    return out.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        _zip(a=SAMPLE),
        json.dumps({"version": 2, "status": "success", "eval": {}, "samples": [SAMPLE]}).encode(),
    ],
    ids=["zip", "json"],
)
def test_a_sample_is_a_conversation(data: bytes):
    session = load_bytes(data, name="f")
    turn = session.turns[0]
    assert turn.user == "long text"
    made = turn.rounds[0]
    assert made.tool_calls[0].arguments == {"a": 1}
    assert (made.tool_results[0].content, made.tool_results[0].is_error) == ("no", True)
    assert made.usage is not None
    assert (made.usage.input, made.usage.cached) == (43, 40)
    assert (session.model, session.tools[0].name) == ("openai/gpt-4o", "f")


def test_a_sample_that_is_broken_costs_only_itself():
    session = load_bytes(_zip(a='{"broken', b=SAMPLE), name="f")
    assert isinstance(session.source, Source)
    assert [problem.path for problem in session.source.problems] == ["samples/a.json"]
    assert len(session.turns) == 1


def test_a_log_without_samples_says_so():
    with pytest.raises(InputError, match="no sample with messages"):
        load_bytes(_zip(), name="f")


def test_without_message_ids_usage_is_found_by_what_was_answered_and_once_each():
    def event(message: dict[str, Any], tokens: int) -> dict[str, Any]:
        usage = {"input_tokens": tokens, "output_tokens": 1}
        return {"event": "model", "output": {"choices": [{"message": message}], "usage": usage}}

    asked = {"role": "assistant", "content": "attachment://h", "tool_calls": [CALL]}
    answer = {"role": "assistant", "content": "done"}
    result = {"role": "tool", "content": "ok", "function": "f", "tool_call_id": "c"}
    sample = {
        "id": 1,
        "messages": [{"role": "user", "content": "go"}, {**asked, "content": "long"}, result, answer, answer],
        "attachments": {"h": "long"},
        "events": [event(asked, 10), event({"role": "assistant", "content": "lost"}, 99), event(answer, 20)],
    }
    session = load_bytes(_zip(a=sample), name="f")
    turn = session.turns[0]
    assert [round_.usage.input if round_.usage else None for round_ in turn.rounds] == [10, 20]
    assert turn.usage is None
