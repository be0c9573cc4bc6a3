"""Plain JSON of session data: short, complete, and read back as the same model."""

from __future__ import annotations

import pytest

from ctxinspect.model.content import MediaPart, TextPart
from ctxinspect.model.plain import NotJsonError, plain
from ctxinspect.model.session import Component, Round, Session, ToolCall, Turn
from ctxinspect.settings import GatekeeperSettings, Settings, WindowSettings


def test_what_equals_its_default_is_left_out():
    assert plain(Session()) == {"format": "ctxinspect/1"}
    assert plain(Turn(user="a", source="user")) == {"user": "a"}


def test_the_type_of_a_part_is_always_there():
    assert plain(Turn(user=(TextPart(text="a"), MediaPart(type="file", bytes=2)))) == {
        "user": [{"type": "text", "text": "a"}, {"type": "file", "bytes": 2}]
    }


def test_a_session_read_back_is_the_same():
    session = Session(
        title="t",
        context=Settings(window=WindowSettings(strategy="aggressive"), gatekeeper=GatekeeperSettings(alpha=0)),
        components=(Component(name="a", content="b", truncatable=False),),
        turns=(Turn(user="x", rounds=(Round(tool_calls=(ToolCall(name="t", arguments={"a": [1, None]}),)),)), Turn()),
    )
    assert Session.model_validate(plain(session)) == session


def test_the_result_shares_nothing_with_the_model():
    arguments = {"a": [1]}
    call = ToolCall(name="t", arguments=arguments)
    made = plain(call)
    arguments["a"].append(2)
    assert made["arguments"] == {"a": [1]}


def test_what_json_cannot_hold_is_named_by_its_path():
    with pytest.raises(NotJsonError) as caught:
        plain(Turn(rounds=(Round(tool_calls=(ToolCall(name="t", arguments={"x": {3}}),)),)))
    assert caught.value.path == ".rounds[0].tool_calls[0].arguments.x"
    assert str(caught.value).startswith("rounds[0].tool_calls[0].arguments.x: a set is no JSON value")
