"""The differential test against the library itself: identical result for every input."""

from __future__ import annotations

from hypothesis import example, given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.messages import trim_messages as library_trim

from ctxinspect.window import trim_messages

ROLES = st.sampled_from(["user", "assistant", "calls", "tool", "system"])
HISTORIES = st.lists(st.tuples(ROLES, st.integers(0, 12)), max_size=14)


def library_message(index, role, tokens):
    content, name = "w " * tokens, f"m{index}"
    if role == "calls":
        call = {"name": "look", "args": {"a": "long argument that costs nothing here"}, "id": f"c{index}"}
        return AIMessage(content, id=name, tool_calls=[call])
    if role == "tool":
        return ToolMessage(content, id=name, tool_call_id=f"c{index}")
    return {"user": HumanMessage, "assistant": AIMessage, "system": SystemMessage}[role](content, id=name)


def content_only(messages):
    return sum(len(message.content.split()) for message in messages)


def by_library(history, budget):
    messages = [library_message(index, *one) for index, one in enumerate(history)]
    kept = library_trim(messages, max_tokens=budget, strategy="last", include_system=True, token_counter=content_only)
    return tuple(int(message.id[1:]) for message in kept)


@settings(max_examples=4000, deadline=None)
@given(history=HISTORIES, budget=st.integers(-20, 120))
@example(history=[], budget=-1)
@example(history=[("system", 5)], budget=-1)
@example(history=[("system", 5), ("user", 0)], budget=-1)
@example(history=[("user", 0)], budget=-1)
@example(history=[("user", 1), ("system", 2), ("tool", 0)], budget=2)
def test_every_history_is_trimmed_as_the_library_trims_it(history, budget):
    roles = ["assistant" if role == "calls" else role for role, _ in history]
    assert trim_messages(roles, [tokens for _, tokens in history], budget) == by_library(history, budget)


def test_orphaned_results_and_a_lost_user_message_are_reproduced():
    roles, tokens = ["system", "user", "assistant", "tool", "assistant"], [2, 5, 5, 3, 3]
    assert trim_messages(roles, tokens, 8) == (0, 3, 4)


def test_a_negative_budget_is_zero_only_beside_a_system_message():
    assert trim_messages(["system", "user"], [9, 0], -5) == (0, 1)
    assert trim_messages(["user", "assistant"], [0, 0], -5) == ()
