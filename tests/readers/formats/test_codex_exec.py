"""The stream of `codex exec --json`: finished items count once."""

from __future__ import annotations

import json

from ctxinspect.model.session import Source
from ctxinspect.readers import load_bytes


def test_finished_items_are_read_and_unfinished_ones_counted():
    command = {"id": "i1", "type": "command_execution", "command": "ls", "aggregated_output": "files", "exit_code": 0}
    lines = [
        {"type": "thread.started", "thread_id": "t"},
        {"type": "turn.started"},
        {"type": "item.started", "item": command},
        {"type": "item.completed", "item": command},
        {"type": "item.started", "item": {"id": "i2", "type": "file_change"}},
        {"type": "item.completed", "item": {"id": "i3", "type": "agent_message", "text": "done"}},
        {"type": "turn.completed", "usage": {"input_tokens": 9, "cached_input_tokens": 4, "output_tokens": 1}},
    ]
    session = load_bytes("".join(json.dumps(line) + "\n" for line in lines).encode(), name="f")
    turn = session.turns[0]
    assert turn.rounds[0].tool_calls[0].arguments == {"command": "ls", "exit_code": 0}
    assert turn.rounds[0].tool_results[0].content == "files"
    assert turn.assistant == "done"
    assert turn.usage is not None
    assert (turn.usage.input, turn.usage.cached) == (9, 4)
    assert isinstance(session.source, Source)
    assert (session.source.unknown_kinds, session.source.threads[0].id) == ({"item never finished": 1}, "t")
