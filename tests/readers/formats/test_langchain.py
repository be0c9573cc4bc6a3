"""LangChain messages of all three serialisers, read as dicts and never built."""

from __future__ import annotations

import json
from typing import Any

import pytest
from langchain_core.load import dumpd
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage, messages_to_dict

from ctxinspect.model.session import Session
from ctxinspect.readers import load_bytes

MESSAGES = [
    SystemMessage("be brief"),
    HumanMessage("go"),
    AIMessage(
        content="",
        tool_calls=[{"name": "f", "args": {"a": 1}, "id": "c1"}],
        usage_metadata={"input_tokens": 5, "output_tokens": 2, "total_tokens": 7},
    ),
    ToolMessage("r", tool_call_id="c1"),
]


def _load(value: Any) -> Session:
    return load_bytes(json.dumps(value).encode(), name="f")


@pytest.mark.parametrize(
    "dumped",
    [messages_to_dict(MESSAGES), [dumpd(m) for m in MESSAGES], [m.model_dump() for m in MESSAGES]],
    ids=["messages_to_dict", "dumpd", "model_dump"],
)
def test_every_serialiser_gives_the_same_turns(dumped: list[Any]):
    session = _load(dumped)
    assert session.components[0].content == "be brief"
    made = session.turns[0].rounds[0]
    assert (made.tool_calls[0].id, made.tool_calls[0].arguments) == ("c1", {"a": 1})
    assert made.tool_results[0].content == "r"
    assert made.usage is not None
    assert made.usage.input == 5


@pytest.mark.parametrize(("copy", "marks"), [({"a": 2}, ("call_copies_differ",)), ({"a": 1}, ())])
def test_a_call_that_stands_twice_is_one_call_and_tool_calls_is_right(copy: dict[str, int], marks: tuple[str, ...]):
    content = [{"type": "tool_use", "id": "c1", "name": "f", "input": copy}]
    data = {"type": "ai", "content": content, "tool_calls": [{"name": "f", "args": {"a": 1}, "id": "c1"}]}
    message = _load([{"type": "human", "data": {"content": "x"}}, {"type": "ai", "data": data}]).recorded[0].messages[1]
    assert [call.arguments for call in message.calls] == [{"a": 1}]
    assert message.marks == marks
