"""ATIF trajectories: an agent's step holds its calls and what came back."""

from __future__ import annotations

import json
from typing import Any

from ctxinspect.model.session import Session, Source
from ctxinspect.readers import load_bytes


def _load(*steps: dict[str, Any], **more: Any) -> Session:
    value = {"schema_version": "ATIF-v1.5", "session_id": "s", "agent": {"model_name": "gpt-4o"}, "steps": list(steps)}
    return load_bytes(json.dumps(value | more).encode(), name="f")


def test_steps_give_calls_results_and_usage():
    call = {"tool_call_id": "c", "function_name": "f", "arguments": {"a": 1}}
    agent = {
        "source": "agent",
        "message": "look",
        "tool_calls": [call],
        "metrics": {"prompt_tokens": 9, "cached_tokens": 2},
    }
    agent["observation"] = {"results": [{"source_call_id": "c", "content": "r"}]}
    session = _load({"source": "system", "message": "s"}, {"source": "user", "message": "go"}, agent)
    made = session.turns[0].rounds[0]
    assert (made.tool_calls[0].arguments, made.tool_results[0].content) == ({"a": 1}, "r")
    assert made.usage is not None
    assert (made.usage.input, made.usage.cached) == (9, 2)
    assert (session.components[0].content, session.model) == ("s", "gpt-4o")


def test_an_observation_without_a_call_is_what_the_user_was_shown():
    agent = {"source": "agent", "message": "ls", "observation": {"results": [{"content": "files"}]}}
    session = _load({"source": "user", "message": "go"}, agent, continued_trajectory_ref="next.json")
    assert [turn.user for turn in session.turns] == ["go", "files"]
    assert isinstance(session.source, Source)
    assert session.source.missing == ("what follows in next.json",)
