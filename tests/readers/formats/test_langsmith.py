"""LangSmith runs: batches merged by id, trees of runs, LangChain messages inside."""

from __future__ import annotations

import json
from typing import Any

from ctxinspect.model.session import Session
from ctxinspect.readers import load_bytes


def _load(value: Any) -> Session:
    return load_bytes(json.dumps(value).encode(), name="f")


def _run(name: str, **more: Any) -> dict[str, Any]:
    return {"id": name, "trace_id": "t", "run_type": "llm", "dotted_order": name, **more}


ASKED = {"messages": [{"role": "user", "content": "go"}], "model": "gpt-4o"}
SAID = {"choices": [{"message": {"role": "assistant", "content": "hi"}}], "usage": {"prompt_tokens": 3}}


def test_a_post_and_its_patch_are_one_call():
    session = _load({"post": [_run("1", inputs=ASKED, outputs={})], "patch": [{"id": "1", "outputs": SAID}]})
    assert (session.turns[0].user, session.turns[0].assistant, session.model) == ("go", "hi", "gpt-4o")
    usage = session.recorded[0].usage
    assert usage is not None
    assert usage.input == 3


def test_calls_are_found_in_a_tree_of_runs_with_langchain_messages():
    human = {
        "lc": 1,
        "type": "constructor",
        "id": ["langchain", "schema", "messages", "HumanMessage"],
        "kwargs": {"content": "go"},
    }
    answer = {"lc": 1, "type": "constructor", "id": ["langchain_core", "messages", "AIMessage"]}
    answer["kwargs"] = {"content": "hi", "usage_metadata": {"input_tokens": 4, "output_tokens": 1}}
    child = _run("2", inputs={"messages": [[human]]}, outputs={"generations": [[{"message": answer}]]})
    session = _load({**_run("1"), "run_type": "chain", "child_runs": [child]})
    assert (session.turns[0].user, session.turns[0].assistant) == ("go", "hi")
    usage = session.turns[0].usage
    assert usage is not None
    assert usage.input == 4


def test_a_patch_may_name_its_run_by_the_end_of_the_dotted_order_alone():
    order = "20260101T000000000001Z33c0-a.20260101T000000000002Z44d1-b"
    posted = {"id": "44d1-b", "run_type": "llm", "trace_id": "33c0-a", "dotted_order": order, "inputs": ASKED}
    session = _load({"post": [posted], "patch": [{"trace_id": "33c0-a", "dotted_order": order, "outputs": SAID}]})
    assert session.turns[0].assistant == "hi"
    assert session.turns[0].usage is not None
