"""Every rule is seen to fire and seen to stay silent, on the smallest list of messages that differs."""

from __future__ import annotations

import pytest

from ctxinspect.lint.registry import MESSAGE_RULES, SEQUENCE_RULES
from ctxinspect.model.session import OtherPart, RecordedMessage
from ctxinspect.trace.codes import RULES
from tests.support.messages import (
    asked,
    assistant,
    call,
    found,
    message,
    result,
    results,
    system,
    thinking,
    tool,
    tool_schema,
    user,
)

Messages = tuple[RecordedMessage, ...]
HI = user("hi")
LOOP = (HI, asked("c1"), tool("c1"))
KEY = "sk-" + "a1" * 16

FIRES: dict[str, tuple[str, Messages]] = {
    "orphan-result": ("openai", (HI, tool("c9"))),
    "duplicate-result": ("openai", (*LOOP, tool("c1", "again"))),
    "missing-result": ("openai", (HI, asked("c1"), user("and?"))),
    "call-in-flight": ("openai", (HI, asked("c1"))),
    "result-not-adjacent": ("openai", (HI, asked("c1"), user("wait"), tool("c1"))),
    "results-reordered": ("openai", (HI, asked("c1", "c2"), tool("c2"), tool("c1"))),
    "missing-call-id": ("openai", (HI, asked(None), tool(None, name="look"))),
    "duplicate-call-id": ("anthropic", (*LOOP, asked("c1"), tool("c1"))),
    "ambiguous-pair": ("openai", (HI, asked("c1", "c2"), tool(None, name="look"), tool("c2"))),
    "no-user-message": ("openai", (system("s"), assistant("a"))),
    "system-position": ("anthropic", (system("s"), HI)),
    "role-order": ("openai", (assistant("a"), HI)),
    "consecutive-role": ("strict", (HI, user("you there?"))),
    "ends-with-assistant": ("anthropic", (HI, assistant("a"))),
    "trailing-whitespace": ("openai", (HI, assistant("a "))),
    "thinking-order": ("anthropic", (HI, assistant("a", thinking()))),
    "reasoning-orphan": ("openai-responses", (HI, assistant(thinking(item_id="rs_1")), user("and?"))),
    "history-in-system": ("openai", (system("[09:01] Ana: hi\n[09:02] Bot: yes"), HI)),
    "bad-call-id": ("anthropic", (HI, asked("call:7/b"), tool("call:7/b"))),
    "bad-tool-name": ("openai", (HI, asked("c1", name="a b"), tool("c1"))),
    "bad-arguments-json": ("openai", (HI, assistant(call(arguments='{"a": ')), tool("c1"))),
    "empty-arguments": ("openai", (HI, assistant(call(arguments="")), tool("c1"))),
    "null-content": ("openai", (user(shape="null"),)),
    "bad-content": ("openai", (HI, user(shape="absent"))),
    "empty-message": ("anthropic", (HI, assistant("", "x", shape="parts"), user("y"))),
    "missing-name": ("openai", (HI, asked(None), tool(None, role="function"))),
    "unknown-tool": ("openai", (HI, asked("c1", name="red"), tool("c1"))),
    "call-copies-differ": ("openai", (HI, assistant(call(), marks=("call_copies_differ",)), tool("c1"))),
    "lone-surrogate": ("openai", (user("ok \ud83d end"),)),
    "hidden-characters": ("openai", (user("grant \u202eresu\u202c"),)),
    "secret-in-context": ("openai", (user(f"use {KEY}"),)),
    "result-after-text": ("anthropic", (HI, asked("c1"), user("so:", result("c1")))),
}

SILENT: dict[str, tuple[str, Messages]] = {
    "orphan-result": ("openai", (HI, asked("c9"), tool("c9"))),
    "duplicate-result": ("openai", (*LOOP, asked("c1"), tool("c1"))),
    "missing-result": ("openai", (HI, asked("c1"), tool("c1"), user("and?"))),
    "call-in-flight": ("openai", LOOP),
    "result-not-adjacent": ("openai", (HI, asked("c1", "c2"), tool("c2"), tool("c1"))),
    "results-reordered": ("openai", (HI, asked("c1", "c2"), tool("c1"), tool("c2"))),
    "missing-call-id": ("gemini", (HI, asked(None), tool(None, name="look"))),
    "duplicate-call-id": ("gemini", (*LOOP, asked("c1"), tool("c1"))),
    "ambiguous-pair": ("openai", (HI, asked("c1"), tool(None, name="look"))),
    "no-user-message": ("openai", (system("s"), HI)),
    "system-position": ("openai", (system("s"), HI)),
    "role-order": ("openai", (system("s"), *LOOP)),
    "consecutive-role": ("strict", (HI, assistant("a"), user("b"))),
    "ends-with-assistant": ("openai", (HI, assistant("a"))),
    "trailing-whitespace": ("openai", (HI, assistant("a "), user("b"))),
    "thinking-order": ("anthropic", (HI, assistant(thinking(), "a"), user("b"))),
    "reasoning-orphan": ("openai-responses", (HI, assistant(thinking(item_id="rs_1")), assistant("so"), user("x"))),
    "history-in-system": ("openai", (system("[09:01] Ana: hi"), HI)),
    "bad-call-id": ("anthropic", (HI, asked("call_7-b"), tool("call_7-b"))),
    "bad-tool-name": ("openai", (HI, asked("c1", name="a_b-1"), tool("c1"))),
    "bad-arguments-json": ("openai", (HI, assistant(call(arguments='{"a": 1}')), tool("c1"))),
    "empty-arguments": ("openai", (HI, assistant(call(arguments="{}")), tool("c1"))),
    "null-content": ("openai", (HI, assistant(call(), shape="null"), tool("c1"))),
    "bad-content": ("openai", (HI, assistant(call(), shape="absent"), tool("c1"))),
    "empty-message": ("openai", (HI, assistant("", "x", shape="parts"), user("y"))),
    "missing-name": ("openai", (HI, asked(None), tool(None, name="look", role="function"))),
    "unknown-tool": ("openai", LOOP),
    "call-copies-differ": ("openai", LOOP),
    "lone-surrogate": ("openai", (user("pair \ud83d\ude80".encode("utf-16", "surrogatepass").decode("utf-16")),)),
    "hidden-characters": ("openai", (user("שלום world\tand\r\n👨‍👩‍👧"),)),
    "secret-in-context": ("openai", (user("use sk-your-key and task-abcdefghijklmnopqrstuvwxyz"),)),
    "result-after-text": ("anthropic", (HI, asked("c1"), results("c1", text="so"))),
}

TOOLS = (tool_schema("look"),)
ALL = (*SEQUENCE_RULES, *MESSAGE_RULES)


def test_every_rule_of_the_registry_has_a_code_and_stands_in_it_once():
    listed = [rule.code for rule in ALL]
    assert len(listed) == len(set(listed))
    assert set(listed) <= set(RULES)


def test_every_rule_has_an_example_that_fires_and_one_that_does_not():
    assert set(FIRES) == set(SILENT) == {rule.code for rule in ALL}


@pytest.mark.parametrize("code", sorted(FIRES))
def test_the_rule_fires(code):
    profile, messages = FIRES[code]
    assert found(code, *messages, profile=profile, tools=TOOLS)


@pytest.mark.parametrize("code", sorted(SILENT))
def test_the_rule_stays_silent(code):
    profile, messages = SILENT[code]
    assert not found(code, *messages, profile=profile, tools=TOOLS)


def test_a_part_of_a_known_kind_is_good_content_and_a_faulty_one_is_not():
    good = OtherPart(kind="citation", text="x")
    bad = OtherPart(kind="text", fault="the text of a text part is null", path="$.messages[0].content[0]")
    assert not found("bad-content", message("user", good))
    (fault,) = found("bad-content", message("user", bad))
    assert fault.path == "$.messages[0].content[0]"
