"""A request converts as it was sent or as it is built, a session with every message, a repair says what it does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ctxinspect.dialects import WRITERS
from ctxinspect.errors import CtxInspectError, InputError, UsageError
from ctxinspect.lint import judge
from ctxinspect.lint.repair import PAIRING_RULES
from ctxinspect.model.session import Component, Session, Turn
from ctxinspect.pipeline.convert import convert_native, convert_request, convert_session, request_steps
from ctxinspect.pipeline.plan import Step
from ctxinspect.pipeline.replay import Replay
from ctxinspect.readers.load import load, load_bytes
from ctxinspect.view.jsonable import dump
from tests.support.build import call, result, round_, session, settings, turn
from tests.support.sdk import check_body
from tests.support.shared import corpus_files, shared_folder

SAMPLES = Path(__file__).resolve().parents[2] / "sample_sessions"
WIRES = tuple(WRITERS)


def replay_of(*turns, **more):
    return Replay(session(*turns, **more))


def recorded(*messages, **body):
    """A chat recording, opened."""
    return Replay(load_bytes(json.dumps({"model": "gpt-4o", "messages": list(messages), **body}).encode()))


def again(made):
    return load_bytes(dump(made.body).encode())


USER = {"role": "user", "content": "Look twice"}
ASKED = {
    "role": "assistant",
    "content": None,
    "tool_calls": [
        {"id": "a", "type": "function", "function": {"name": "look", "arguments": "{}"}},
        {"id": "b", "type": "function", "function": {"name": "look", "arguments": "{}"}},
    ],
}
ONE = {"role": "tool", "tool_call_id": "a", "content": "one"}
GHOST = {"role": "tool", "tool_call_id": "ghost", "content": "?"}


def test_a_replayed_request_is_what_the_pipeline_sends():
    replay = replay_of(turn("first", "yes"), turn("second", "no"), context=settings(history="full"))
    made = convert_request(replay, Step(1, 0), "openai")
    assert [m["content"] for m in made.body["messages"]] == ["first", "yes", "second"]
    assert made.step == Step(1, 0)


def test_a_request_with_its_answer_ends_with_what_the_model_said():
    replay = replay_of(turn("first", "yes", round_([call("a")], [result("a")], "let me see")))
    asked = convert_request(replay, Step(0, 0), "openai", answer=True)
    assert asked.body["messages"][-1]["content"] == "let me see"
    assert asked.body["messages"][-1]["tool_calls"][0]["id"] == "a"
    final = convert_request(replay, Step(0, 1), "openai", answer=True)
    assert final.body["messages"][-1] == {"role": "assistant", "content": "yes"}


def test_a_recorded_request_is_what_stood_in_the_file_and_broken_where_it_was():
    replay = recorded(USER, ASKED, ONE, GHOST, {"role": "user", "content": "And?"})
    made = convert_request(replay, replay.steps[-1], "openai", view="recorded")
    assert [m["role"] for m in made.body["messages"]] == ["user", "assistant", "tool", "tool", "user"]
    assert made.changes == ()


def test_a_whole_session_has_what_a_request_leaves_out():
    turns = [turn(f"question {n}", f"answer {n}") for n in range(30)]
    replay = replay_of(*turns, context=settings(window__context_tokens=100))
    whole = convert_session(replay, "openai")
    assert len(whole.body["messages"]) == 60
    assert len(convert_request(replay, Step(29, 0), "openai").body["messages"]) < 20


def test_orphans_and_open_calls_of_a_native_session_are_in_the_whole_conversation():
    replay = replay_of(turn("q", "a", round_([call("a"), call("b")], [result("ghost"), result("a")])))
    made = convert_session(replay, "openai")
    assert [m.get("tool_call_id") for m in made.body["messages"] if m["role"] == "tool"] == ["ghost", "a"]


def test_a_component_that_does_not_fit_is_named():
    components = (
        Component(name="rules", content="Be brief."),
        Component(name="notes", content="long " * 500, priority=5),
    )
    replay = replay_of(turn("q", "a"), components=components, context=settings(assembler__max_tokens=50))
    lost = [loss for loss in convert_session(replay, "anthropic").losses if loss.what == "component"]
    assert [loss.path for loss in lost] == ["$.components.notes"]


def test_what_a_session_knows_and_a_conversation_does_not_is_listed():
    told = turn(
        "[beep]", None, source="timer", topic="t", timestamp="2026-01-01", interrupted=True, inactive_pages=("x",)
    )
    replay = replay_of(turn("q", "a"), told, turn("r", "b", resets_history=True), title="T", chat_tools=("say",))
    lost = [loss.what for loss in convert_session(replay, "openai", model="gpt-4o").losses]
    assert lost == [
        "source", "timestamp", "topic", "interruption", "inactive pages", "reset", "title", "chat tools",
    ]  # fmt: skip


def test_a_session_without_turns_cannot_be_a_conversation():
    with pytest.raises(UsageError, match="no turns"):
        convert_session(Replay(Session()), "openai")


@pytest.mark.parametrize("target", WIRES)
def test_a_repair_answers_every_call_once_and_names_what_it_did(target):
    replay = recorded(USER, ASKED, ONE, GHOST, {"role": "user", "content": "And?"})
    made = convert_session(replay, target, view="recorded", repair=True)
    assert [(change.kind, change.call_id) for change in made.changes] == [("stub", "b"), ("drop", "ghost")]
    text = dump(made.body)
    assert "[interrupted: no result]" in text
    assert "ghost" not in text
    found = judge(again(made).recorded[0].messages, profile=target, tools=None, recording=True)
    assert not [f for f in found if f.id in PAIRING_RULES and f.severity == "error"]


def test_a_valid_recording_is_not_changed_by_a_repair():
    replay = recorded(USER, {"role": "assistant", "content": "Done"})
    assert convert_session(replay, "openai", view="recorded", repair=True).changes == ()


def test_a_repaired_native_session_has_page_ids_stubs_and_no_orphans():
    broken = round_([call("a"), call(None), call("a")], [result("ghost"), result("a")])
    made = convert_native(replay_of(turn("q", "a", broken)), repair=True)
    (kept,) = again(made).turns[0].rounds
    assert [c.id for c in kept.tool_calls] == [r.call_id for r in kept.tool_results]
    assert [change.kind for change in made.changes] == ["rename", "stub", "rename", "stub", "drop"]
    assert "[interrupted: no result]" in [r.content for r in kept.tool_results]


def test_a_native_session_of_a_recording_keeps_the_recording():
    replay = recorded(USER, ASKED, ONE, {"role": "tool", "tool_call_id": "b", "content": "two"}, tools=[])
    made = convert_native(replay)
    back = again(made)
    assert back.recorded == replay.session.recorded
    assert back.turns == replay.session.turns
    assert Replay(back).default_view == "recorded"


def test_a_repaired_recording_is_repaired_in_its_native_form_too():
    made = convert_native(recorded(USER, ASKED, ONE, GHOST), repair=True)
    back = again(made)
    assert sum(len(message.results) for message in back.recorded[0].messages) == 2
    assert {change.path.split("[")[0] for change in made.changes} == {"$.turns", "$.recorded"}


def test_a_cut_session_ends_with_the_request():
    replay = replay_of(turn("q", "a"), turn("r", "b", round_([call("a")], [result("a")])), turn("s", "c"))
    made = again(convert_native(replay, Step(1, 1)))
    assert [t.user for t in made.turns] == ["q", "r"]
    assert len(made.turns[1].rounds) == 1
    assert made.turns[1].assistant is None


def test_a_cut_transcript_keeps_the_messages_that_the_request_saw():
    lines = [USER, {"role": "assistant", "content": "Fine"}, {"role": "user", "content": "More"}]
    replay = Replay(load_bytes(json.dumps(lines).encode()))
    made = again(convert_native(replay, Step(0, 0)))
    assert [message.text for message in made.recorded[0].messages] == ["Look twice"]


def test_requests_of_a_capture_are_those_that_the_file_has():
    body = {"model": "gpt-4o", "messages": [USER, {"role": "assistant", "content": "Fine"}, USER]}
    replay = Replay(load_bytes(json.dumps(body).encode()))
    assert request_steps(replay, "recorded") == (Step(1, 0),)
    assert request_steps(replay, "replay") == (Step(0, 0), Step(1, 0))


def test_a_capture_ends_with_its_answer_once():
    body = {"model": "gpt-4o", "messages": [USER]}
    answer = {"object": "chat.completion", "choices": [{"message": {"role": "assistant", "content": "Twice"}}]}
    for record in ({"request": body, "response": answer}, answer):
        replay = Replay(load_bytes(json.dumps(record).encode()))
        made = convert_session(replay, "openai", view="recorded")
        assert [m["content"] for m in made.body["messages"] if m["role"] == "assistant"] == ["Twice"]


def test_words_put_into_the_models_mouth_stand_before_its_own():
    begun = [USER, {"role": "assistant", "content": "It is"}]
    answer = {"object": "chat.completion", "choices": [{"message": {"role": "assistant", "content": "here"}}]}
    record = {"request": {"model": "gpt-4o", "messages": begun}, "response": answer}
    replay = Replay(load_bytes(json.dumps(record).encode()))
    made = convert_session(replay, "openai", view="recorded")
    assert [m["content"] for m in made.body["messages"]] == ["Look twice", "It is", "here"]


def test_a_value_that_json_cannot_hold_is_named_with_its_path():
    broken = Session(turns=(Turn(user="q", rounds=(round_([call("a", arguments={"x": float("nan")})], []),)),))
    with pytest.raises(InputError, match=r"turns\[0\].rounds\[0\].tool_calls\[0\].arguments.x"):
        convert_native(Replay(broken))


def each_way(replay: Replay) -> None:
    """Convert everything to everything; every body is what the target's types say, and opens again."""
    view = replay.default_view
    for target in WIRES:
        for repair in (False, True):
            made = convert_session(replay, target, view=view, repair=repair)
            if '"type": "compaction"' not in dump(made.body):  # a beta block that the ordinary types do not know
                check_body(target, made.body)
            assert again(made).turns
            last = convert_request(replay, request_steps(replay, view)[-1], target, view=view, repair=repair)
            if '"type": "compaction"' not in dump(last.body):
                check_body(target, last.body)
    back = again(convert_native(replay))
    assert (back.turns, back.recorded) == (replay.session.turns, replay.session.recorded)
    assert again(convert_native(replay, repair=True)).turns


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.json")), ids=lambda path: path.name)
def test_every_sample_converts_to_everything(path):
    each_way(Replay(load(path)))


@pytest.mark.corpus
def test_every_case_converts_to_everything():
    for path in sorted(shared_folder("cases").glob("*.json*")):
        try:
            replay = Replay(load(path))
        except CtxInspectError:
            continue
        if replay.session.turns:
            each_way(replay)


@pytest.mark.corpus
@pytest.mark.parametrize(
    "name", ["openai_chat", "openai_responses", "anthropic_messages", "gemini_api", "claude_code", "codex_cli"]
)
def test_real_recordings_convert_to_everything(name):
    opened = 0
    for path in corpus_files(name):
        if path.stat().st_size > 300_000:
            continue
        try:
            replay = Replay(load(path))
        except CtxInspectError:
            continue
        if replay.session.turns:
            each_way(replay)
            opened += 1
    assert opened
