"""Account exports: the way to the current node, flat messages, one thread a talk."""

from __future__ import annotations

import json
from typing import Any

from ctxinspect.model.session import Source
from ctxinspect.readers import load_bytes


def _node(parent: str | None, role: str, text: str) -> dict[str, Any]:
    message = {"author": {"role": role}, "content": {"content_type": "text", "parts": [text]}}
    return {"parent": parent, "message": message}


def test_the_way_to_the_current_node_is_the_talk():
    mapping = {
        "root": {"parent": None, "message": None},
        "s": _node("root", "system", ""),
        "u": _node("s", "user", "hello"),
        "old": _node("u", "assistant", "first try"),
        "new": _node("u", "assistant", "second try"),
    }
    talk = {
        "title": "T",
        "conversation_id": "c",
        "mapping": mapping,
        "current_node": "new",
        "default_model_slug": "gpt-4o",
    }
    session = load_bytes(json.dumps([talk]).encode(), name="f")
    assert [(turn.user, turn.assistant) for turn in session.turns] == [("hello", "second try")]
    assert (session.title, session.model) == ("T", "gpt-4o")


def test_a_parent_in_a_circle_ends():
    mapping = {"a": _node("b", "user", "1"), "b": _node("a", "user", "2")}
    session = load_bytes(json.dumps([{"mapping": mapping, "current_node": "a"}]).encode(), name="f")
    assert [turn.user for turn in session.turns] == ["2", "1"]


def test_flat_messages_are_a_talk_each():
    talks = [
        {"uuid": "1", "name": "short", "chat_messages": [{"sender": "human", "text": "a"}]},
        {
            "uuid": "2",
            "name": "long",
            "chat_messages": [{"sender": "human", "text": "b"}, {"sender": "assistant", "text": "c"}],
        },
    ]
    session = load_bytes(json.dumps(talks).encode(), name="f")
    assert (session.title, session.turns[0].assistant) == ("long", "c")
    assert isinstance(session.source, Source)
    assert [thread.id for thread in session.source.threads] == ["1", "2"]
    assert session.source.dialect == "anthropic"
