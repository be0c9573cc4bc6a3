"""SWE-agent trajectories: tool results name their call in a list."""

from __future__ import annotations

import json

from ctxinspect.readers import load_bytes


def test_history_is_the_talk_and_results_find_their_call():
    call = {"id": "c", "type": "function", "function": {"name": "bash", "arguments": "{}"}}
    history = [
        {"role": "system", "content": "s", "agent": "main"},
        {"role": "user", "content": "fix it", "agent": "main"},
        {"role": "assistant", "content": "look", "tool_calls": [call], "agent": "main"},
        {"role": "tool", "content": "out", "tool_call_ids": ["c"], "agent": "main"},
    ]
    session = load_bytes(json.dumps({"history": history, "trajectory": [], "info": {}}).encode(), name="f")
    assert session.turns[0].rounds[0].tool_results[0].call_id == "c"
    assert session.components[0].content == "s"


def test_old_trajectories_without_calls_are_a_plain_talk():
    history = [{"role": role, "content": role} for role in ("system", "user", "assistant", "user")]
    session = load_bytes(json.dumps({"history": history, "trajectory": []}).encode(), name="f")
    assert [(turn.user, turn.assistant) for turn in session.turns] == [("user", "assistant"), ("user", None)]
