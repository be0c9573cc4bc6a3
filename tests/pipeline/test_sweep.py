"""A sweep replays the session under every combination and finds between which values an outcome flips."""

from __future__ import annotations

from pathlib import Path

import pytest

from ctxinspect.errors import SettingsError, UsageError
from ctxinspect.pipeline.plan import Step
from ctxinspect.pipeline.replay import Replay
from ctxinspect.pipeline.sweep import MOST_PROBES, MOST_ROWS, sweep
from ctxinspect.readers import load
from tests.support.build import session, turn

SAMPLES = Path(__file__).resolve().parents[2] / "sample_sessions"


@pytest.fixture(scope="module")
def pressure() -> Replay:
    return Replay(load(SAMPLES / "rag_pressure.json"))


def test_a_row_sums_what_the_traces_of_its_settings_say(pressure):
    found = sweep(pressure, {"assembler.max_tokens": [520, 760]}, needles=["Example 2"])
    assert [row.as_is for row in found.rows] == [True, False]
    assert [dict(row.overrides) for row in found.rows] == [{"assembler.max_tokens": 520}, {"assembler.max_tokens": 760}]
    fork = pressure.fork({"assembler.max_tokens": 760})
    traces = [fork.trace(*step) for step in fork.steps]
    row = found.rows[1]
    assert row.tokens == sum(t.window.request_tokens + t.window.tool_tokens for t in traces)
    assert row.warnings == sum(f.severity == "warning" for t in traces for f in t.findings)
    assert row.needles == (sum(any("Example 2" in m.content for m in t.messages) for t in traces),)
    assert row.cut == sum(c.state == "truncated" for t in traces for c in t.assembly.components)
    assert 0 < row.changed <= found.requests == len(fork.steps)
    assert found.rows[0].changed == 0


def test_a_session_whose_own_value_is_not_swept_stands_first_as_it_is(pressure):
    found = sweep(pressure, {"assembler.max_tokens": [640]})
    assert found.rows[0].overrides == ()
    assert found.rows[0].as_is
    assert len(found.rows) == 2


def test_a_flip_of_a_whole_number_is_exact_and_proven_by_replaying_both_sides(pressure):
    found = sweep(pressure, {"assembler.max_tokens": [640, 880]}, needles=["Example 2"])
    flips = [flip for flip in found.flips if flip.outcome == "needle Example 2"]
    assert flips
    for flip in flips:
        assert flip.exact
        assert flip.above == flip.below + 1
        assert flip.swept == (640, 880)

        def held(value: int, step: Step = flip.step) -> bool:
            trace = pressure.fork({"assembler.max_tokens": value}).trace(*step)
            return any("Example 2" in message.content for message in trace.messages)

        assert (held(flip.below), held(flip.above)) == (False, True)
        assert (flip.before, flip.after) == ("out", "in")


def test_a_flip_of_a_fraction_is_narrowed_down_around_the_value_that_decides():
    replay = Replay(load(SAMPLES / "topics100.json"))
    found = sweep(replay, {"gatekeeper.overlap_switch": [0.2, 0.4]})
    (flip,) = [flip for flip in found.flips if flip.outcome == "decision"]
    overlap = replay.gate(flip.step.turn).overlap
    assert flip.below <= overlap <= flip.above
    assert flip.above - flip.below < 0.001
    assert not flip.exact
    assert (flip.before, flip.after) == ("continue", "switch")
    assert flip.others == found.rows[1].switches - found.rows[0].switches - 1


def test_values_that_are_no_numbers_flip_between_neighbours_as_given():
    replay = Replay(load(SAMPLES / "network_ops.json"))
    found = sweep(replay, {"window.strategy": ["conservative", "aggressive"]})
    flips = [flip for flip in found.flips if flip.outcome == "trimmed"]
    assert [(flip.below, flip.above, flip.exact) for flip in flips] == [("conservative", "aggressive", False)]


def test_several_settings_make_every_combination_and_each_flip_says_what_was_given(pressure):
    found = sweep(pressure, {"assembler.max_tokens": [520, 880], "assembler.buffer": [0.0, 0.05]})
    assert len(found.rows) == 4
    assert [dict(row.overrides) for row in found.rows[:2]] == [
        {"assembler.max_tokens": 520, "assembler.buffer": 0.0},
        {"assembler.max_tokens": 520, "assembler.buffer": 0.05},
    ]
    assert {flip.path for flip in found.flips} <= {"assembler.max_tokens", "assembler.buffer"}
    assert all(len(flip.given) == 1 and flip.given[0][0] != flip.path for flip in found.flips)


def test_numbers_are_neighbours_by_size_whatever_their_order(pressure):
    one = sweep(pressure, {"assembler.max_tokens": [880, 520, 640]}, needles=["Example 2"])
    other = sweep(pressure, {"assembler.max_tokens": [520, 640, 880]}, needles=["Example 2"])
    assert one.flips == other.flips


def test_nothing_flips_where_nothing_changes():
    replay = Replay(session(turn("one", "two")))
    found = sweep(replay, {"gatekeeper.alpha": [0.1, 0.9]})
    assert found.flips == ()
    assert all(row.changed == 0 for row in found.rows)


def test_the_search_ends_after_so_many_probes_and_says_what_it_left(pressure, monkeypatch):
    assert MOST_PROBES == 120
    monkeypatch.setattr("ctxinspect.pipeline.sweep.MOST_PROBES", 3)
    found = sweep(pressure, {"assembler.max_tokens": [520, 880]}, needles=["Example 2"])
    assert found.unsought > 0
    assert any(not flip.exact for flip in found.flips)


def test_a_value_out_of_range_is_refused_before_anything_is_replayed():
    replay = Replay(session(turn("one", "two")))
    with pytest.raises(SettingsError, match="max_tokens"):
        sweep(replay, {"assembler.max_tokens": [520, -1]})
    assert replay.work.requests_replayed == 0


def test_too_many_combinations_are_refused_with_their_number(pressure):
    with pytest.raises(UsageError, match=str(MOST_ROWS)):
        sweep(pressure, {"assembler.max_tokens": list(range(1, MOST_ROWS + 2))})


def test_progress_counts_every_request_of_every_row(pressure):
    told: list[tuple[int, int]] = []
    sweep(pressure, {"assembler.buffer": [0.0, 0.1]}, progress=lambda *at: told.append(at))
    requests = len(pressure.steps)
    assert [at for at in told if at[1] == 3 * requests] == [(at, 3 * requests) for at in range(3 * requests)]


def test_a_session_without_turns_has_rows_of_nothing():
    found = sweep(Replay(session()), {"assembler.max_tokens": [1, 2]}, needles=["x"])
    assert [(row.tokens, row.largest, row.needles) for row in found.rows] == [(0, 0, (0,))] * 3
    assert found.flips == ()
