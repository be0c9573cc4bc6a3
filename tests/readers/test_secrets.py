"""No secret of a file is in a session that was read from it, whatever the container and wherever it stood."""

from __future__ import annotations

import base64
import gzip
import io
import json
import zipfile
from pathlib import Path

import pytest

from ctxinspect.model.session import Source
from ctxinspect.readers import load, load_bytes
from ctxinspect.readers.folder import opening_words

KEY = "sk-" + "ant-api03-" + "Qz7Rk2" * 6
TOKEN = "q7Wm2Zx9Lr4Tn8Kp1Vb6"
HEADERS = {"authorization": f"Bearer {TOKEN}", "x-api-key": KEY}


def _chat(key: str = KEY) -> dict[str, object]:
    return {
        "model": "gpt-4o",
        "messages": [
            {"role": "system", "content": f"The key is {key}."},
            {"role": "user", "content": f"{key} is what I use"},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [
                    {
                        "id": "call_1",
                        "type": "function",
                        "function": {
                            "name": "http",
                            "arguments": json.dumps({"headers": {"Authorization": f"Bearer {TOKEN}"}, "body": key}),
                        },
                    }
                ],
            },
            {"role": "tool", "tool_call_id": "call_1", "content": f"x-api-key: {key}"},
        ],
    }


def _har(*, encoded: bool) -> dict[str, object]:
    answer = json.dumps({"object": "chat.completion", "choices": [{"message": {"role": "assistant", "content": KEY}}]})
    content = (
        {"text": base64.b64encode(answer.encode()).decode(), "encoding": "base64"} if encoded else {"text": answer}
    )
    entry = {
        "request": {
            "url": "https://api.openai.com/v1/chat/completions",
            "headers": [{"name": "Authorization", "value": f"Bearer {TOKEN}"}],
            "postData": {"text": json.dumps(_chat())},
        },
        "response": {"content": content},
    }
    return {"log": {"entries": [entry]}}


def _zip(member: str, value: object) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr(member, json.dumps(value))
        archive.writestr("header.json", "{}")
    return made.getvalue()


_EXCHANGE = {"request": {"method": "POST", "headers": HEADERS, "body": _chat()}, "response": None}
_CLAUDE = {
    "type": "user",
    "uuid": "u1",
    "parentUuid": None,
    "sessionId": "s",
    "isSidechain": False,
    "message": {"role": "user", "content": f"{KEY} {KEY}"},
}
_NATIVE = {
    "format": "ctxinspect/1",
    "title": KEY,
    "variables": {"key": KEY},
    "components": [{"name": "system", "content": f"Authorization: Bearer {TOKEN}"}],
    "turns": [{"user": KEY, "rounds": [{"tool_calls": [{"id": "1", "name": "f", "arguments": {"api_key": TOKEN}}]}]}],
}
FILES: dict[str, bytes] = {
    "a body": json.dumps(_chat()).encode(),
    "an indented body": json.dumps(_chat(), indent=2).encode(),
    "escaped": json.dumps(_chat()).replace("-", "\\u002d").encode(),
    "a log of calls": json.dumps(_EXCHANGE).encode() + b"\n" + json.dumps(_EXCHANGE).encode(),
    "gzip": gzip.compress(json.dumps(_chat()).encode()),
    "an archive": json.dumps(_har(encoded=False)).encode(),
    "an archive with packed bodies": json.dumps(_har(encoded=True)).encode(),
    "a zip of samples": _zip("samples/1_epoch_1.json", {"id": 1, "epoch": 1, "messages": _chat()["messages"]}),
    "a transcript": json.dumps(_CLAUDE).encode(),
    "a transcript with broken lines": b"\n".join(
        [json.dumps(_CLAUDE).encode(), b'{"type":"user","key":"' + KEY.encode() + b'", broken', b'{"' + KEY.encode()]
    ),
    "server-sent events": b'data: {"object":"chat.completion.chunk","id":"c","choices":[{"index":0,"delta":'
    + json.dumps({"role": "assistant", "content": KEY}).encode()
    + b"}]}\n\ndata: [DONE]\n",
    "a chat history in Markdown": f"# aider chat started at 2025-01-01 10:00:00\n\n#### use {KEY}\n\nDone.\n".encode(),
    "a native session": json.dumps(_NATIVE).encode(),
}


@pytest.mark.parametrize("name", FILES)
def test_neither_session_nor_problems_nor_titles_hold_a_secret(name: str) -> None:
    session = load_bytes(FILES[name])
    text = session.model_dump_json()
    assert KEY[:20] not in text
    assert TOKEN[:8] not in text
    assert isinstance(session.source, Source)
    assert session.source.masked["Anthropic API key"] == 1


@pytest.mark.parametrize("name", sorted(set(FILES) - {"server-sent events"}))
def test_asked_for_the_secrets_stand_as_they_were(name: str) -> None:
    session = load_bytes(FILES[name], show_secrets=True)
    assert KEY in session.model_dump_json()
    assert isinstance(session.source, Source | str | None)
    assert not isinstance(session.source, Source) or session.source.masked == {}


def test_headers_of_a_capture_are_masked_and_counted_by_kind() -> None:
    source = load_bytes(FILES["a log of calls"]).source
    assert isinstance(source, Source)
    assert source.masked == {"Anthropic API key": 1, "authorization header": 1}


def test_sub_agent_files_are_masked_like_their_session(tmp_path: Path) -> None:
    folder = tmp_path / "s" / "subagents"
    folder.mkdir(parents=True)
    (tmp_path / "s.jsonl").write_text(json.dumps(_CLAUDE).replace(KEY, "hello") + "\n", encoding="utf-8")
    agent = {**_CLAUDE, "isSidechain": True, "agentId": "a1"}
    (folder / "agent-a1.jsonl").write_text(json.dumps(agent) + "\n", encoding="utf-8")
    hidden = load(tmp_path / "s.jsonl", thread="agent-a1")
    assert KEY not in hidden.model_dump_json()
    assert isinstance(hidden.source, Source)
    assert hidden.source.masked == {"Anthropic API key": 1}
    assert KEY in load(tmp_path / "s.jsonl", thread="agent-a1", show_secrets=True).model_dump_json()


def test_the_first_words_of_a_file_hold_no_part_of_a_key(tmp_path: Path) -> None:
    file = tmp_path / "s.jsonl"
    file.write_text(json.dumps(_CLAUDE), encoding="utf-8")
    assert "Anthropic API key" in opening_words(file)
    assert KEY[:14] not in opening_words(file)


@pytest.mark.parametrize("size", [7, 40, 55])
def test_a_key_that_a_stream_cut_into_pieces_is_masked_whole(size: int) -> None:
    """Short pieces show no key by themselves; of long ones the beginning is masked before the rest has come."""
    chunks = [
        {
            "id": "c1",
            "object": "chat.completion.chunk",
            "model": "gpt-4o",
            "choices": [{"index": 0, "delta": {"content": piece}}],
        }
        for text in [f"The key is {KEY}{KEY[-12:]}. Then"]
        for piece in (text[start : start + size] for start in range(0, len(text), size))
    ]
    events = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks)
    request = {"model": "gpt-4o", "messages": [{"role": "user", "content": "hi"}]}
    kept = json.dumps({"request": {"body": request}, "response": {"body_raw": events}})
    for data in (events, kept):
        session = load_bytes(data.encode())
        made = session.model_dump_json()
        assert KEY[14:26] not in made
        assert KEY[-12:] not in made
        assert f"({len(KEY) + 12} characters)" in made
        assert "]. Then" in made or "] Then" in made
        assert session.source is not None
        assert "Anthropic API key" in session.source.masked
        assert KEY in load_bytes(data.encode(), show_secrets=True).model_dump_json()
