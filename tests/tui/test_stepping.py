"""Stepping holds its promises: any path to a position shows the same, every step has its exact reverse."""

from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from ctxinspect.pipeline.plan import Step
from ctxinspect.pipeline.replay import Replay
from ctxinspect.trace.types import STAGES
from ctxinspect.tui.state import SINCE, Navigator
from ctxinspect.tui.stepping import (
    go_back_to_mark,
    move_end,
    move_event,
    move_request,
    move_step,
    move_turn,
    set_mark,
    step_in,
    step_out,
)
from ctxinspect.view.decisions import decisions, stages_run
from ctxinspect.view.inspection import summarize
from ctxinspect.view.layout import table_lines
from ctxinspect.view.marks import marked
from ctxinspect.view.panels import PANELS
from tests.support.build import call, result, round_, session, turn

STORY = session(
    turn("redis lock ttl", "fine", round_([call("a")], [result("a")]), round_([call("b")], [result("b")])),
    turn("bread oven", "bake"),
    turn("redis lock", None, round_([call("c")], [])),
    components=[{"name": "rules", "content": "Be short. " * 80, "priority": 10}],
    context={"assembler": {"max_tokens": 120}},
)


def navigator(at: str | None = None) -> Navigator:
    made = Navigator(Replay(STORY), at)
    made.take(summarize(made.replay.trace(*step, ledger=False)) for step in made.replay.steps)
    return made


def place(here: Navigator):
    return here.position, here.stage, here.decision


def shown(here: Navigator) -> str:
    """Every panel as text, marked against the reference."""
    inspection = here.inspection()
    since = here.reference
    reference = here.inspection(step=since) if since is not None else None
    tables = [marked(spec.table(inspection), spec.table(reference) if reference else None) for spec in PANELS]
    return here.address + "\n" + "\n".join("\n".join(table_lines(table, 100)) for table in tables)


def test_a_walk_by_stages_visits_every_stage_that_ran_and_then_the_next_request_as_a_whole():
    here = navigator("t1")
    stages = stages_run(here.inspection().trace)
    visited = []
    while move_step(here, 1) is None and here.position == Step(1, 0):
        visited.append(here.stage)
    assert visited == list(stages)
    assert visited[:2] == ["ingest", "gate"]
    assert (here.position, here.stage) == (Step(2, 0), None)


def test_a_stage_that_did_not_run_is_passed_over():
    here = navigator("t0")
    step_in(here)
    assert move_step(here, 1) is None
    assert here.stage == "gate"
    assert "cover" not in stages_run(here.inspection().trace)


def test_into_goes_request_stage_decision_and_out_the_same_way_back():
    here = navigator("t2r1.assemble")
    assert step_in(here) is None
    assert here.address == "t2r1.assemble#0"
    assert "innermost" in step_in(here)
    step_out(here)
    assert here.address == "t2r1.assemble"
    step_out(here)
    assert here.address == "t2r1"
    assert "already" in step_out(here)


def test_inside_a_stage_a_step_is_a_decision_and_crosses_stages_and_requests():
    here = navigator("t0.assemble#0")
    seen = []
    while move_step(here, 1) is None:
        seen.append(here.address)
    total = sum(len(decisions(here.replay.trace(*step), stage)) for step in here.replay.steps for stage in STAGES)
    before = navigator("t0.assemble#0")
    earlier = 0
    while move_step(before, -1) is None:
        earlier += 1
    assert len(seen) + earlier + 1 == total
    assert all("#" in address for address in seen)


def test_turning_a_page_keeps_the_stage_and_leaves_the_decision():
    here = navigator("t1.assemble#0")
    move_turn(here, 1)
    assert here.address == "t2r1.assemble"


def test_the_mark_and_the_place_left_change_places():
    here = navigator("t0")
    move_end(here, last=False)
    assert "STAY" in go_back_to_mark(here)
    set_mark(here)
    move_end(here, last=True)
    assert go_back_to_mark(here) is None
    assert here.position == Step(0, 0)
    assert here.mark == Step(2, 1)


@pytest.mark.parametrize(
    ("since", "step"), [("turn", Step(1, 0)), ("request", Step(2, 0)), ("mark", Step(0, 1)), ("last", Step(0, 2))]
)
def test_rows_can_be_marked_against_four_references(since, step):
    here = navigator("t0r1")
    set_mark(here)
    move_request(here, 1)
    here.since = since
    here.go_to("t2r1")
    assert here.reference == step


class Stepping(RuleBasedStateMachine):
    """Random moves of every kind: the five promises hold after each."""

    @initialize()
    def start(self):
        self.here = navigator()
        self.seen = {}

    def there_and_back(self, move):
        before, frame = place(self.here), shown(self.here)
        last = self.here.last
        if move(self.here, 1) is None:
            after = place(self.here), self.here.last
            assert move(self.here, -1) is None
            assert place(self.here) == before
            self.here.last = last
            assert shown(self.here) == frame
            (self.here.position, self.here.stage, self.here.decision), self.here.last = after

    @precondition(lambda self: self.here.stage in (None, *stages_run(self.here.inspection().trace)))
    @rule()
    def a_step_and_its_reverse(self):
        """From a stage that did not run here (it was kept on the way) there is no way back: steps pass it over."""
        self.there_and_back(move_step)

    @precondition(lambda self: self.here.decision is None)
    @rule()
    def a_request_and_its_reverse(self):
        self.there_and_back(move_request)

    @rule(by=st.sampled_from([-1, 1]))
    def turn(self, by):
        move_turn(self.here, by)

    @rule(by=st.sampled_from([-1, 1]))
    def step(self, by):
        before = place(self.here)
        if move_step(self.here, by) is not None:
            assert place(self.here) == before

    @rule(into=st.booleans())
    def level(self, into):
        (step_in if into else step_out)(self.here)

    @rule(by=st.sampled_from([-1, 1]))
    def event(self, by):
        before = self.here.index
        if move_event(self.here, by) is None:
            assert (self.here.index - before) * by > 0

    @rule(last=st.booleans())
    def end(self, last):
        move_end(self.here, last=last)

    @rule()
    def mark(self):
        set_mark(self.here)

    @rule()
    def to_mark(self):
        go_back_to_mark(self.here)

    @rule(since=st.sampled_from(SINCE))
    def since(self, since):
        self.here.since = since

    @rule(on=st.booleans())
    def fork(self, on):
        if on:
            self.here.set_fork("gatekeeper.token_budget=40")
        else:
            self.here.reset_fork()

    @invariant()
    def the_view_depends_on_position_settings_and_reference_alone(self):
        here = self.here
        key = (place(here), here.fork_flags if here.label == "FORK" else (), here.reference)
        here.summaries = {}
        assert self.seen.setdefault(key, shown(here)) == shown(here)
        here.take(summarize(here.trace(here.label, step)) for step in here.replay.steps)

    @invariant()
    def a_fork_without_edits_is_the_recording(self):
        if not self.here.fork_flags:
            assert self.here.replay.fork({}).trace(*self.here.position) == self.here.replay.trace(*self.here.position)


TestStepping = Stepping.TestCase
TestStepping.settings = settings(max_examples=12, stateful_step_count=25, deadline=None)


def test_a_step_replays_one_request_and_one_back_none():
    long = session(*(turn(f"question {number} redis lock", "answer") for number in range(30)))
    here = Navigator(Replay(long), "0")
    shown(here)
    for _ in range(20):
        done = here.replay.work.requests_replayed
        assert move_request(here, 1) is None
        shown(here)
        assert here.replay.work.requests_replayed - done == 1
    done = here.replay.work.requests_replayed
    for _ in range(3):
        move_request(here, -1)
        shown(here)
    assert here.replay.work.requests_replayed == done
