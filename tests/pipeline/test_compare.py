"""What differs between two requests, and why: marks, the cause chain in pipeline order, settings by name."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxinspect.model.session import Session
from ctxinspect.pipeline.compare import compare, compare_steps, message_diff, settings_changes
from ctxinspect.pipeline.plan import Step
from ctxinspect.pipeline.replay import Replay
from ctxinspect.readers import load
from ctxinspect.settings import Settings, apply_overrides
from ctxinspect.trace.types import STAGES
from tests.pipeline.test_laws import sessions
from tests.support.build import call, result, round_, session, turn

SAMPLES = Path(__file__).resolve().parents[2] / "sample_sessions"
FORKS = (
    {"history": "full"},
    {"window.strategy": "aggressive"},
    {"window.context_tokens": 100},
    {"window.unit": "message"},
    {"assembler.max_tokens": 60},
    {"sequence.layout": "flattened"},
    {"sequence.handle_over_tokens": 30},
    {"gatekeeper.overlap_switch": 0.6},
    {"gatekeeper.token_budget": 40},
    {"gatekeeper.recent_turns": 0},
    {"gatekeeper.max_sentences": 0},
    {"gatekeeper.recall_limit": 1},
    {"counter": "chars/4"},
)
overrides = st.lists(st.sampled_from(FORKS), min_size=1, max_size=3).map(
    lambda chosen: {path: value for fork in chosen for path, value in fork.items()}
)


@pytest.fixture(scope="module")
def topics() -> Replay:
    return Replay(load(SAMPLES / "topics100.json"))


def both(replay: Replay, turn_id: int, **paths):
    """A request of a replay against the same one under other settings (`__` for the dot)."""
    fork = replay.fork({path.replace("__", "."): value for path, value in paths.items()})
    return compare_steps(replay, replay.step(turn_id), fork, fork.step(turn_id))


def links(comparison) -> dict[str, str]:
    return {link.stage: link.text for link in comparison.causes}


@given(sessions())
@settings(max_examples=10, deadline=None)
def test_a_request_differs_from_itself_in_nothing(data):
    replay = Replay(Session.model_validate(data))
    other = Replay(Session.model_validate(data))
    for step in replay.steps:
        comparison = compare_steps(replay, step, other, step)
        assert comparison.identical
        assert not comparison.causes
        assert comparison.stage is None
        assert all(change.mark == "=" for change in (*comparison.messages, *comparison.components))


@given(sessions(), overrides)
@settings(max_examples=15, deadline=None)
def test_every_message_of_both_requests_stands_in_the_comparison_once(data, paths):
    replay = Replay(Session.model_validate(data))
    fork = replay.fork(paths)
    for step in replay.steps:
        before, after = replay.trace(*step, ledger=False), fork.trace(*step, ledger=False)
        changes = compare(before, after).messages
        assert [c.before_index for c in changes if c.before] == list(range(len(before.messages)))
        assert [c.after_index for c in changes if c.after] == list(range(len(after.messages)))
        assert all(c.before.content == c.after.content for c in changes if c.mark == "=")
        priming = sum((-3, 3)[side is after] for side in (before, after) if side.window.unit == "turn")
        tokens = after.window.request_tokens - before.window.request_tokens
        assert sum(c.delta for c in changes) == tokens - priming


@given(sessions(), overrides)
@settings(max_examples=15, deadline=None)
def test_the_other_way_round_is_the_mirror_image(data, paths):
    replay = Replay(Session.model_validate(data))
    fork = replay.fork(paths)
    mirror = {"+": "-", "-": "+", "=": "=", "~": "~"}
    for step in replay.steps:
        there, back = compare_steps(replay, step, fork, step), compare_steps(fork, step, replay, step)
        assert {mirror[mark]: number for mark, number in there.counts.items()} == dict(back.counts)
        assert [link.stage for link in there.causes] == [link.stage for link in back.causes]
        assert [(c.path, c.after, c.before) for c in there.settings] == [
            (c.path, c.before, c.after) for c in back.settings
        ]


def decided(replay: Replay, step: Step) -> dict[str, object]:
    """What each stage decided, read from the stages themselves."""
    gate, selection, request = replay.gate(step.turn), replay.selection(step.turn), replay.request(step)
    out = ("content_filter", "recall_limit")
    covers = [row for row in selection.selected if row.via == "cover"]
    window = request.window.trace
    gatekeeping = replay.settings.history == "gatekeeper"
    return {
        "ingest": replay.counter.name,
        "gate": (gate.decision, gate.rule, gate.topic_start, [a.term for a in gate.anchors]) if gatekeeping else None,
        "recall": (
            (
                [r.turn_id for r in selection.selected if r.via == "recent"],
                sorted((r.turn_id, r.rule if r.rule in out else "") for r in selection.recall),
            )
            if gatekeeping
            else None
        ),
        "prune": {row.turn_id: (row.user, row.assistant) for row in covers} if gatekeeping else {},
        "cover": (
            (sorted((r.turn_id, r.rule) for r in selection.recall if r.rule not in out), selection.cover.stop)
            if gatekeeping
            else None
        ),
        "assemble": (
            request.assembly.trace.limit,
            [(r.name, r.state, r.rule, r.rendered_chars) for r in request.assembly.trace.components],
        ),
        "window": (
            window.size,
            window.strategy,
            window.unit,
            window.tool_tokens,
            window.message_budget,
            window.dropped,
        ),
    }


@given(sessions(), overrides.filter(lambda paths: "history" not in paths))
@settings(max_examples=25, deadline=None)
def test_the_cause_chain_starts_at_the_first_stage_that_decided_otherwise(data, paths):
    replay = Replay(Session.model_validate(data))
    fork = replay.fork(paths)
    for step in replay.steps:
        comparison = compare_steps(replay, step, fork, step)
        one, other = decided(replay, step), decided(fork, step)
        shared = one["prune"].keys() & other["prune"].keys()
        for side in (one, other):
            side["prune"] = {turn_id: side["prune"][turn_id] for turn_id in sorted(shared)}
        expected = next((stage for stage in STAGES if one.get(stage) != other.get(stage)), None)
        if expected is not None and expected != "window":
            assert comparison.stage == expected
        elif comparison.stage is not None:
            assert comparison.stage in ("render", "window", "lint")
        order = [STAGES.index(link.stage) for link in comparison.causes]
        assert order == sorted(set(order))


@given(sessions(), overrides)
@settings(max_examples=15, deadline=None)
def test_other_messages_always_have_a_cause(data, paths):
    replay = Replay(Session.model_validate(data))
    fork = replay.fork(paths)
    for step in replay.steps:
        comparison = compare_steps(replay, step, fork, step)
        assert comparison.same_messages or comparison.causes


@given(overrides)
def test_every_setting_that_was_changed_is_named_with_both_values(paths):
    before = Settings()
    after = apply_overrides(before, paths)
    named = {change.path: (change.before, change.after) for change in settings_changes(before, after)}
    assert {path: value for path, (_, value) in named.items()} == {
        path: value for path, value in paths.items() if named.get(path)
    }
    assert set(named) <= set(paths)


# --- one link for every stage ---


def test_a_switch_that_is_decided_no_more_starts_the_chain_at_the_gate_with_both_thresholds(topics):
    comparison = both(topics, 58, gatekeeper__overlap_switch=0.01)
    assert comparison.stage == "gate"
    assert "switch -> continue" in links(comparison)["gate"]
    assert "between 0.01 and 0.45" in links(comparison)["gate"]
    assert "t57 in: recent" in links(comparison)["recall"]
    (setting,) = comparison.settings
    assert (setting.path, setting.before, setting.after) == ("gatekeeper.overlap_switch", 0.2, 0.01)


def test_a_decision_to_switch_shows_the_value_the_threshold_and_what_it_was(topics):
    text = links(both(topics, 1, gatekeeper__overlap_switch=0.4))["gate"]
    assert text == ("continue -> switch (overlap 0.228 < 0.4, was 0.2, new 0.772 > 0.7)")


def test_the_content_filter_is_named_with_the_turns_that_it_let_pass(topics):
    comparison = both(topics, 56, gatekeeper__content_filter=False)
    assert comparison.stage == "recall"
    assert "t41 in: selected (gain" in links(comparison)["recall"]
    assert any(change.mark == "+" and change.turn_id == 41 for change in comparison.turns)


def test_a_recall_limit_shows_rank_and_limit(topics):
    comparison = both(topics, 20, gatekeeper__recall_limit=1)
    assert "recall limit (rank 2 > 1)" in " ".join(change.after for change in comparison.turns)


def test_a_budget_that_is_too_small_is_a_link_of_cover_with_its_figures(topics):
    comparison = both(topics, 20, gatekeeper__token_budget=70)
    assert comparison.stage == "cover"
    assert "over budget" in links(comparison)["cover"]
    assert "stopped by target -> budget" in links(comparison)["cover"]


def test_fewer_sentences_are_a_link_of_prune():
    replay = Replay(load(SAMPLES / "topics100.json"))
    found = [
        comparison
        for comparison in (both(replay, t, gatekeeper__max_sentences=0) for t in range(20, 60))
        if comparison.stage == "prune"
    ]
    assert found
    assert "characters" in links(found[0])["prune"]


def test_a_smaller_system_budget_is_a_link_of_assemble_naming_the_component():
    replay = Replay(load(SAMPLES / "rag_pressure.json"))
    comparison = both(replay, 0, assembler__max_tokens=640)
    assert comparison.stage == "assemble"
    assert "limit 494 -> 608 tokens" in links(comparison)["assemble"]
    assert "tool_guide dropped -> kept" in links(comparison)["assemble"]
    assert "tool_guide" in [change.name for change in comparison.components if change.mark == "~"]


def test_a_handle_is_a_link_of_render_with_its_tokens():
    turns = [turn("look", "done", round_([call("c1")], [result("c1", "word " * 300)])), turn("and now", "yes")]
    replay = Replay(session(*turns, context={"history": "full"}))
    comparison = both(replay, 1, sequence__handle_over_tokens=50)
    assert comparison.stage == "render"
    assert "t0 c1 kept -> handle" in links(comparison)["render"]


def test_a_smaller_window_is_a_link_of_window_with_the_turns_it_took():
    turns = [turn(f"question {at} " + "word " * 30, "answer") for at in range(4)]
    replay = Replay(session(*turns, context={"history": "full"}))
    comparison = both(replay, 3, window__context_tokens=130)
    assert comparison.stage == "window"
    text = links(comparison)["window"]
    assert "window 128000 -> 130 tokens" in text
    assert "t0" in text
    assert "out: trimmed" in text


def test_rounds_that_the_window_took_are_a_link_of_window_and_none_of_render():
    rounds = [round_([call(f"c{at}")], [result(f"c{at}", "word " * 40)]) for at in range(3)]
    replay = Replay(session(turn("question", None, *rounds)))
    comparison = both(replay, 0, window__context_tokens=130)
    assert comparison.stage == "window"
    assert "t0 as 7 -> 3 messages" in links(comparison)["window"]
    assert "render" not in links(comparison)


def test_sections_in_another_order_are_a_link_of_assemble():
    replay = Replay(load(SAMPLES / "rag_pressure.json"))
    comparison = both(replay, 3, assembler__order=["closing"])
    assert comparison.stage == "assemble"
    assert links(comparison)["assemble"].startswith("sections in another order: closing, ")


def test_a_whole_history_is_one_link_and_the_gatekeeper_none(topics):
    comparison = both(topics, 40, history="full")
    assert [link.stage for link in comparison.causes] == ["render"]
    assert "the selected turns -> every turn since the last reset" in comparison.causes[0].text


def test_a_gate_that_chooses_nothing_is_no_cause():
    replay = Replay(load(SAMPLES / "home_assistant.json"))
    comparison = both(replay, 4, gatekeeper__overlap_switch=0.0)
    assert comparison.same_messages
    assert comparison.stage in (None, "lint")
    assert any(change.stage == "gate" for change in comparison.figures)


def test_a_compaction_that_is_ignored_brings_turns_back_at_ingest():
    replay = Replay(load(SAMPLES / "coding_agent.json"))
    comparison = both(replay, 7, history_resets="ignore")
    assert comparison.stage == "ingest"
    assert links(comparison)["ingest"] == "t0-t6 in: full history"


def test_an_item_that_a_fork_drops_is_named_at_ingest():
    replay = Replay(load(SAMPLES / "rag_pressure.json"))
    comparison = both(replay, 0, **{"what_if.drop": ["component:tool_guide"]})
    assert comparison.stage == "ingest"
    assert links(comparison)["ingest"].startswith("removed: component:tool_guide")
    replay = Replay(session(turn("one", "two"), turn("three", "four")))
    assert links(both(replay, 1, **{"what_if.drop": ["turn:0"]}))["ingest"].startswith("removed: turn:0")
    assert not both(replay, 0, **{"what_if.drop": ["turn:1"]}).causes


def test_another_counter_is_named_before_all_that_follows_from_it(topics):
    comparison = both(topics, 20, counter="chars/4")
    assert links(comparison)["ingest"] == "counted by cl100k_base -> chars/4"


def test_new_findings_are_the_last_link_with_the_stage_they_first_hold_at():
    replay = Replay(load(SAMPLES / "network_ops.json"))
    comparison = both(replay, 2, window__context_tokens=1200)
    assert comparison.causes[-1].stage == "lint"
    assert "(at window)" in comparison.causes[-1].text
    assert all(change.mark in "+-~" for change in comparison.findings)


# --- two requests of one session ---


def test_the_next_request_has_one_round_more():
    turns = [turn("look", "done", round_([call("c1")], [result("c1", "here")]))]
    replay = Replay(session(*turns))
    comparison = compare_steps(replay, Step(0, 0), replay, Step(0, 1))
    assert links(comparison)["ingest"] == "1 more round of t0"
    assert comparison.counts == {"+": 2, "-": 0, "~": 0, "=": 1}
    assert not comparison.settings


def test_another_turn_is_another_query_and_its_decision_follows(topics):
    comparison = compare_steps(topics, topics.step(19), topics, topics.step(20))
    assert links(comparison)["ingest"] == "another query, t19 -> t20"
    assert links(comparison)["gate"].startswith("continue -> switch (overlap 0 < 0.2")
    assert "t15-t19 out: no shared anchor" in links(comparison)["recall"]
    assert comparison.before.tokens == topics.trace(19).window.request_tokens


def test_the_same_message_with_another_text_is_a_change_with_its_words(topics):
    comparison = both(topics, 1, gatekeeper__overlap_switch=0.4)
    (changed,) = [change for change in comparison.messages if change.mark == "~"]
    assert changed.before.turn_id == changed.after.turn_id == 0
    (edit,) = [edit for edit in message_diff(changed).edits if edit.mark == "~"]
    assert {word.mark for word in edit.words} <= {"=", "-"}


def test_a_message_in_the_place_of_another_is_a_link_of_render():
    replay = Replay(session(turn("a", "b", round_([call("c1")], [])), turn("c", "d"), context={"history": "full"}))
    before = replay.trace(1)
    stub = replace(before.messages[-1], role="tool", turn_id=0, round=3, content="[no result]")
    after = replace(before, messages=(replace(stub, round=None, content="open"), *before.messages))
    before = replace(before, messages=(stub, *before.messages))
    comparison = compare(before, after)
    assert comparison.counts == {"+": 1, "-": 1, "~": 0, "=": len(before.messages) - 1}
    assert links(comparison) == {"render": "t0 with 1 other message"}
