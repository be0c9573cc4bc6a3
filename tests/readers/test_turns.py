"""Turns from a flat list: every call, result and word lands in exactly one turn."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ctxinspect.model.session import RecordedMessage, Usage
from ctxinspect.readers.turns import Story, turns_from_messages
from ctxinspect.readers.wire.openai_chat import chat_message
from ctxinspect.readers.wire.parts import Where


def _messages(*items: dict[str, Any]) -> list[RecordedMessage]:
    return [chat_message(item, index, Where().at(index)) for index, item in enumerate(items)]


def _story(*items: dict[str, Any]) -> Story:
    return turns_from_messages(_messages(*items))


def _user(text: str = "u") -> dict[str, Any]:
    return {"role": "user", "content": text}


def _says(text: str = "a") -> dict[str, Any]:
    return {"role": "assistant", "content": text}


def _calls(*ids: str | None, name: str = "f") -> dict[str, Any]:
    calls = [{"id": known, "function": {"name": name, "arguments": "{}"}} for known in ids]
    return {"role": "assistant", "content": None, "tool_calls": calls}


def _result(call_id: str | None, text: str = "r", name: str | None = None) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call_id, "content": text, **({"name": name} if name else {})}


def test_leading_system_messages_are_components_and_a_later_one_is_a_turn():
    story = _story(
        {"role": "system", "content": "one"},
        {"role": "developer", "content": "two"},
        _user(),
        {"role": "system", "content": "three"},
    )
    assert [(c.name, c.content, c.priority, c.truncatable) for c in story.components] == [
        ("system", "one", 100, False),
        ("system_2", "two", 100, False),
    ]
    assert [(turn.user, turn.source) for turn in story.turns] == [("u", "user"), ("three", "system")]


def test_every_user_message_starts_a_turn_also_right_after_another():
    assert [turn.user for turn in _story(_user("a"), _user("b")).turns] == ["a", "b"]


def test_an_assistant_or_tool_message_first_starts_a_turn_with_empty_user():
    story = _story(_result("x"), _says("hi"), _user())
    assert [(turn.user, turn.assistant) for turn in story.turns] == [("", "hi"), ("u", None)]
    assert [result.call_id for result in story.turns[0].rounds[0].tool_results] == ["x"]


def test_a_message_with_calls_is_a_round_and_the_last_without_is_the_answer():
    turn = _story(_user(), _says("thinking"), _calls("a"), _result("a"), _says("done")).turns[0]
    assert [(made.assistant, len(made.tool_calls)) for made in turn.rounds] == [("thinking", 0), ("", 1)]
    assert turn.assistant == "done"


def test_a_result_goes_to_the_nearest_earlier_open_call_with_its_id():
    story = _story(_user(), _calls("x"), _result("x", "1"), _says(), _user(), _calls("x"), _result("x", "2"))
    assert [turn.rounds[0].tool_results[0].content for turn in story.turns] == ["1", "2"]


def test_a_late_result_goes_to_the_turn_of_its_call():
    story = _story(_user("a"), _calls("x"), _user("b"), _result("x"), _says())
    assert [len(made.tool_results) for made in story.turns[0].rounds] == [1]
    assert (story.turns[1].rounds, story.turns[1].assistant) == ((), "a")


def test_a_result_without_id_is_paired_by_name_in_the_newest_round():
    calls = {"role": "assistant", "content": None}
    calls["tool_calls"] = [{"id": "1", "function": {"name": "f"}}, {"id": "2", "function": {"name": "g"}}]
    turn = _story(_user(), calls, _result(None, "g's", "g"), _result(None, "f's", "f"), _result("1", "again")).turns[0]
    assert [result.content for result in turn.rounds[0].tool_results] == ["g's", "f's", "again"]


def test_a_second_result_stays_with_the_newest_round_and_the_answer_stays_the_answer():
    story = _story(_user(), _calls("x"), _result("x"), _says("done"), _result("x"), _user("next"))
    assert [len(made.tool_results) for made in story.turns[0].rounds] == [2]
    assert story.turns[0].assistant == "done"


def test_results_inside_a_user_message_come_first_and_the_rest_is_the_users():
    blocks = [{"type": "tool_result", "tool_use_id": "x", "content": "r"}, {"type": "text", "text": "and now"}]
    call = {"role": "assistant", "content": [{"type": "tool_use", "id": "x", "name": "f", "input": {}}]}
    story = _story(_user("a"), call, {"role": "user", "content": blocks})
    assert [turn.user for turn in story.turns] == ["a", "and now"]
    assert story.turns[0].rounds[0].tool_results[0].content == "r"


def test_a_user_message_of_results_only_is_no_turn():
    call = {"role": "assistant", "content": [{"type": "tool_use", "id": "x", "name": "f", "input": {}}]}
    answer = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "x", "content": "r"}]}
    assert len(_story(_user("a"), call, answer).turns) == 1


def test_tools_the_provider_ran_part_the_message_into_a_round_and_an_answer():
    blocks = [
        {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {"q": "x"}},
        {"type": "web_search_tool_result", "tool_use_id": "s", "content": []},
        {"type": "text", "text": "found"},
    ]
    turn = _story(_user(), {"role": "assistant", "content": blocks}).turns[0]
    assert [(call.name, len(turn.rounds[0].tool_results)) for call in turn.rounds[0].tool_calls] == [("web_search", 1)]
    assert turn.assistant == "found"


def test_a_summary_resets_history_and_is_not_a_persons_turn():
    messages = _messages(_user("a"), _says(), _user("Summary"), _user("kept"), _user("b"))
    messages[2] = messages[2].model_copy(update={"marks": ("compact_summary",)})
    messages[3] = messages[3].model_copy(update={"marks": ("compact_kept",)})
    turns = turns_from_messages(messages).turns
    assert [(turn.user, turn.source, turn.resets_history) for turn in turns] == [
        ("a", "user", False),
        ("Summary\nkept", "compaction", True),
        ("b", "user", False),
    ]


def test_a_clients_note_interrupts_the_turn_before_it():
    messages = _messages(_user("a"), _calls("x"), _user("[stopped]"), _user("b"))
    messages[2] = messages[2].model_copy(update={"marks": ("client_note",)})
    turns = turns_from_messages(messages).turns
    assert [(turn.source, turn.interrupted) for turn in turns] == [("user", True), ("client", False), ("user", False)]


def test_usage_goes_to_the_round_or_the_answer_that_its_message_became():
    messages = _messages(_user(), _calls("x"), _result("x"), _says())
    turn = turns_from_messages(messages, {1: Usage(input=1), 3: Usage(input=3)}).turns[0]
    assert (turn.rounds[0].usage, turn.usage) == (Usage(input=1), Usage(input=3))


def test_a_message_belongs_to_the_first_request_that_saw_it_or_the_one_that_made_it():
    story = _story({"role": "system", "content": "s"}, _user(), _calls("x"), _result("x"), _says(), _user())
    assert story.steps == ((0, 0), (0, 0), (0, 0), (0, 1), (0, 1), (1, 0))
    assert story.after[2] == (0, 0)
    assert story.after[6] == (1, 0)


_item = st.one_of(
    st.builds(_user, st.sampled_from(["", "hello"])),
    st.builds(_says, st.sampled_from(["", "ok"])),
    st.lists(st.sampled_from(["a", "b", "", None]), min_size=1, max_size=3).map(lambda ids: _calls(*ids)),
    st.builds(_result, st.sampled_from(["a", "b", "c", "", None])),
    st.just({"role": "system", "content": "s"}),
)


@given(st.lists(_item, max_size=14))
def test_no_call_and_no_result_is_lost_or_doubled(items: list[dict[str, Any]]):
    messages = _messages(*items)
    story = turns_from_messages(messages)
    rounds = [made for turn in story.turns for made in turn.rounds]
    assert sum(len(made.tool_calls) for made in rounds) == sum(len(message.calls) for message in messages)
    assert sum(len(made.tool_results) for made in rounds) == sum(len(message.results) for message in messages)
    assert len(story.steps) == len(messages)
    assert list(story.after) == sorted(story.after)
