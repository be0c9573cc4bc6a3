"""ShareGPT rows and OASST trees."""

from __future__ import annotations

import json
from typing import Any

from ctxinspect.model.session import Session, Source
from ctxinspect.readers import load_bytes


def _load(value: Any, thread: str | None = None) -> Session:
    return load_bytes(json.dumps(value).encode(), name="f", thread=thread)


def test_calls_and_tools_are_json_text_in_a_row():
    call = json.dumps([{"name": "f", "arguments": {"a": 1}}, {"name": "g", "arguments": {}}])
    said = [("human", "go"), ("function_call", call), ("observation", "r"), ("gpt", "done")]
    row = {"conversations": [{"from": who, "value": what} for who, what in said], "tools": json.dumps([{"name": "f"}])}
    session = _load([row | {"system": "s"}])
    made = session.turns[0].rounds[0]
    assert [tool_call.name for tool_call in made.tool_calls] == ["f", "g"]
    assert len(made.tool_results) == 1
    assert session.turns[0].assistant == "done"
    assert (session.tools[0].name, session.components[0].content) == ("f", "s")


def test_rows_are_threads_and_the_longest_is_opened():
    rows = [{"id": "a", "conversations": [{"from": "human", "value": "1"}]}]
    rows.append({"id": "b", "conversations": [{"from": "human", "value": "2"}, {"from": "gpt", "value": "x"}]})
    session = _load(rows)
    assert isinstance(session.source, Source)
    assert [(t.id, t.selected) for t in session.source.threads] == [("a", False), ("b", True)]
    assert _load(rows, thread="a").turns[0].user == "1"


def test_a_tree_gives_its_best_path_and_other_first_replies_as_branches():
    best = {"role": "assistant", "text": "best", "rank": 0, "replies": [{"role": "prompter", "text": "more"}]}
    tree = {
        "message_tree_id": "t",
        "prompt": {"text": "q", "replies": [{"role": "assistant", "text": "worse", "rank": 1}, best]},
    }
    session = _load(tree)
    assert [(turn.user, turn.assistant) for turn in session.turns] == [("q", "best"), ("more", None)]
    assert _load(tree, thread="t-2").turns[0].assistant == "worse"


def test_a_tree_kept_flat_is_put_together_and_its_messages_keep_their_lines():
    def node(name: str, parent: str | None, role: str, text: str, rank: int | None = None) -> dict[str, Any]:
        links = {"message_tree_id": "a", "message_id": name, "parent_id": parent}
        return {**links, "role": role, "text": text, "rank": rank, "place": "here"}

    rows = [
        node("a", None, "prompter", "q"),
        node("b", "a", "assistant", "worse", 1),
        node("c", "a", "assistant", "best", 0),
        node("d", "c", "prompter", "more"),
        node("e", "gone", "prompter", "alone"),
    ]
    session = load_bytes(b"\n".join(json.dumps(row).encode() for row in rows), name="f")
    assert [(turn.user, turn.assistant) for turn in session.turns] == [("q", "best"), ("more", None)]
    assert [message.line for message in session.recorded[0].messages] == [1, 3, 4]
    assert isinstance(session.source, Source)
    assert [(thread.id, thread.kind) for thread in session.source.threads] == [
        *(("a", "main"), ("a-2", "branch"), ("e", "main")),
    ]
    assert session.source.records_read == 5
