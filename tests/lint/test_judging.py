"""The judge itself: places, order, profiles, and what is asked only once."""

from __future__ import annotations

import pytest

from ctxinspect.errors import UsageError
from ctxinspect.lint import Linter, judge
from ctxinspect.lint.profiles import PROFILES, profile_named
from tests.support.messages import asked, assistant, call, codes, tool, user


def test_the_place_of_a_part_is_named_else_that_of_its_message():
    placed = assistant(call("c", "a b", path="$.messages[1].tool_calls[0]", line=3), path="$.messages[1]", line=2)
    (fault,) = [f for f in judge((user("x"), placed, tool("c")), profile="openai") if f.id == "bad-tool-name"]
    assert (fault.path, fault.line, fault.call_id, fault.message) == ("$.messages[1].tool_calls[0]", 3, "c", 1)
    (end,) = judge((user("x"), assistant("a", path="$.messages[1]", line=2)), profile="anthropic")
    assert (end.path, end.line) == ("$.messages[1]", 2)


def test_findings_are_in_the_order_of_their_places():
    messages = (assistant("a\u200b"), user("b\u200b"), asked("c"), user("d"), tool("z"))
    places = [place for _, _, place in codes(*messages)]
    assert places == sorted(places)


def test_the_same_list_gives_the_same_findings():
    messages = (user("x"), asked("c", "c"), tool("c"), tool("q"), user("y"))
    assert judge(messages, profile="strict") == judge(messages, profile="strict")


def test_a_linter_asks_once_what_depends_on_one_message_alone(monkeypatch):
    from ctxinspect.lint.rule import MessageRule

    asked_of = []
    counting = MessageRule("bad-content", lambda message, context: asked_of.append(message) or ())
    monkeypatch.setattr("ctxinspect.lint.judging.MESSAGE_RULES", (counting,))
    shared = user("x")
    linter = Linter("openai")
    linter.judge([shared, user("y")])
    linter.judge([shared, user("z")])
    assert len(asked_of) == 3


def test_an_unknown_profile_names_the_nearest():
    with pytest.raises(UsageError, match="anthropic"):
        profile_named("antropic")


def test_a_profile_may_be_given_itself():
    assert judge((user("x"),), profile=PROFILES["strict"]) == ()
