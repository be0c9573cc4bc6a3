"""Loading: whatever is in a file, the outcome is a session or one line that says what to do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxinspect.errors import CtxInspectError, InputError, UsageError
from ctxinspect.model.session import Source
from ctxinspect.readers import formats, load, load_bytes, sniff
from ctxinspect.readers.defaults import family_of, foreign_settings
from ctxinspect.readers.registry import known_formats

CHAT = b'{"model":"gpt-4o","messages":[{"role":"user","content":"hi"}]}'


def test_every_format_module_is_found_and_named_once():
    names = [known.name for known in known_formats()]
    assert names == sorted(set(names))
    assert {"claude_code", "openai_chat", "anthropic_messages", "openai_responses", "codex_cli"} <= set(names)


def test_the_name_of_the_file_does_not_matter(tmp_path: Path):
    file = tmp_path / "notes.txt"
    file.write_bytes(CHAT)
    session = load(str(file))
    assert isinstance(session.source, Source)
    assert (session.source.format, session.source.file) == ("openai_chat", str(file))
    assert sniff(file)[0] == ("openai_chat", 0.5)


def test_a_format_can_be_forced_and_an_unknown_one_names_the_nearest():
    assert load_bytes(CHAT, format_name="openai-chat").turns[0].user == "hi"
    with pytest.raises(UsageError, match='did you mean "openai_chat"'):
        load_bytes(CHAT, format_name="openai_chatt")
    with pytest.raises(UsageError, match="names that begin so: openai_chat, openai_responses"):
        load_bytes(CHAT, format_name="openai")
    body = b'{"model": "m", "messages": [{"role": "user", "content": "hi"}]}'
    assert load_bytes(body, format_name="anthropic").turns[0].user == "hi"


NEW_FORMAT = """
from ctxinspect.model.session import RecordedMessage, TextBlock
from ctxinspect.readers.captures import told
from ctxinspect.readers.reading import Reading
from ctxinspect.readers.registry import Format


def _read(recording):
    said = [(record.value["who"], record.value["said"]) for record in recording.records()]
    messages = tuple(RecordedMessage(role=who, parts=(TextBlock(text=text),)) for who, text in said)
    return Reading((told("talk", messages),), "openai", "transcript")


FORMAT = Format("my_log", "My log", lambda sample: 0.9 * sample.share(lambda value: "who" in value), _read)
"""


def test_one_file_is_a_new_format(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "my_log.py").write_text(NEW_FORMAT, encoding="utf-8")
    monkeypatch.setattr(formats, "__path__", [*formats.__path__, str(tmp_path)])
    known_formats.cache_clear()
    try:
        session = load_bytes(b'{"who": "user", "said": "go"}\n{"who": "assistant", "said": "done"}\n')
        assert isinstance(session.source, Source)
        assert session.source.format == "my_log"
        assert (session.turns[0].user, session.turns[0].assistant) == ("go", "done")
    finally:
        monkeypatch.undo()
        known_formats.cache_clear()


def test_standard_input_is_a_dash(monkeypatch: pytest.MonkeyPatch):
    class _Stdin:
        class buffer:  # noqa: N801
            @staticmethod
            def read() -> bytes:
                return CHAT

    monkeypatch.setattr("sys.stdin", _Stdin)
    assert load("-").turns[0].user == "hi"


@pytest.mark.parametrize("data", [b"hello", b"\x00\x01\xfe" * 99, b'{"a":1}', b"[]", b"{}", b"3", b'{"messages":[]}'])
def test_an_unknown_file_is_one_line_that_names_the_known_formats(data: bytes):
    with pytest.raises(InputError, match="unknown format") as caught:
        load_bytes(data, name="f")
    assert "claude_code" in (caught.value.remedy or "")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("model", "counter", "size"),
    [
        ("gpt-4o-mini", "o200k_base", 128_000),
        ("gpt-4", "cl100k_base", 8_192),
        ("openai/gpt-4.1-mini", "o200k_base", 1_047_576),
        ("claude-sonnet-4-5-20250929", "cl100k_base", 200_000),
        ("gemini-2.5-pro", "cl100k_base", 1_048_576),
        ("o3-mini", "o200k_base", 200_000),
        ("somebody-7b", "cl100k_base", 128_000),
        (None, "cl100k_base", 128_000),
    ],
)
def test_counter_and_window_follow_the_models_family(model: str | None, counter: str, size: int):
    settings = foreign_settings(model)
    window = settings.window
    assert (settings.counter, settings.history) == (counter, "full")
    assert (window.context_tokens or window.context_limit * 1000) == size == family_of(model).window


def test_loading_twice_gives_the_same_session():
    assert load_bytes(CHAT) == load_bytes(CHAT)


_KEYS = [
    "role",
    "content",
    "type",
    "messages",
    "tool_calls",
    "input",
    "output",
    "message",
    "uuid",
    "parentUuid",
    "payload",
    "choices",
    "data",
    "id",
    "function",
    "request",
    "response",
    "text",
    "format",
    "turns",
    "user",
    "item",
    "arguments",
    "usage",
    "name",
    "call_id",
    "tool_use_id",
    "system",
    "tools",
]
_WORDS = [
    "user",
    "assistant",
    "tool",
    "text",
    "message",
    "response_item",
    "event_msg",
    "human",
    "ai",
    "tool_use",
    "tool_result",
    "reasoning",
]
_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(_KEYS), inner | st.sampled_from(_WORDS), max_size=5)
    ),
    max_leaves=25,
)


def _outcome(data: bytes, format_name: str | None = None) -> str:
    """What loading says: nothing for a session, else the error; anything but these two fails the test."""
    try:
        load_bytes(data, format_name=format_name)
    except CtxInspectError as error:
        return str(error)
    return ""


@given(st.lists(_json, min_size=1, max_size=4))
def test_no_json_whatever_makes_it_crash(values: list[object]):
    assert "\n" not in _outcome("\n".join(json.dumps(value) for value in values).encode())


@pytest.mark.parametrize("name", [known.name for known in known_formats()])
@given(values=st.lists(_json, min_size=1, max_size=3))
def test_no_forced_reader_crashes_on_foreign_json(name: str, values: list[object]):
    assert "\n" not in _outcome("\n".join(json.dumps(value) for value in values).encode(), name)


@given(st.binary(max_size=200))
def test_no_bytes_whatever_make_it_crash(data: bytes):
    assert "\n" not in _outcome(data)


def test_a_file_that_disappoints_its_format_says_which_it_looks_like_and_what_is_missing():
    span = b'[{"context": {"span_id": "a"}, "attributes": {"db.system": "x"}}]'
    with pytest.raises(InputError) as caught:
        load_bytes(span, name="f")
    assert str(caught.value).startswith(
        "f: looks like an OpenTelemetry trace: 1 spans, and none of a model call; expected"
    )
    with pytest.raises(InputError, match="f: read as a Codex rollout: no message in it; a rollout has response items"):
        load_bytes(b'{"a": 1}', name="f", format_name="codex_cli")


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b'{"messages": "hi"}', '"messages" is no list'),
        (b'{"messages": []}', '"messages" is empty'),
        (b'{"messages": ["hi"]}', 'not all of "messages" are objects'),
        (b'{"messages": [{"who": "me", "said": "hi"}]}', 'the items of "messages" have the keys who, said'),
    ],
)
def test_an_unknown_file_with_a_telling_key_says_what_is_wrong_with_it(data: bytes, said: str):
    with pytest.raises(InputError, match="unknown format") as caught:
        load_bytes(data, name="f")
    assert said in str(caught.value)
