"""Presence over a session: the same as replaying every request, with the cause of every change."""

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
from ctxinspect.pipeline.recorded import recorded_request
from ctxinspect.pipeline.replay import Replay
from ctxinspect.pipeline.sight import Sights
from ctxinspect.pipeline.track import Track, TrackedText, track
from ctxinspect.readers import load
from ctxinspect.window import tool_json
from tests.pipeline.test_why import LONG, native_sessions, replay_of, tool
from tests.support.shared import corpus_files

SAMPLES = Path(__file__).resolve().parents[2] / "sample_sessions"


def one(replay: Replay, text: str, **more: Any) -> TrackedText:
    return track(replay, [text], **more).texts[0]


def strip(tracked: TrackedText) -> str:
    return "".join({"in": "#", "partly": "+", "out": "."}[state] for state in tracked.states)


def by_replaying_all(replay: Replay, text: str) -> str:
    """The plain way: replay every request, look for the text in its messages, then for pieces of it."""
    needle = Needle(text)
    found = occurrences(replay.session, needle)
    cells = []
    in_tools = any(needle.stands_in(tool_json(tool), as_json=True) for tool in replay.session.tools)
    for step in replay.steps:
        request = replay.request(step)
        whole = in_tools or any(
            needle.stands_in(message.text)
            or any(needle.stands_in(arguments_text(call.arguments), as_json=True) for call in message.calls)
            for message in request.window.messages
        )
        sights = Sights(replay, request, needle)
        cells.append("#" if whole else "+" if any(sights.see(o).presence == "partly" for o in found) else ".")
    return "".join(cells)


@given(native_sessions(), st.sampled_from(["router", "reboot", "OSPF area", "backup", "接口", "0/0/1 reb"]))
@settings(max_examples=200, deadline=None)
def test_a_track_is_what_replaying_every_request_shows(data: dict[str, Any], text: str):
    replay = Replay(Session.model_validate_json(json.dumps(data)))
    tracked = one(replay, text)
    assert strip(tracked) == by_replaying_all(replay, text)
    changed = [at for at in range(len(tracked.states)) if tracked.states[at] != (["out", *tracked.states][at])]
    assert [change.step for change in tracked.changes] == [replay.steps[at] for at in changed]
    assert all(change.text for change in tracked.changes)


@pytest.mark.parametrize("name", ["topics100", "coding_agent", "network_ops", "rag_pressure", "home_assistant"])
@pytest.mark.parametrize("history", ["gatekeeper", "full"])
def test_the_samples_are_tracked_as_replaying_every_request_shows(name: str, history: str):
    replay = Replay(load(SAMPLES / f"{name}.json")).fork({"history": history})
    for text in ("fencing token", "the", "LOST_AFTER", "port", "E12", "21"):
        assert strip(one(replay, text)) == by_replaying_all(replay, text)


def test_a_trimmed_fact_is_out_with_the_window_as_its_cause():
    turns = [{"user": f"fact number {at} " + LONG, "assistant": "yes"} for at in range(6)]
    tracked = one(replay_of(*turns, history="full", window={"context_tokens": 180}), "fact number 0")
    assert strip(tracked) == "##...."
    assert [(c.stage, c.rule) for c in tracked.changes] == [("ingest", "said"), ("window", "trimmed")]
    assert tracked.lost == (2, 3, 4, 5)


def test_a_reset_takes_out_and_saying_it_again_brings_back():
    turns = [{"user": "blue key"}, {"user": "sum", "resets_history": True}, {"user": "the blue key"}, {"user": "x"}]
    tracked = one(replay_of(*turns, history="full"), "blue key")
    assert strip(tracked) == "#.##"
    assert [c.rule for c in tracked.changes] == ["said", "history_reset", "said"]
    assert tracked.changes[-1].turn_id == 2


def test_a_recalled_fact_names_the_stage_that_brought_it_back():
    replay = Replay(load(SAMPLES / "topics100.json"))
    tracked = one(replay, "fencing token")
    back = next(c for c in tracked.changes if c.step.turn == 97)
    assert (back.after, back.stage, back.rule) == ("in", "cover", "selected")
    away = next(c for c in tracked.changes if c.step.turn == 5)
    assert (away.after, away.stage, away.rule) == ("out", "recall", "no_shared_anchor")


def test_a_handle_leaves_only_a_part():
    rounds = [tool("start " + LONG + "end"), tool("other", "c2")]
    replay = replay_of({"user": "a", "rounds": rounds}, sequence={"handle_over_tokens": 20, "handle_preview_chars": 3})
    assert strip(one(replay, "start router")) == ".++"


def test_the_labels_the_pipeline_writes_are_seen():
    replay = replay_of({"user": "tick", "source": "timer"}, {"user": "b"}, history="full")
    tracked = one(replay, "[timer] tick")
    assert strip(tracked) == "##"
    assert tracked.changes[0].rule == "rendered"


def test_several_texts_keep_their_order_and_repeats_count_once():
    answer = track(replay_of({"user": "a b"}), ["b", "a", "b"])
    assert [tracked.text for tracked in answer.texts] == ["b", "a"]
    assert answer.survived


def test_no_text_is_refused():
    with pytest.raises(UsageError, match="no text"):
        track(replay_of({"user": "a"}), [])


def test_progress_is_told_up_to_the_end():
    told: list[tuple[int, int]] = []
    track(replay_of({"user": "a"}, {"user": "b"}), ["a", "b"], progress=lambda done, total: told.append((done, total)))
    assert told == [(0, 4), (1, 4), (2, 4), (3, 4), (4, 4)]


def test_a_session_without_a_turn_has_an_empty_track():
    answer = track(replay_of(), ["a"])
    assert answer.texts[0].states == ()


def test_a_long_full_history_replays_few_requests():
    turns = [{"user": f"word {at} " + LONG, "assistant": "yes"} for at in range(400)]
    replay = replay_of(*turns, history="full", window={"context_tokens": 8000})
    tracked = one(replay, "word 7 ")
    assert tracked.states.count("in") > 50
    assert replay.work.requests_replayed < 12
    assert replay.work.selections < 12


@pytest.mark.parametrize("history", ["full", "gatekeeper"])
def test_a_long_turn_is_tracked_by_its_rounds(history: str):
    rounds = [tool(f"page {at} " + LONG, f"c{at}") for at in range(200)]
    replay = replay_of({"user": "go", "rounds": rounds}, history=history, window={"context_tokens": 2000})
    tracked = one(replay, "page 37 ")
    assert replay.work.requests_replayed < 12
    assert strip(tracked) == by_replaying_all(replay, "page 37 ")
    assert tracked.changes[-1].rule == "trimmed"


def test_a_fact_that_no_query_touches_is_not_looked_for_by_replaying():
    turns = [{"user": "lonely zebra", "assistant": "stripes"}]
    turns += [{"user": f"router port {at}", "assistant": "router up"} for at in range(60)]
    replay = replay_of(*turns)
    one(replay, "lonely zebra")
    assert replay.work.requests_replayed < 12


@pytest.mark.corpus
@pytest.mark.parametrize("format_name", ["claude_code", "codex_cli", "openai_responses", "langfuse", "claude_trace"])
def test_recordings_are_tracked_as_their_own_traces_show(format_name: str):
    for path in [p for p in corpus_files(format_name) if p.stat().st_size < 300_000][:3]:
        try:
            replay = Replay(load(path))
        except InputError:
            continue  # a file that is no session, told apart elsewhere
        tracked: Track = track(replay, ["the"])
        needle = Needle("the")
        for at, step in list(enumerate(replay.steps))[:: max(1, len(replay.steps) // 6)]:
            rows = replay.trace(*step, view=tracked.view, ledger=False).messages
            call, _ = recorded_request(replay, step)
            tools = replay.session.tools if call.tools is None else call.tools
            whole = any(needle.stands_in(tool_json(tool), as_json=True) for tool in tools) or any(
                any(map(needle.stands_in, (row.content, *row.thinking)))
                or any(needle.stands_in(arguments_text(call.arguments), as_json=True) for call in row.tool_calls)
                for row in rows
            )
            assert (tracked.texts[0].states[at] == "in") == whole, (path.name, step)
