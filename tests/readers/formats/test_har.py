"""HTTP archives: calls of any provider, by content; headers are never read."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from ctxinspect.errors import InputError
from ctxinspect.model.session import Session, Source
from ctxinspect.readers import load_bytes

USER = {"role": "user", "content": "hello"}
CHAT = {"model": "gpt-4o", "messages": [USER]}


def _entry(request: Any, response: str | None, **content: Any) -> dict[str, Any]:
    headers = [{"name": "authorization", "value": "Bearer sk-secret"}]
    asked = {"method": "POST", "url": "https://x", "headers": headers, "postData": {"text": json.dumps(request)}}
    return {"request": asked, "response": {"content": {"text": response, **content}}}


def _load(*entries: dict[str, Any]) -> Session:
    return load_bytes(json.dumps({"log": {"entries": list(entries)}}).encode(), name="f")


def test_calls_are_found_among_other_entries_and_no_key_is_kept():
    answer = json.dumps({"choices": [{"message": {"role": "assistant", "content": "hi"}}]})
    session = _load({"request": {"method": "GET"}}, _entry(CHAT, answer))
    assert (session.turns[0].user, session.turns[0].assistant) == ("hello", "hi")
    assert isinstance(session.source, Source)
    assert session.source.unknown_kinds == {"entry of no model call": 1}
    assert "secret" not in session.model_dump_json()


def test_base64_and_streamed_bodies_are_read():
    chunk = {"choices": [{"index": 0, "delta": {"content": "hi"}}]}
    raw = f"data: {json.dumps(chunk)}\n\ndata: [DONE]\n\n"
    packed = base64.b64encode(raw.encode()).decode()
    for entry in (_entry(CHAT, raw), _entry(CHAT, packed, encoding="base64")):
        assert _load(entry).turns[0].assistant == "hi"


def test_the_dialect_is_that_of_most_calls_and_each_call_is_read_by_its_own():
    body = {"model": "claude-x", "system": "s", "messages": [USER]}
    session = _load(_entry(body, None), _entry(body | {"messages": [USER, USER]}, None), _entry(CHAT, None))
    assert isinstance(session.source, Source)
    assert session.source.dialect == "anthropic"
    assert session.components[0].content == "s"


def test_an_archive_without_model_calls_says_so():
    with pytest.raises(InputError, match="1 entries, and none"):
        _load({"request": {"method": "GET"}})
