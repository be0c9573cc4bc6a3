from __future__ import annotations

import json
import logging
import subprocess
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

from ctxinspect.window import count_tokens, create_pre_model_hook
from ctxinspect.window import hook as module
from ctxinspect.window.chat import chat_cost

PROMPT = "You configure routers.\n{{topology_info}}"
TOPOLOGY = {"nodes": {"R1": {"x": 1}, "开关": {}}, "links": []}


def make(prompt=PROMPT, tools=(), unit="turn", **config):
    config = {"context_limit": 128} | config
    return create_pre_model_hook(
        system_prompt=prompt,
        get_topology_func=lambda state: state.get("topology_info"),
        get_llm_config_func=lambda: config,
        get_tools_func=lambda: list(tools),
        unit=unit,
    )


def user(text):
    return {"role": "user", "content": text}


def assistant(text, *ids):
    calls = [{"id": i, "type": "function", "function": {"name": "look", "arguments": "{}"}} for i in ids]
    return {"role": "assistant", "content": text} | ({"tool_calls": calls} if calls else {})


def tool(call_id, text):
    return {"role": "tool", "tool_call_id": call_id, "content": text}


def total(messages):
    return 3 + sum(chat_cost(m, count_tokens, overhead=4, image_tokens=1000) for m in messages)


def test_the_topology_is_injected_as_json_into_one_system_message():
    prepared = make()({"messages": [user("hi")], "topology_info": TOPOLOGY})["messages"]
    assert [m["role"] for m in prepared] == ["system", "user"]
    assert prepared[0]["content"] == "You configure routers.\n" + json.dumps(TOPOLOGY, ensure_ascii=False)


def test_without_topology_a_sentence_stands_in_its_place():
    prepared = make()({"messages": [user("hi")]})["messages"]
    assert prepared[0]["content"] == "You configure routers.\n(No topology information available)"


def test_a_prompt_without_the_placeholder_still_becomes_the_system_message(caplog):
    caplog.set_level(logging.INFO)
    prepared = make("Be brief. {{other}}")({"messages": [user("hi")]})["messages"]
    assert prepared[0] == {"role": "system", "content": "Be brief. {{other}}"}
    assert not [r for r in caplog.records if "opology" in r.message]


def test_existing_system_messages_are_replaced_by_the_new_one():
    state = {"messages": [{"role": "system", "content": "old"}, user("a"), {"role": "developer", "content": "b"}]}
    prepared = make("new")(state)["messages"]
    assert prepared == [{"role": "system", "content": "new"}, user("a")]
    assert state["messages"][0]["content"] == "old"


def test_langchain_messages_stay_objects_and_stay_themselves():
    history = [SystemMessage("old"), HumanMessage("a"), AIMessage("b"), HumanMessage("c")]
    prepared = make("new")({"messages": history})["messages"]
    assert isinstance(prepared[0], SystemMessage)
    assert prepared[0].content == "new"
    assert all(got is had for got, had in zip(prepared[1:], history[1:], strict=True))


def test_the_hook_does_not_import_langchain():
    code = (
        "import sys; from ctxinspect.window import create_pre_model_hook as c;"
        "h = c('s', lambda s: None, lambda: {'context_limit': 1}, lambda: []);"
        "h({'messages': [{'role': 'user', 'content': 'x'}]});"
        "print([m for m in sys.modules if m.startswith('langchain')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_oldest_turns_go_and_the_last_user_message_stays():
    old, new = "old " * 700, "new " * 100
    talk = [user(old), assistant("yes"), user("and?"), assistant("no"), user(new)]
    prepared = make("s", context_limit=1, context_strategy="balanced")({"messages": talk})["messages"]
    assert prepared[1:] == talk[2:]
    assert total(prepared) <= 750


def test_a_call_and_its_result_go_together():
    talk = [
        user("do it"),
        assistant("", "c1", "c2"),
        tool("c1", "x " * 800),
        tool("c2", "y"),
        assistant("", "c3"),
        tool("c3", "z"),
    ]
    prepared = make("s", context_limit=1)({"messages": talk})["messages"]
    assert prepared[1:] == [talk[0], talk[4], talk[5]]


def test_call_arguments_are_counted():
    big = assistant("", "c1")
    big["tool_calls"][0]["function"]["arguments"] = json.dumps({"a": "word " * 800})
    talk = [user("a"), big, tool("c1", "ok"), user("b")]
    assert make("s", context_limit=1)({"messages": talk})["messages"][1:] == [user("b")]


def test_a_request_that_cannot_fit_keeps_the_system_and_the_last_user_message(caplog):
    talk = [user("a"), assistant("b"), user("now " * 2000)]
    prepared = make("s", context_limit=1)({"messages": talk})["messages"]
    assert prepared[1:] == talk[2:]
    assert [r.levelname for r in caplog.records if "nothing more may go" in r.message] == ["ERROR"]


def test_message_by_message_trimming_loses_the_user_message_as_langchain_does():
    talk = [user("u " * 700), assistant("a " * 200), tool("c1", "r " * 200)]
    prepared = make("s", unit="message", context_limit=1)({"messages": talk})["messages"]
    assert [m["role"] for m in prepared] == ["system", "assistant", "tool"]


@pytest.mark.parametrize("config", [{"context_limit": None}, {"context_limit": 0}, {"context_limit": "8"}])
def test_a_wrong_context_limit_is_a_value_error_that_names_it(config):
    with pytest.raises(ValueError, match="context_limit"):
        make(**config)({"messages": []})


def test_a_configuration_without_context_limit_is_a_value_error():
    hook = create_pre_model_hook("s", lambda state: None, lambda: None, lambda: None)
    with pytest.raises(ValueError, match="context_limit is missing"):
        hook({"messages": []})


def test_an_unknown_strategy_is_a_warning_and_balanced(caplog):
    caplog.set_level(logging.INFO)
    make(context_strategy="bold")({"messages": [user("x")]})
    assert [r.levelname for r in caplog.records if "'bold'" in r.message] == ["WARNING"]
    assert any(r.message.endswith("strategy=balanced") for r in caplog.records)


def test_the_log_lines_are_those_of_the_specification(caplog):
    caplog.set_level(logging.INFO)
    prepared = make(tools=[{"name": "t"}])({"messages": [user("hi")], "topology_info": TOPOLOGY})["messages"]
    text = json.dumps(TOPOLOGY, ensure_ascii=False)
    tools = count_tokens('{"type": "function", "function": {"name": "t", "description": "", "parameters": {}}}')
    spent = total(prepared) + tools
    share = f"~{total(prepared)} tokens + {tools} tools = {spent} / 128K ({spent / 1280:.1f}%)"
    assert [r.message for r in caplog.records] == [
        "Calling pre_hook to prepare 2 messages",
        f"Topology injected: {len(text)} chars, nodes: ['R1', '开关']",
        f"Context ready: 2 msgs, {share}, strategy=balanced",
        "Messages prepared: 2 -> 2",
    ]


def test_a_missing_topology_is_logged_as_a_warning(caplog):
    make()({"messages": [user("hi")]})
    assert [(r.levelname, r.message) for r in caplog.records] == [
        ("WARNING", "Topology data is None, injecting placeholder")
    ]


def test_tools_over_the_budget_are_logged_as_an_error(caplog):
    make(tools=[{"name": "t", "description": "d " * 900}], context_limit=1)({"messages": [user("hi")]})
    assert any(r.levelname == "ERROR" and "larger window" in r.message for r in caplog.records)


def test_when_trimming_raises_the_untrimmed_list_comes_back_and_the_error_is_logged(caplog, monkeypatch):
    def broken(*_args, **_kwargs):
        raise RuntimeError("boom")

    monkeypatch.setattr(module, "_fit", broken)
    talk = [user("x " * 5000), user("y")]
    prepared = make("s", context_limit=1)({"messages": talk})["messages"]
    assert prepared[1:] == talk
    assert [r.levelname for r in caplog.records if "boom" in r.message] == ["ERROR"]


def test_a_topology_that_is_no_plain_json_is_still_injected():
    prepared = make()({"messages": [user("x")], "topology_info": {"nodes": {"R1": {1, 2}}}})["messages"]
    assert "R1" in prepared[0]["content"]
    assert make()({"messages": [], "topology_info": "as text"})["messages"][0]["content"].endswith("as text")


PIECES = st.lists(st.sampled_from("uact"), max_size=14)


@settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pieces=PIECES, size=st.integers(0, 300))
def test_whatever_the_history_no_pair_is_split_and_the_budget_holds(pieces, size):
    talk, open_ids = [], []
    for index, piece in enumerate(pieces):
        text = "w " * (size if index % 2 else 5)
        if piece == "u":
            talk.append(HumanMessage(text, id=str(index)))
        elif piece == "a":
            talk.append(AIMessage(text, id=str(index)))
        elif piece == "c":
            open_ids.append(f"c{index}")
            talk.append(AIMessage(text, id=str(index), tool_calls=[{"id": f"c{index}", "name": "x", "args": {}}]))
        elif open_ids:
            talk.append(ToolMessage(text, id=str(index), tool_call_id=open_ids.pop(0)))
    prepared = make("s", context_limit=1)({"messages": talk})["messages"]
    kept = [message.id for message in prepared[1:]] if talk else []
    assert kept == [m.id for m in talk if m.id in kept]
    calls = {c["id"] for m in prepared[1:] if isinstance(m, AIMessage) for c in m.tool_calls}
    answered = {m.tool_call_id for m in talk if isinstance(m, ToolMessage)}
    results = {m.tool_call_id for m in prepared[1:] if isinstance(m, ToolMessage)}
    assert results == calls & answered
    users = [m.id for m in talk if isinstance(m, HumanMessage)]
    assert not users or users[-1] in kept
