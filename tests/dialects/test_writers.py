"""What each target makes of what it has no place for: kept in another form where that is possible, and always named."""

from __future__ import annotations

import json

import pytest

from ctxinspect.dialects import WRITERS, Draft, merged_runs, write_body
from ctxinspect.model.content import MediaPart, TextPart
from ctxinspect.model.session import MediaBlock, OtherPart, RecordedMessage, TextBlock, ToolSchema
from tests.support.messages import assistant, call, message, result, results, system, thinking, tool, tool_schema, user
from tests.support.sdk import check_body

WIRES = tuple(WRITERS)
IMAGE = MediaBlock(type="image", media_type="image/png", bytes=3000, sha256="ab")


def written(target, *messages, **more):
    made = write_body(target, Draft(tuple(messages), model=more.pop("model", "m"), **more))
    check_body(target, made.body)
    return made


def kinds(made, *, but=("model", "max_tokens")):
    return [loss.what for loss in made.losses if loss.what not in but]


def turns(target, *messages, **more):
    """The list of messages, items or contents."""
    body = written(target, *messages, **more).body
    return body.get("messages", body.get("input", body.get("contents")))


EXCHANGE = (system("Be brief."), user("Hi"), assistant("I look.", call("c1", arguments={"q": 1})), tool("c1", "found"))


def test_chat_completions_has_arguments_as_text_and_each_result_as_a_message():
    assert turns("openai", *EXCHANGE) == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Hi"},
        {
            "role": "assistant",
            "content": "I look.",
            "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"q": 1}'}}],
        },
        {"role": "tool", "tool_call_id": "c1", "content": "found"},
    ]


def test_responses_has_instructions_and_every_call_as_an_item():
    body = written("openai-responses", *EXCHANGE).body
    assert body["instructions"] == "Be brief."
    assert body["input"] == [
        {"type": "message", "role": "user", "content": "Hi"},
        {"type": "message", "role": "assistant", "content": "I look."},
        {"type": "function_call", "call_id": "c1", "name": "look", "arguments": '{"q": 1}'},
        {"type": "function_call_output", "call_id": "c1", "output": "found"},
    ]


def test_anthropic_has_system_beside_the_messages_and_results_in_user_messages():
    body = written("anthropic", *EXCHANGE).body
    assert body["system"] == "Be brief."
    assert body["messages"] == [
        {"role": "user", "content": "Hi"},
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": "I look."},
                {"type": "tool_use", "id": "c1", "name": "look", "input": {"q": 1}},
            ],
        },
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "found"}]},
    ]


def test_gemini_has_parts_and_results_by_name():
    body = written("gemini", *EXCHANGE, model=None).body
    assert body["systemInstruction"] == {"parts": [{"text": "Be brief."}]}
    assert body["contents"] == [
        {"role": "user", "parts": [{"text": "Hi"}]},
        {
            "role": "model",
            "parts": [{"text": "I look."}, {"functionCall": {"id": "c1", "name": "look", "args": {"q": 1}}}],
        },
        {
            "role": "user",
            "parts": [{"functionResponse": {"id": "c1", "name": "look", "response": {"output": "found"}}}],
        },
    ]


@pytest.mark.parametrize("target", WIRES)
def test_an_ordinary_exchange_loses_nothing(target):
    assert kinds(written(target, *EXCHANGE, tools=(tool_schema("look"),))) == []


@pytest.mark.parametrize("target", WIRES)
def test_a_payload_is_a_placeholder_and_a_loss_with_its_place(target):
    shown = IMAGE.model_copy(update={"line": 7, "path": "$.messages[0].content[1]"})
    made = written(target, user("See", shown))
    assert "[image image/png, 3000 bytes]" in json.dumps(made.body)
    loss = next(loss for loss in made.losses if loss.what == "image")
    assert (loss.path, loss.line) == ("$.messages[0].content[1]", 7)


@pytest.mark.parametrize("target", WIRES)
def test_a_payload_in_a_result_is_a_placeholder_too(target):
    content = (TextPart(text="shot"), MediaPart(type="image", media_type="image/png", bytes=9, sha256="ab"))
    made = written(target, user("Hi"), assistant(call()), tool("c1", content))
    assert "[image image/png, 9 bytes]" in json.dumps(made.body)
    assert kinds(made) == ["image"]


def test_only_the_provider_that_made_it_takes_its_reasoning():
    said = (user("Hi"), assistant(thinking("hm", "sig"), "Yes"))
    assert kinds(written("openai", *said)) == ["thinking"]
    assert kinds(written("openai-responses", *said)) == ["thinking"]
    assert kinds(written("anthropic", *said, origin="anthropic")) == []
    assert kinds(written("anthropic", *said, origin="gemini")) == ["thinking"]
    assert kinds(written("anthropic", user("Hi"), assistant(thinking("hm", None), "Yes"))) == ["thinking"]
    assert kinds(written("gemini", *said, origin="gemini")) == []
    assert kinds(written("gemini", *said, origin="anthropic")) == ["signature"]


def test_a_reasoning_item_keeps_its_id_and_its_sealed_content():
    said = assistant(thinking("", "sealed", item_id="rs_1", redacted=True), call("c1", item_id="fc_1"))
    items = turns("openai-responses", user("Hi"), said, tool("c1"), origin="openai-responses")
    assert items[1] == {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "sealed"}
    assert items[2]["id"] == "fc_1"
    assert items[2]["call_id"] == "c1"


def test_redacted_thinking_goes_back_as_it_came():
    said = assistant(thinking("", "opaque", redacted=True), "Yes")
    (_, made) = turns("anthropic", user("Hi"), said, origin="anthropic")
    assert made["content"][0] == {"type": "redacted_thinking", "data": "opaque"}


@pytest.mark.parametrize("target", ["openai", "openai-responses"])
def test_a_failed_tool_is_a_loss_where_a_result_has_no_flag(target):
    failed = message("tool", result("c1", "boom", is_error=True))
    assert kinds(written(target, user("Hi"), assistant(call()), failed)) == ["error flag"]


def test_a_failed_tool_is_visible_at_anthropic_and_gemini():
    failed = (user("Hi"), assistant(call()), message("tool", result("c1", "boom", is_error=True)))
    assert turns("anthropic", *failed)[2]["content"][0]["is_error"] is True
    answered = turns("gemini", *failed)[2]["parts"][0]["functionResponse"]
    assert answered["response"] == {"error": "boom"}


def test_a_result_that_is_an_object_is_that_object_at_gemini():
    def response(content, **more):
        parts = turns("gemini", user("Hi"), assistant(call()), message("tool", result("c1", content, **more)))
        return parts[2]["parts"][0]["functionResponse"]["response"]

    assert response('{"temperature": 3}') == {"temperature": 3}
    assert response('{"error": "no such file"}') == {"output": '{"error": "no such file"}'}
    assert response('{"error": "x"}', is_error=True) == {"error": "x"}
    assert response("[1]") == {"output": "[1]"}


@pytest.mark.parametrize("target", ["anthropic", "gemini"])
@pytest.mark.parametrize("given", ['{"q": ', "[1]", "plain"])
def test_arguments_that_are_no_object_stand_under_one_key(target, given):
    made = written(target, user("Hi"), assistant(call(arguments=given)), tool("c1"))
    assert json.dumps({"arguments": given}) in json.dumps(made.body)
    assert kinds(made) == ["arguments"]


@pytest.mark.parametrize("target", ["openai", "openai-responses"])
def test_arguments_that_do_not_parse_are_kept_as_text(target):
    made = written(target, user("Hi"), assistant(call(arguments='{"q": ')), tool("c1"))
    assert json.dumps('{"q": ') in json.dumps(made.body)
    assert kinds(made) == []


def test_a_key_that_stands_twice_is_named():
    made = written("anthropic", user("Hi"), assistant(call(arguments='{"q": 1, "q": 2}')), tool("c1"))
    assert '"input": {"q": 2}' in json.dumps(made.body)
    assert kinds(made) == ["arguments"]


def test_a_free_form_call_keeps_its_kind_at_openai():
    said = (user("Hi"), assistant(call(arguments="*** patch", freeform=True)), tool("c1"))
    assert turns("openai", *said)[1]["tool_calls"][0]["custom"] == {"name": "look", "input": "*** patch"}
    assert [item["type"] for item in turns("openai-responses", *said)][1:] == [
        "custom_tool_call",
        "custom_tool_call_output",
    ]
    assert kinds(written("anthropic", *said)) == ["arguments"]


@pytest.mark.parametrize("target", ["openai", "openai-responses", "anthropic"])
def test_a_pair_without_ids_gets_one_that_nobody_else_has(target):
    said = (user("Hi"), assistant(call("call_m1p1"), call(None)), tool("call_m1p1"), tool(None, name="look"))
    made = written(target, *said)
    assert json.dumps(made.body).count('"call_m1p1_2"') == 2
    assert kinds(made) == ["id"]


def test_gemini_needs_no_ids():
    made = written("gemini", user("Hi"), assistant(call(None)), tool(None, name="look"))
    assert "id" not in json.dumps(made.body).replace("width", "")
    assert kinds(made) == []


def test_an_id_that_anthropic_refuses_is_written_with_allowed_characters_on_both_halves():
    made = written("anthropic", user("Hi"), assistant(call("a:b"), call("a_b")), tool("a:b"), tool("a_b"))
    text = json.dumps(made.body)
    assert text.count('"a_b_2"') == 2
    assert text.count('"a_b"') == 2
    assert kinds(made) == ["id"]


def test_a_result_without_call_stays_and_is_not_invented_away():
    made = written("anthropic", user("Hi"), tool("ghost", "late"))
    assert made.body["messages"][1]["content"][0]["tool_use_id"] == "ghost"


def test_text_before_a_result_comes_after_it_at_openai_and_stays_at_anthropic():
    mixed = user("Meanwhile", result("c1"), "go on")
    said = (user("Hi"), assistant(call()), mixed)
    assert [m["role"] for m in turns("openai", *said)] == ["user", "assistant", "tool", "user"]
    assert kinds(written("openai", *said)) == ["order"]
    assert [block["type"] for block in turns("anthropic", *said)[2]["content"]] == ["text", "tool_result", "text"]
    assert kinds(written("anthropic", *said)) == []


def test_results_in_a_row_share_a_user_message_at_anthropic():
    said = (user("Hi"), assistant(call("a"), call("b")), tool("b"), tool("a"), user("Go on"))
    made = turns("anthropic", *said)
    assert [m["role"] for m in made] == ["user", "assistant", "user", "user"]
    assert [block["tool_use_id"] for block in made[2]["content"]] == ["b", "a"]


def test_two_user_messages_of_results_stay_two():
    said = (user("Hi"), assistant(call("a"), call("b")), results("a"), results("b"))
    assert len(turns("anthropic", *said)) == 4


def test_a_tool_of_the_provider_becomes_an_ordinary_pair():
    said = assistant("Let me see.", call("s1", server=True), result("s1", "found", server=True), "So it is.")
    made = written("openai", user("Hi"), said)
    assert [m["role"] for m in made.body["messages"]] == ["user", "assistant", "tool", "assistant"]
    assert kinds(made) == ["server tool"]


def test_an_open_call_beside_a_tool_of_the_provider_stays_next_to_its_result():
    said = assistant(call("c1"), call("s1", server=True), result("s1", "found", server=True), "So.")
    made = written("anthropic", user("Hi"), said, tool("c1"))
    uses = [[b["id"] for b in m["content"] if b["type"] == "tool_use"] for m in made.body["messages"][1::2]]
    assert uses == [["s1"], ["c1"]]


def test_a_later_system_message_stays_where_the_target_has_such_and_is_labelled_where_not():
    said = (user("Hi"), assistant("Yes"), system("New rules"), user("Go"))
    assert turns("openai", *said)[2] == {"role": "system", "content": "New rules"}
    assert turns("anthropic", *said)[2] == {"role": "system", "content": "New rules"}
    made = written("gemini", *said)
    assert made.body["contents"][2] == {"role": "user", "parts": [{"text": "[system] New rules"}]}
    assert kinds(made) == ["role"]


def test_a_role_that_nobody_knows_is_a_labelled_user_message():
    made = written("openai", message("critic", "Not so fast"))
    assert made.body["messages"] == [{"role": "user", "content": "[critic] Not so fast"}]
    assert kinds(made) == ["role"]


def test_several_leading_system_messages_are_blocks_of_one_prompt_at_anthropic():
    made = written("anthropic", system("One"), message("developer", "Two"), user("Hi"))
    assert made.body["system"] == [{"type": "text", "text": "One"}, {"type": "text", "text": "Two"}]
    assert kinds(made) == ["role", "boundary"]


def test_text_after_a_call_is_before_it_at_chat_completions_and_says_so():
    said = (user("Hi"), assistant("A", call(), "B"), tool("c1"))
    made = written("openai", *said)
    assert [part["text"] for part in made.body["messages"][1]["content"]] == ["A", "B"]
    assert kinds(made) == ["order"]
    assert kinds(written("openai-responses", *said)) == []


def test_legacy_functions_stay_legacy_at_openai_only():
    asked = assistant(call(None), marks=("legacy_function",))
    answered = tool(None, "ok", "look", role="function")
    made = turns("openai", user("Hi"), asked, answered)
    assert made[1]["function_call"] == {"name": "look", "arguments": "{}"}
    assert made[2] == {"role": "function", "name": "look", "content": "ok"}
    assert turns("anthropic", user("Hi"), asked, answered)[2]["content"][0]["tool_use_id"]


def test_an_unknown_block_is_its_json_as_text_but_at_home():
    block = OtherPart(
        kind="search_result", text='{"type": "search_result", "source": "a", "title": "b", "content": []}'
    )
    at_home = written("anthropic", user("Hi", block), origin="anthropic")
    assert at_home.body["messages"][0]["content"][1]["type"] == "search_result"
    assert kinds(at_home) == []
    abroad = written("openai", user("Hi", block), origin="anthropic")
    assert kinds(abroad) == ["search_result"]
    assert "source" in abroad.body["messages"][0]["content"][1]["text"]


def test_null_where_text_is_required_is_empty_and_said():
    null = RecordedMessage(role="user", shape="null")
    for target in WIRES:
        assert kinds(written(target, null)) == ["null"]


def test_what_a_request_has_no_place_for_is_listed():
    dated = user("Hi", timestamp="2026-01-01T00:00:00Z", id="m1", name="ada", marks=("compact_summary",))
    assert kinds(written("openai", dated)) == ["timestamp", "message id", "mark"]
    assert kinds(written("anthropic", dated)) == ["timestamp", "message id", "name", "mark"]


def test_a_model_of_another_maker_is_pointed_out_and_a_missing_one_is_made_up():
    assert [loss.what for loss in written("openai", user("Hi"), model="claude-x").losses] == ["model"]
    assert [loss.what for loss in written("openai", user("Hi"), model="gpt-4o").losses] == []
    made = written("openai", user("Hi"), model=None)
    assert made.body["model"] == "unknown"
    assert [loss.what for loss in made.losses] == ["model"]


def test_thinking_that_was_switched_on_stays_on_at_anthropic():
    made = written("anthropic", user("Hi"), thinking=True, origin="anthropic")
    assert made.body["thinking"]["type"] == "enabled"
    assert made.body["thinking"]["budget_tokens"] < made.body["max_tokens"]
    assert kinds(made) == ["thinking"]
    assert kinds(written("openai", user("Hi"), thinking=True)) == ["thinking"]


def test_tools_keep_name_description_and_parameters():
    schema = {"type": "object", "properties": {"q": {"type": "string"}}}
    tools = (ToolSchema(name="look", description="Looks", parameters=schema), ToolSchema(name="bare"))
    for target in WIRES:
        text = json.dumps(written(target, user("Hi"), tools=tools).body)
        assert json.dumps(schema) in text
        assert '"Looks"' in text
        assert '"bare"' in text


def test_a_number_that_json_cannot_hold_is_text():
    made = written("anthropic", user("Hi"), assistant(call(arguments={"x": float("inf")})), tool("c1"))
    assert json.loads(json.dumps(made.body, allow_nan=False))["messages"][1]["content"][0]["input"] == {"x": "inf"}
    assert kinds(made) == ["number"]


def test_numbers_too_long_to_read_stay_text():
    digits = '{"n": ' + "9" * 5000 + "}"
    made = written("anthropic", user("Hi"), assistant(call(arguments=digits)), tool("c1"))
    assert made.body["messages"][1]["content"][0]["input"] == {"arguments": digits}
    assert kinds(made) == ["arguments"]


def test_items_that_go_on_after_a_call_join_it_where_there_are_no_items():
    said = (user("Hi"), assistant("A", call("a")), assistant("B", call("b")), tool("a"), tool("b"))
    joined = merged_runs(said)
    assert [m.role for m in joined] == ["user", "assistant", "tool", "tool"]
    assert [c.id for c in joined[1].calls] == ["a", "b"]
    assert merged_runs((user("Hi"), assistant("A"), assistant("B"))) == (user("Hi"), assistant("A"), assistant("B"))


def test_two_assistant_messages_that_items_cannot_part_are_said():
    said = (user("Hi"), assistant("A"), assistant(call()), tool("c1"))
    assert kinds(written("openai-responses", *said)) == ["boundary"]
    assert kinds(written("openai", *said)) == []


def test_several_texts_of_one_assistant_message_stay_apart_in_one_item():
    item = turns("openai-responses", user("Hi"), assistant(TextBlock(text="A"), TextBlock(text="B")))[1]
    assert [block["text"] for block in item["content"]] == ["A", "B"]


@pytest.mark.parametrize("target", ["openai", "openai-responses", "anthropic"])
def test_a_message_of_which_nothing_can_be_held_is_left_out_and_named(target):
    said = (user("Hi"), assistant(thinking("hm", None)), assistant("Yes"))
    made = written(target, *said, origin="gemini")
    assert len(turns(target, *said, origin="gemini")) == 2
    assert kinds(made) == ["thinking", "message"]


def test_calls_directly_behind_words_of_the_model_join_them_at_gemini():
    said = (user("Hi"), assistant("A"), assistant(call()), tool("c1"))
    made = written("gemini", *said)
    assert [content["role"] for content in made.body["contents"]] == ["user", "model", "user"]
    assert kinds(made) == ["boundary"]
