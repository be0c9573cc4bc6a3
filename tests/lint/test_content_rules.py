"""The rules about ids, names, arguments and characters."""

from __future__ import annotations

import pytest

from tests.support.messages import (
    asked,
    assistant,
    call,
    codes,
    found,
    message,
    quiet,
    result,
    thinking,
    tool,
    tool_schema,
    user,
)

HI = user("hi")


def test_a_long_id_is_a_warning_for_openai_and_a_strange_one_an_error_for_anthropic():
    long, strange = "ws_" + "0123456789abcdef" * 3, "call:7/b"
    messages = (HI, asked(long), tool(long), asked(strange), tool(strange))
    assert codes(*messages) == [("bad-call-id", "warning", 1)]
    assert codes(*messages, profile="anthropic") == [("bad-call-id", "error", 3)]
    assert [fault.message for fault in found("bad-call-id", *messages, profile="strict")] == [1, 3]
    assert quiet(*messages, profile="gemini")


@pytest.mark.parametrize("name", ["", "a[/b]", "files/read", "a" * 65, "naïve", "a\n"])
def test_a_name_outside_the_alphabet_is_an_error(name):
    assert [fault.severity for fault in found("bad-tool-name", HI, asked("c", name=name), tool("c"))] == ["error"]


@pytest.mark.parametrize("arguments", ['{"a"', "[1]", '"x"', "3", "null", "{} {}", '{"a": NaN}', "[" * 100_000])
def test_arguments_that_are_no_object(arguments):
    assert found("bad-arguments-json", HI, assistant(call(arguments=arguments)), tool("c1"))


@pytest.mark.parametrize("arguments", ["{}", {}, ' {"a": 1} ', '{"n": ' + "9" * 5000 + "}"])
def test_arguments_that_are_an_object(arguments):
    assert quiet(HI, assistant(call(arguments=arguments)), tool("c1"))


def test_free_text_of_a_custom_tool_is_not_parsed():
    assert quiet(HI, assistant(call(arguments="*** Begin Patch", freeform=True)), tool("c1"))


@pytest.mark.parametrize(
    ("profile", "severity"), [("openai", "warning"), ("anthropic", "warning"), ("gemini", None), ("strict", "error")]
)
@pytest.mark.parametrize("arguments", ["", "  "])
def test_empty_arguments_are_not_bad_ones(profile, severity, arguments):
    messages = (HI, assistant(call(arguments=arguments)), tool("c1"))
    assert [fault.severity for fault in found("empty-arguments", *messages, profile=profile)] == (
        [severity] if severity else []
    )
    assert not found("bad-arguments-json", *messages, profile=profile)


def test_empty_arguments_of_a_tool_that_requires_some_are_bad():
    messages = (HI, assistant(call(arguments="")), tool("c1"))
    tools = (tool_schema("look", type="object", required=["at"]),)
    assert [code for code, *_ in codes(*messages, tools=tools)] == ["bad-arguments-json"]


def test_no_tool_is_unknown_where_no_tools_are_known():
    messages = (HI, asked("c1", name="red"), tool("c1"))
    assert not found("unknown-tool", *messages)
    assert not found("unknown-tool", *messages, tools=())
    assert [fault.severity for fault in found("unknown-tool", *messages, tools=(tool_schema("read"),))] == ["warning"]


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("grant \u202eresu\u202c access", "U+202E, U+202C"),
        ("\u2066a\u2069b\u200bc\u2060d", "U+2066, U+2069, U+200B, U+2060"),
        ("tag\U000e0041\U000e0042x", "U+E0041, U+E0042"),
        ("admin\u200d", "U+200D"),
        ("\ufeffstart", "U+FEFF"),
        ("\u0645\u0631\u062d\u0628\u0627 \u202edenied\u202c", "U+202E, U+202C"),
        ("A\x1b]52;c;aGk=\x1b\\B", "U+001B"),
        ("c1: A\x9b2J", "U+009B"),
    ],
)
def test_hidden_characters_are_named_by_their_code_points(text, points):
    (fault,) = found("hidden-characters", user(text))
    assert fault.severity == "warning"
    assert fault.text.endswith(f": {points}")


def test_hidden_characters_are_found_in_results_calls_and_recorded_thinking():
    messages = (
        HI,
        assistant(thinking("a\u200bb"), call("c", arguments={"q": "a\u200bb"})),
        message("tool", result("c", "a\u200bb")),
    )
    assert [fault.message for fault in found("hidden-characters", *messages)] == [1, 1, 2]
    assert [fault.message for fault in found("hidden-characters", *messages, recording=False)] == [1, 2]


def test_many_kinds_of_hidden_characters_are_counted_not_cut_silently():
    (fault,) = found("hidden-characters", user("".join(chr(0xE0020 + n) for n in range(90))))
    assert fault.text.startswith("90 hidden characters")
    assert fault.text.endswith("and 66 more")


def test_half_a_character_is_named():
    (fault,) = found("lone-surrogate", user("ok \ud83d end"))
    assert "U+D83D" in fault.text
    fault.text.encode("utf-8")


def test_a_secret_is_never_repeated():
    key = "sk-ant-" + "Zq7" * 12
    (fault,) = found("secret-in-context", HI, asked("c"), tool("c", f"KEY={key}\nagain {key}"))
    assert fault.message == 2
    assert "Anthropic API key" in fault.text
    assert "Zq7" not in fault.text


def test_copies_of_a_call_that_differ_are_a_warning():
    messages = (HI, assistant("x", call("t7"), marks=("call_copies_differ",)), tool("t7"))
    assert codes(*messages) == [("call-copies-differ", "warning", 1)]


def test_ids_and_names_of_calls_that_the_provider_runs_are_its_own():
    searched = assistant(call("ws:" + "0" * 50, "web search", "", server=True), result("ws:" + "0" * 50, server=True))
    unnamed = assistant(call(None, "web_search", "", server=True), result(None, server=True))
    assert quiet(HI, searched, unnamed, user("x"), profile="openai-responses", tools=(tool_schema("read"),))
