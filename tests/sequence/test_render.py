"""History is rendered as the model's own conversation, and a call never stands without its result."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxinspect.model.content import MediaPart, TextPart
from ctxinspect.sequence import STUB_TEXT, Sequencer
from tests.support.build import call, result, round_, session, settings, turn, word_counter


def sequencer(*turns, chat_tools=(), **paths):
    return Sequencer(session(*turns, chat_tools=chat_tools), settings(**paths), word_counter())


def shape(messages):
    return [(message.role, message.text) for message in messages]


TOOLS = round_([call("c1"), call("c2")], [result("c1", "sunny"), result("c2", "mild")], "looking")


def test_a_turn_becomes_user_assistant_tool_tool_assistant():
    rendered = sequencer(turn("weather?", "sunny and mild", TOOLS), turn("next")).history(0, 1)
    assert shape(rendered.messages) == [
        ("user", "weather?"),
        ("assistant", "looking"),
        ("tool", "sunny"),
        ("tool", "mild"),
        ("assistant", "sunny and mild"),
    ]
    assert [c.id for c in rendered.messages[1].calls] == [m.call_id for m in rendered.messages[2:4]] == ["c1", "c2"]


def test_the_current_turn_at_request_r_has_its_first_r_rounds_and_no_answer():
    s = sequencer(turn("weather?", "sunny", TOOLS, round_([], [], "thinking aloud")))
    assert shape(s.current(0, 0).messages) == [("user", "weather?")]
    assert [m.role for m in s.current(0, 1).messages] == ["user", "assistant", "tool", "tool"]
    assert shape(s.current(0, 2).messages)[-1] == ("assistant", "thinking aloud")


def test_an_inactive_page_loses_both_halves_from_that_turn_on():
    s = sequencer(turn("a", "b", TOOLS), turn("x"), turn("y", inactive_pages=("c1",)), turn("z"))
    assert {m.call_id for m in s.history(0, 1).messages if m.role == "tool"} == {"c1", "c2"}
    for at in (2, 3):
        rendered = s.history(0, at)
        assert [c.id for m in rendered.messages for c in m.calls] == ["c2"]
        assert [m.call_id for m in rendered.messages if m.role == "tool"] == ["c2"]
    assert ("c1", "dropped", "inactive") in [(f.id, f.state, f.rule) for f in s.history(0, 3).pages]


def test_a_call_without_result_is_dropped_and_with_it_an_empty_assistant_message():
    s = sequencer(turn("a", "b", round_([call("c")], [])), turn("next"))
    assert shape(s.history(0, 1).messages) == [("user", "a"), ("assistant", "b")]
    assert [(f.id, f.severity) for f in s.history(0, 1).findings] == [("missing-result", "error")]


def test_a_call_without_result_can_be_stubbed():
    s = sequencer(turn("a", "b", round_([call("c")], [])), turn("next"), sequence__orphan_calls="stub")
    stub = s.history(0, 1).messages[2]
    assert (stub.text, stub.synthetic, stub.state, stub.call_id) == (STUB_TEXT, "stub", "stub", "c")


def test_a_missing_result_in_an_interrupted_turn_is_a_warning():
    s = sequencer(turn("a", None, round_([call("c")], []), interrupted=True), turn("next"))
    assert [(f.id, f.severity) for f in s.history(0, 1).findings] == [("missing-result", "warning")]


def test_the_very_last_open_call_is_in_flight():
    s = sequencer(turn("a", "b"), turn("c", None, round_([call("c")], [])))
    assert [(f.id, f.severity) for f in s.current(1, 1).findings] == [("call-in-flight", "info")]
    answered = sequencer(turn("a", "b"), turn("c", "d", round_([call("c")], [])))
    assert [f.id for f in answered.current(1, 1).findings] == ["missing-result"]


def test_a_large_result_becomes_a_handle_only_if_that_is_cheaper():
    long = " ".join(["word"] * 50)
    s = sequencer(
        turn("a", "b", round_([call("c"), call("d")], [result("c", long), result("d", "x y")])),
        turn("n"),
        sequence__handle_over_tokens=1,
        sequence__handle_preview_chars=9,
    )
    handle, small = [m for m in s.history(0, 1).messages if m.role == "tool"]
    assert handle.text == (
        '[stored tool result tr:c: 50 tokens, 249 chars. Read it with toolresult_read("tr:c").]\nword word'
    )
    assert (handle.state, small.state, small.text) == ("handle", "kept", "x y")


def test_a_result_with_a_picture_never_becomes_a_handle():
    parts = (TextPart(text=" ".join(["word"] * 50)), MediaPart(type="image", bytes=5))
    s = sequencer(turn("a", "b", round_([call("c")], [result("c", parts)])), turn("n"), sequence__handle_over_tokens=1)
    assert [m.state for m in s.history(0, 1).messages if m.role == "tool"] == ["kept"]


def test_a_notification_never_poses_as_a_person():
    s = sequencer(turn("door opened", "noted", source="notification"), turn("next"))
    assert shape(s.history(0, 1).messages)[0] == ("user", "[notification] door opened")
    assert s.history(0, 1).messages[0].synthetic == "label"
    assert s.block_texts(0)[0] == "door opened"


def test_a_chat_tool_says_what_the_person_really_said_once_the_turn_is_history():
    chat = round_([call("c", "chat_read")], [result("c", "turn it off", "chat_read")])
    s = sequencer(turn("new message", None, chat, source="agent"), turn("next"), chat_tools=("chat_read",))
    assert shape(s.current(0, 1).messages)[0] == ("user", "[agent] new message")
    first = s.history(0, 1).messages[0]
    assert (first.text, first.synthetic) == ("turn it off", "chat_tool")
    assert s.block_texts(0)[0] == "turn it off"


@pytest.mark.parametrize("content", ["", "  \n", "error text"])
def test_a_blank_or_failed_chat_result_says_nothing(content):
    chat = round_([call("c", "chat_read")], [result("c", content, "chat_read", is_error=content == "error text")])
    s = sequencer(turn("new message", None, chat, source="agent"), turn("next"), chat_tools=("chat_read",))
    assert s.history(0, 1).messages[0].text == "[agent] new message"


def test_a_system_turn_stands_as_system_in_its_place():
    s = sequencer(turn("be brief", None, source="system"), turn("next"))
    assert shape(s.history(0, 1).messages) == [("system", "be brief")]


def test_empty_text_makes_no_message_label_or_not():
    s = sequencer(turn("", "", source="timer"), turn("next"))
    assert s.history(0, 1).messages == ()


def test_the_flattened_layout_answers_before_its_evidence_and_says_so():
    s = sequencer(turn("weather?", "sunny", TOOLS), turn("next"), sequence__layout="flattened")
    rendered = s.history(0, 1)
    assert shape(rendered.messages) == [
        ("user", "weather?"),
        ("assistant", "looking\nsunny"),
        ("tool", "sunny"),
        ("tool", "mild"),
    ]
    assert [f.id for f in rendered.findings] == ["answer-before-evidence"]


ROUNDS = st.lists(
    st.builds(
        round_,
        st.lists(st.builds(call, st.sampled_from(["a", "b", None, ""]), st.sampled_from(["x", "y"])), max_size=3),
        st.lists(
            st.builds(result, st.sampled_from(["a", "b", "z", None]), st.just("r"), st.sampled_from(["x", "y", None])),
            max_size=4,
        ),
        st.sampled_from(["", "text"]),
    ),
    max_size=4,
)


@given(
    ROUNDS,
    st.sampled_from(["rounds", "flattened"]),
    st.sampled_from(["drop", "stub"]),
    st.sets(st.sampled_from(["a", "b", "a#2", "t0c0", "t0c1"])),
)
def test_whatever_was_recorded_every_call_is_answered_once_and_directly(rounds, layout, orphans, inactive):
    s = sequencer(
        turn("u", "f", *rounds),
        turn("n", inactive_pages=tuple(sorted(inactive))),
        sequence__layout=layout,
        sequence__orphan_calls=orphans,
    )
    messages = s.history(0, 1).messages
    open_calls: list[str] = []
    for message in messages:
        if message.role == "tool":
            assert message.call_id == open_calls.pop(0)
            continue
        assert not open_calls
        assert message.text or message.calls
        open_calls = [c.id for c in message.calls]
    assert not open_calls
    ids = [c.id for m in messages for c in m.calls]
    assert len(ids) == len(set(ids))
    assert s.event_tokens(0, 1) == sum(m.tokens for m in messages)
    assert len(s.history(0, 1).pages) == sum(len(r.tool_calls) for r in rounds)


def test_one_id_on_two_calls_of_a_message_is_graver_than_one_used_before():
    twice = round_([call("x"), call("x")], [result("x"), result("x")])
    again = round_([call("x")], [result("x")])
    found = sequencer(turn("a", "b", twice, again), turn("n")).history(0, 1).findings
    assert [(f.id, f.severity, f.call_id) for f in found] == [
        ("duplicate-call-id", "error", "x#2"),
        ("duplicate-call-id", "warning", "x#3"),
    ]
