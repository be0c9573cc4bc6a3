"""Why a text is in a request or not: the deciding stage and rule, true sightings, and flips that hold when replayed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxinspect.errors import InputError, UsageError
from ctxinspect.model.session import Session, arguments_text
from ctxinspect.pipeline.occurrences import Needle, occurrences
from ctxinspect.pipeline.plan import Step
from ctxinspect.pipeline.replay import Replay
from ctxinspect.pipeline.why import Placed, Why, why
from ctxinspect.readers import load
from ctxinspect.settings import parse_override
from tests.support.shared import case_file, corpus_files

SAMPLES = Path(__file__).resolve().parents[2] / "sample_sessions"
LONG = "router " * 40


def replay_of(*turns: dict[str, Any], components: Any = (), **context: Any) -> Replay:
    data = {"format": "ctxinspect/1", "context": context, "components": list(components), "turns": list(turns)}
    return Replay(Session.model_validate_json(json.dumps(data)))


def asked(replay: Replay, turn: int, text: str, request: int | None = None, **more: Any) -> Why:
    return why(replay, replay.step(turn, request), text, **more)


def only(answer: Why) -> Placed:
    assert len(answer.places) == 1, answer.places
    return answer.places[0]


def flags(placed: Placed) -> list[str]:
    return [change.flag for flip in placed.flips or () for change in flip.changes]


def assert_flips_hold(replay: Replay, answer: Why) -> None:
    """Set every flip by its own flag, ask again, and see the same place whole where the flip said."""
    for placed in answer.places:
        for flip in placed.flips or ():
            if flip.edit is not None:
                continue
            fork = replay.fork(dict(parse_override(change.flag) for change in flip.changes))
            again = why(fork, answer.step, answer.text, view="replay", flips=0)
            same = next(p for p in again.places if p.occurrence == placed.occurrence)
            assert same.fate.presence == "in", flip
            assert same.fate.message == flip.message
            trace = fork.trace(*answer.step, ledger=False)
            assert trace.window.request_tokens == flip.request_tokens


def tool(content: str, call: str = "c1", arguments: Any = "{}") -> dict[str, Any]:
    return {
        "assistant": "",
        "tool_calls": [{"id": call, "name": "look", "arguments": arguments}],
        "tool_results": [{"call_id": call, "content": content}],
    }


# --- what was never a candidate ---


def test_what_comes_later_is_out_and_no_setting_is_searched():
    replay = replay_of({"user": "a"}, {"user": "b", "rounds": [tool("late words")], "assistant": "late words"})
    for turn, request in ((0, 0), (1, 0)):
        answer = asked(replay, turn, "late words", request)
        assert {p.fate.rule for p in answer.places} == {"later"}
        assert all(p.flips is None for p in answer.places)
    states = [p.fate.presence for p in asked(replay, 1, "late words", 1).places]
    assert states == ["in", "out"], "the result is in, the turn's own answer comes later"


def test_another_turns_component_and_a_replaced_one_say_so():
    docs = {"name": "docs", "content": "blue facts"}
    replay = replay_of(
        {"user": "a", "components": [{**docs, "content": "green facts"}]},
        {"user": "b"},
        components=[docs],
    )
    assert only(asked(replay, 1, "green facts")).fate.rule == "other_turn"
    assert only(asked(replay, 0, "blue facts")).fate.rule == "replaced"
    assert only(asked(replay, 1, "blue facts")).fate.presence == "in"


def test_thinking_is_listed_and_never_sent():
    part = [{"type": "thinking", "text": "secret plan"}, {"type": "text", "text": "ok"}]
    replay = replay_of({"user": "a", "assistant": part}, {"user": "b"}, history="full")
    placed = only(asked(replay, 1, "secret plan"))
    assert (placed.fate.presence, placed.fate.rule) == ("out", "thinking")


def test_before_a_reset_the_setting_that_ignores_resets_keeps_it():
    replay = replay_of({"user": "old words"}, {"user": "sum", "resets_history": True}, {"user": "x"}, history="full")
    placed = only(asked(replay, 2, "old words"))
    assert placed.fate.rule == "history_reset"
    assert flags(placed) == ["history_resets=ignore"]


# --- the gatekeeper ---


def test_a_sentence_of_an_early_turn_is_told_stage_by_stage_at_a_late_turn_of_its_topic_and_of_another():
    replay = Replay(load(SAMPLES / "topics100.json"))
    text = "Never take it with SETNX"
    same, other = only(asked(replay, 97, text)), only(asked(replay, 98, text))
    assert [v.stage for v in same.fate.verdicts] == ["gate", "recall", "prune", "cover"]
    assert [v.passed for v in same.fate.verdicts] == [True, True, False, False]
    assert same.fate.rule == "covered"
    assert other.fate.rule == "no_shared_anchor"
    assert "history=full" in flags(same)
    assert "history=full" in flags(other)


@pytest.mark.parametrize("turn", [4, 20, 23, 58, 64, 97, 98])
@pytest.mark.parametrize("text", ["fencing token", "Never take it with SETNX", "expire", "光圈"])
def test_every_flip_on_the_topics_sample_holds_when_it_is_set(turn: int, text: str):
    replay = Replay(load(SAMPLES / "topics100.json"))
    answer = asked(replay, turn, text, flips=3)
    assert_flips_hold(replay, answer)
    if turn >= 23 and text == "expire":
        assert any(placed.flips for placed in answer.places)


def test_the_content_filter_names_the_words_and_is_switched_off():
    turns = [{"user": "Explain the bread oven", "assistant": "The oven and 面团发酵 are warm."}]
    turns += [{"user": f"router status lights {at}", "assistant": "router fine"} for at in range(6)]
    turns += [{"user": "kubernetes deployment 面团 rollout"}]
    replay = replay_of(*turns)
    placed = only(asked(replay, 7, "oven and"))
    assert placed.fate.rule == "content_filter"
    assert placed.fate.decided is not None
    assert "deployment" in placed.fate.decided.text
    assert "gatekeeper.content_filter=false" in flags(placed)


def test_the_recall_limit_is_raised_to_the_rank():
    turns = [{"user": f"router port {at}", "assistant": f"router answer {at}"} for at in range(4)]
    replay = replay_of(
        *turns,
        {"user": "router port status"},
        gatekeeper={"recall_limit": 1, "recent_turns": 0, "coverage_target": 1.0},
    )
    placed = only(asked(replay, 4, "router answer 0"))
    assert (placed.fate.stage, placed.fate.decided.rule) == ("recall", "rank")
    assert (placed.fate.decided.value, placed.fate.decided.threshold) == (4, 1)


def test_a_pruned_sentence_comes_back_with_more_sentences():
    answer = "First. The router port is up. The router port is down. A router port blinks."
    turns = [{"user": "router port", "assistant": answer}]
    replay = replay_of(*turns, {"user": "router port lights"}, gatekeeper={"max_sentences": 2, "recent_turns": 0})
    placed = only(asked(replay, 1, "blinks"))
    assert (placed.fate.stage, placed.fate.rule) == ("prune", "sentence_rank")
    assert "gatekeeper.max_sentences=3" in flags(placed)
    assert only(asked(replay, 1, "router port is up")).fate.presence == "in"
    across = only(asked(replay, 1, "is down. A router"))
    assert across.fate.presence == "partly", "one of the two sentences is kept"


def test_the_pages_of_a_recalled_turn_stay_out_until_it_is_recent_or_history_is_full():
    turn = {"user": "router port", "rounds": [tool("page words")], "assistant": "router port up"}
    replay = replay_of(turn, {"user": "router port lights"}, gatekeeper={"recent_turns": 0})
    placed = only(asked(replay, 1, "page words"))
    assert placed.fate.rule == "cover_text_only"
    assert {"gatekeeper.recent_turns=1", "history=full"} <= set(flags(placed))


# --- pages, handles, the window ---


def test_a_handle_shows_its_preview_and_hides_the_rest():
    result = "start of it " + LONG + " end of it"
    replay = replay_of(
        {"user": "a", "rounds": [tool(result)]},
        sequence={"handle_over_tokens": 20, "handle_preview_chars": 15},
    )
    assert only(asked(replay, 0, "start of it")).fate.presence == "in"
    end = only(asked(replay, 0, "end of it"))
    assert (end.fate.stage, end.fate.rule) == ("render", "handle_over_tokens")
    tokens = replay.counter(result)
    assert f"sequence.handle_over_tokens={tokens}" in flags(end)
    assert f"sequence.handle_preview_chars={len(result)}" in flags(end)
    partly = only(asked(replay, 0, "of it router"))
    assert partly.fate.presence == "partly"


def test_a_page_switched_off_is_kept_by_no_setting():
    replay = replay_of(
        {"user": "a", "rounds": [tool("page words")], "assistant": "b"},
        {"user": "c", "inactive_pages": ["c1"]},
        history="full",
    )
    placed = only(asked(replay, 1, "page words"))
    assert placed.fate.rule == "inactive"
    assert placed.flips == ()


def test_a_call_without_result_is_kept_by_a_stub():
    rounds = [{"assistant": "t", "tool_calls": [{"id": "c", "name": "look", "arguments": {"at": "lonely"}}]}]
    replay = replay_of({"user": "a", "rounds": rounds, "assistant": "b"}, {"user": "c"}, history="full")
    placed = only(asked(replay, 1, "lonely"))
    assert placed.fate.rule == "orphan"
    assert flags(placed) == ["sequence.orphan_calls=stub"]


def test_a_trimmed_turn_comes_back_with_the_smallest_window_that_holds_it():
    turns = [{"user": f"word {at} " + LONG, "assistant": "yes"} for at in range(4)]
    replay = replay_of(*turns, {"user": "now"}, history="full", window={"context_tokens": 180})
    placed = only(asked(replay, 4, "word 1"))
    assert (placed.fate.stage, placed.fate.rule) == ("window", "trimmed")
    flip = next(f for f in placed.flips or () if f.changes[0].path == "window.context_tokens")
    size = flip.changes[0].after
    smaller = replay.fork({"window.context_tokens": size - 1})
    assert only(asked(smaller, 4, "word 1")).fate.presence == "out", "one token less does not hold it"
    assert any(f.over > 0 for f in placed.flips or () if "trim" in f.changes[0].flag)


def test_an_older_round_of_the_current_turn_is_trimmed_and_found():
    rounds = [tool(f"page {at} " + LONG, f"c{at}") for at in range(4)]
    replay = replay_of({"user": "a", "rounds": rounds}, window={"context_tokens": 250})
    placed = only(asked(replay, 0, "page 0"))
    assert placed.fate.rule == "trimmed"
    assert placed.flips
    assert_flips_hold(replay, asked(replay, 0, "page 0"))


# --- components and variables ---


PARTS = [
    {"name": "pinned", "content": "Always here.", "priority": 100, "truncatable": False},
    {"name": "docs", "content": "first words " + LONG + "last words", "priority": 60},
    {"name": "more", "content": "extra words " + LONG, "priority": 40},
]


def test_a_component_is_cut_at_a_character_and_the_text_is_before_or_behind_it():
    replay = replay_of({"user": "a"}, components=PARTS, assembler={"max_tokens": 40, "min_useful_tokens": 5})
    assert only(asked(replay, 0, "first words")).fate.presence == "in"
    behind = only(asked(replay, 0, "last words"))
    assert behind.fate.rule == "cut_to_budget"
    assert behind.fate.decided is not None
    cut = replay.assembly(0).trace.components[1].rendered_chars
    assert f"cut at character {cut} of" in behind.fate.decided.text
    assert "behind the cut" in behind.fate.decided.text
    straddling = (PARTS[1]["content"] + "")[cut - 3 : cut + 3]
    needle = (PARTS[1]["content"] + "")[cut - 20 : cut + 20]
    assert straddling in needle
    assert [p for p in asked(replay, 0, needle).places if p.fate.presence == "partly"]


def test_the_least_budget_that_keeps_a_component_is_found():
    replay = replay_of({"user": "a"}, components=PARTS, assembler={"max_tokens": 40, "min_useful_tokens": 5})
    placed = only(asked(replay, 0, "last words"))
    flip = next(f for f in placed.flips or () if f.changes and f.changes[0].path == "assembler.max_tokens")
    assert (
        only(asked(replay.fork({"assembler.max_tokens": flip.changes[0].after - 1}), 0, "last words")).fate.presence
        == "out"
    )


def test_a_priority_that_would_keep_it_is_said_as_an_edit_of_the_session():
    parts = [
        {"name": "big", "content": "big " + LONG, "priority": 60},
        {"name": "small", "content": "small words here", "priority": 40},
    ]
    replay = replay_of({"user": "a"}, components=parts, assembler={"max_tokens": 45, "min_useful_tokens": 20})
    placed = only(asked(replay, 0, "small words"))
    assert placed.fate.presence == "out"
    assert "priority of component small from 40 to 61" in [flip.edit for flip in placed.flips or ()]
    assert 'what_if.drop=["component:big"]' in flags(placed)


def test_a_variable_is_seen_where_its_component_has_it():
    components = [{"name": "who", "content": "Name: {{name}}. Bye."}]
    turns = [{"user": "a", "variables": {"name": "Ada Lovelace"}}, {"user": "b"}]
    replay = replay_of(*turns, components=components)
    assert only(asked(replay, 0, "Ada Lovelace")).fate.presence == "in"
    assert only(asked(replay, 1, "Ada Lovelace")).fate.rule == "other_turn"
    filled = asked(replay, 0, "Lovelace. Bye")
    assert [p.occurrence.place.kind for p in filled.places] == ["rendered"], "text that only the filled prompt has"
    unused = replay_of({"user": "a", "variables": {"x": "nowhere words"}}, components=components)
    assert only(asked(unused, 0, "nowhere words")).fate.rule == "not_rendered"


def test_what_a_fork_dropped_comes_back_when_it_is_not_dropped():
    replay = replay_of({"user": "a"}, components=PARTS).fork({"what_if.drop": ["component:more", "turn:0"]})
    placed = only(asked(replay, 0, "extra words"))
    assert placed.fate.rule == "what_if_drop"
    assert flags(placed) == ['what_if.drop=["turn:0"]']


def test_a_tools_schema_is_a_place_and_always_sent():
    replay = Replay(load(SAMPLES / "rag_pressure.json"))
    answer = asked(replay, 1, "serial number")
    schema = next(p for p in answer.places if p.occurrence.place.kind == "tool")
    assert (schema.fate.presence, schema.fate.message) == ("in", None)
    assert "get_fault_log" in (schema.occurrence.place.name or "")


# --- recorded views ---


@pytest.mark.parametrize("number", ["001", "012", "023"])
def test_a_recording_says_what_it_holds_beside_its_replay(number: str):
    replay = Replay(load(case_file(number)))
    if not replay.session.foreign:
        pytest.skip("this case is a native session")
    step = replay.steps[-1]
    trace = replay.trace(*step, view="recorded", ledger=False)
    words = next((row.content.split()[0] for row in trace.messages if row.content.split()), None)
    if words is None:
        pytest.skip("no text in this case")
    answer = why(replay, step, words)
    assert answer.view == "recorded"
    assert any(p.fate.presence == "in" for p in answer.places)
    for placed in answer.places:
        if placed.fate.presence == "in" and placed.occurrence.place.kind != "tool":
            assert placed.fate.message is not None
            assert stands(replay, answer, placed, "recorded")


@pytest.mark.corpus
@pytest.mark.parametrize("format_name", ["claude_code", "openai_responses", "langfuse", "codex_cli"])
def test_real_recordings_answer_with_true_sightings(format_name: str):
    for path in corpus_files(format_name)[:2]:
        try:
            replay = Replay(load(path))
        except InputError:
            continue  # a file that is no session, told apart elsewhere
        step = replay.steps[len(replay.steps) // 2]
        answer = why(replay, step, "the", flips=0)
        inside = [p for p in answer.places if p.fate.presence == "in" and p.occurrence.place.kind != "tool"]
        assert all(stands(replay, answer, placed, answer.view) for placed in inside)


def stands(replay: Replay, answer: Why, placed: Placed, view: Any) -> bool:
    """Whether the message that a place is said to be in holds the text."""
    row = replay.trace(*answer.step, view=view, ledger=False).messages[placed.fate.message or 0]
    needle = Needle(answer.text)
    texts = [row.content, *row.thinking]
    calls = [arguments_text(call.arguments) for call in row.tool_calls]
    return any(map(needle.stands_in, texts)) or any(needle.stands_in(text, as_json=True) for text in calls)


# --- laws ---

WORDS = ("router", "ge-0/0/1", "reboot now", "and then", "OSPF area 0", "backup.", "它", "接口 状态。", "{{v}}")


def texts(most: int) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(WORDS), max_size=most).map(" ".join)


@st.composite
def native_sessions(draw: st.DrawFn) -> dict[str, Any]:
    def a_turn(at: int) -> dict[str, Any]:
        made: dict[str, Any] = {
            "user": draw(texts(5)),
            "assistant": draw(texts(12)),
            "source": draw(st.sampled_from(["user", "timer"])),
            "resets_history": draw(st.integers(0, 9)) == 0,
            "rounds": [
                tool(draw(texts(20)), f"c{at}{k}", {"q": draw(texts(3))}) for k in range(draw(st.integers(0, 2)))
            ],
        }
        if draw(st.booleans()):
            made["components"] = [{"name": "part0", "content": draw(texts(20))}]
            made["inactive_pages"] = ["c00"]
        return made

    turns = [a_turn(at) for at in range(draw(st.integers(1, 6)))]
    components = [
        {"name": f"part{k}", "content": draw(texts(20)), "priority": draw(st.integers(0, 100))}
        for k in range(draw(st.integers(0, 2)))
    ]
    context = {
        "history": draw(st.sampled_from(["gatekeeper", "full"])),
        "window": {
            "context_tokens": draw(st.sampled_from([60, 200, 8000])),
            "unit": draw(st.sampled_from(["turn", "message"])),
        },
        "assembler": {"max_tokens": draw(st.sampled_from([20, 40, 4000])), "min_useful_tokens": 5},
        "sequence": {
            "handle_over_tokens": draw(st.sampled_from([None, 20])),
            "layout": draw(st.sampled_from(["rounds", "flattened"])),
        },
        "gatekeeper": {"token_budget": draw(st.sampled_from([30, 4000])), "max_sentences": draw(st.integers(0, 2))},
    }
    variables = {"v": draw(texts(3))}
    return {
        "format": "ctxinspect/1",
        "components": components,
        "variables": variables,
        "chat_tools": draw(st.sampled_from([[], ["look"]])),
        "context": context,
        "turns": turns,
    }


@given(native_sessions(), st.data())
@settings(max_examples=150, deadline=None)
def test_every_place_has_one_fate_and_what_is_in_is_in_the_messages(data: dict[str, Any], choose: st.DataObject):
    replay = Replay(Session.model_validate_json(json.dumps(data)))
    step: Step = choose.draw(st.sampled_from(replay.steps))
    text = choose.draw(st.sampled_from(["router", "reboot", "OSPF area", "then OSPF", "backup", "接口", "now and"]))
    answer = why(replay, step, text, flips=0)
    listed = [p.occurrence for p in answer.places if p.occurrence.place.kind != "rendered"]
    assert listed == list(occurrences(replay.session, Needle(text)))
    held = set()
    for placed in answer.places:
        assert placed.fate.verdicts
        assert (placed.fate.presence == "out") == (
            placed.fate.decided is not None and not placed.fate.decided.passed
        ) or (placed.fate.presence == "partly")
        if placed.fate.presence == "in":
            assert stands(replay, answer, placed, "replay")
            held.add(placed.fate.message)
    needle = Needle(text)
    for index, row in enumerate(replay.trace(*step, ledger=False).messages):
        if needle.stands_in(row.content):
            assert index in held, "a match in the messages is always listed"


@given(native_sessions(), st.data())
@settings(max_examples=60, deadline=None)
def test_every_flip_given_holds_when_it_is_set(data: dict[str, Any], choose: st.DataObject):
    replay = Replay(Session.model_validate_json(json.dumps(data)))
    step: Step = choose.draw(st.sampled_from(replay.steps[-3:]))
    text = choose.draw(st.sampled_from(["router", "reboot", "OSPF area", "backup", "接口"]))
    assert_flips_hold(replay, why(replay, step, text, flips=2))


def test_an_empty_text_and_a_step_that_is_not_there_are_refused():
    replay = replay_of({"user": "a"})
    with pytest.raises(UsageError, match="empty"):
        asked(replay, 0, " ")
    with pytest.raises(UsageError, match="no such turn"):
        why(replay, Step(5, 0), "a")


def test_a_text_that_is_nowhere_has_no_place():
    assert asked(replay_of({"user": "a"}), 0, "nowhere").places == ()
