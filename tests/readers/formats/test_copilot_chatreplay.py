"""Copilot chat replays: roles are numbers, calls and usage stand with each request."""

from __future__ import annotations

import json

from ctxinspect.model.session import Source
from ctxinspect.readers import load_bytes


def test_requests_are_calls_with_tools_and_usage():
    text = [{"type": 1, "text": "go"}]
    metadata = {"model": "gpt-4o", "usage": {"prompt_tokens": 9}, "tools": [{"function": {"name": "f"}}]}
    asked = {"messages": [{"role": 0, "content": [{"type": 1, "text": "s"}]}, {"role": 1, "content": text}]}
    request = {"id": "r", "kind": "request", "metadata": metadata, "requestMessages": asked}
    request["response"] = {"type": "success", "message": ["hi"]}
    prompts = [{"prompt": "go", "logs": [{"id": "e", "kind": "element"}, request]}]
    session = load_bytes(json.dumps({"exportedAt": "x", "prompts": prompts}).encode(), name="f")
    assert (session.components[0].content, session.turns[0].user, session.turns[0].assistant) == ("s", "go", "hi")
    assert (session.tools[0].name, session.model) == ("f", "gpt-4o")
    assert session.recorded[0].usage is not None
    assert isinstance(session.source, Source)
    assert session.source.unknown_kinds == {"element": 1}
