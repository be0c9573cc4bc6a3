"""Breakpoints in the inspector stop where the predicates hold, in order, both ways; they are kept and never lost."""

from __future__ import annotations

import asyncio

import pytest

from ctxinspect.pipeline.breakpoints import Breakpoints, load_breakpoints
from ctxinspect.pipeline.hit_index import place_of
from ctxinspect.pipeline.predicate import find_hits, parse
from ctxinspect.pipeline.replay import Replay
from ctxinspect.readers import load
from ctxinspect.readers.samples import sample_paths
from ctxinspect.tui.app import InspectorApp
from ctxinspect.tui.jobs import open_navigator
from ctxinspect.tui.messages import Sought
from ctxinspect.tui.state import Navigator
from ctxinspect.tui.stops import breaks_file, saved_breaks, write_breaks
from ctxinspect.view.inspection import Inspection
from ctxinspect.view.marks import marked
from ctxinspect.view.panels import PANELS
from ctxinspect.view.proposals import proposals
from tests.support.frames import frame, inspector, play

TOPICS = load(sample_paths()["topics100"])


def drained(search):
    """What a search gives at its end."""
    try:
        while True:
            next(search)
    except StopIteration as end:
        return end.value


async def _walk(app: InspectorApp, keys: list[str], repeat: str, times: int) -> list[str]:
    """The addresses visited by pressing one key again and again."""
    async with app.run_test(size=(120, 40)) as pilot:
        await app.workers.wait_for_complete()
        for key in keys:
            await pilot.press(key)
        seen = []
        for _ in range(times):
            await pilot.press(repeat)
            await app.workers.wait_for_complete()
            await pilot.pause()
            seen.append(app.screen.navigator.address)
        return seen


def walk(at: str, expression: str, repeat: str, times: int) -> list[str]:
    app = inspector(TOPICS, at)
    app._navigator.breaks = Breakpoints().add(expression)
    return asyncio.run(_walk(app, [], repeat, times))


def test_going_on_visits_what_break_prints_and_going_back_the_same_reversed():
    expression = "topic margin<0.05"
    replay = Replay(TOPICS)
    printed = [hit.address.replace("t", "t0", 1) if hit.step.turn < 10 else hit.address
               for hit in find_hits(replay, parse(expression))]  # fmt: skip
    assert len(printed) > 1
    forward = walk("0", expression, "c", len(printed) + 1)
    assert forward == [*printed, printed[-1]]
    back = walk("99.lint", expression, "C", len(printed) + 1)
    assert back == [*printed[::-1], printed[0]]


def test_without_a_stop_it_stays_and_says_so():
    lines = play(inspector(TOPICS), ["c"])
    assert "no breakpoint is on" in lines[-2]
    app = inspector(TOPICS)
    app._navigator.breaks = Breakpoints().add("budget used>0.95")
    assert "no stop after t99 (1 breakpoint on)" in play(app, ["c"])[-2]


def test_b_proposes_what_fits_the_row_and_panel_nine_lists_it_with_its_hits():
    lines = play(inspector(TOPICS, "5"), ["2", "b", "enter"])
    assert any("B1" in line and "topic rule=new_topic" in line for line in lines)
    assert any("break on" in line for line in play(inspector(TOPICS, "5"), ["2", "b"]))


def test_space_switches_it_off_and_x_deletes_it():
    lines = play(inspector(TOPICS, "5"), ["2", "b", "enter", "9", "space"])
    assert "B1 off" in lines[-2]
    lines = play(inspector(TOPICS, "5"), ["2", "b", "enter", "9", "X"])
    assert "B1 deleted" in lines[-2]


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("tb topic", "one time"),
        ("b topik", "topic"),
        ("ignore 1 2", "no breakpoint 1"),
        ("cond 1", "expected a number and an expression"),
        ("delete x", "no breakpoint number"),
        ("fly", "no command 'fly'"),
        ("since yesterday", "turn, request, mark, last"),
        ("set nothing=1", "nothing"),
        ("42.window", "t42.window"),
        ("+1", "already at the last turn"),
        ("contin", "no breakpoint is on"),
        ("b save breaks.toml", "no breakpoint is set, so there is nothing to save"),
        ("b load /no/such/file", "No such file"),
        ("b load", "expected a file"),
        ("since mark", "no mark is set"),
        ("-200", "only 99 turns before this one"),
        ("42.window#0", "it decided nothing in this request"),
        ("42.gate#7", "its decisions are #0 to #0"),
    ],
)
def test_the_command_line_does_or_says_what_would_be_right(typed, said):
    keys = [":", *("space" if char == " " else char for char in typed), "enter"]
    assert said in play(inspector(TOPICS), keys, (200, 60))[-2]


def test_every_row_of_every_panel_suggests_predicates_that_can_be_parsed():
    for name, path in sample_paths().items():
        replay = Replay(load(path))
        for step in replay.steps[-3:]:
            view = Inspection(replay.trace(*step), replay.session, replay.settings, "REPLAY")
            for spec in PANELS[:8]:
                for row in list(spec.table(view).rows)[:40]:
                    assert [parse(text) for text in proposals(view, spec.number, row.key)], (name, spec.name)


def test_breakpoints_are_kept_for_a_recording_that_grows(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    recording = tmp_path / "run.jsonl"
    recording.write_bytes(sample_paths()["coding_agent"].read_bytes() + b" " * 5000)
    file = breaks_file(recording)
    write_breaks(file, Breakpoints().add("topic").add("drop"))
    recording.write_bytes(recording.read_bytes() + b"\n")
    kept = open_navigator(recording).breaks
    assert [item.expression for item in kept] == ["topic", "drop"]
    write_breaks(file, Breakpoints())
    assert not file.exists()


def test_a_damaged_file_of_breakpoints_is_left_alone_and_told(tmp_path):
    file = tmp_path / "breaks.toml"
    file.write_text("format = 3", "utf-8")
    breaks, notice = saved_breaks(file)
    assert not len(breaks)
    assert "not used" in notice
    assert file.read_text("utf-8") == "format = 3"


def test_saving_breakpoints_says_where_or_why_not_and_writes_over_nothing_unasked(tmp_path):
    def said(name: str) -> str:
        app = inspector(TOPICS)
        app._navigator.breaks = Breakpoints().add("topic")
        keys = [":", *("space" if char == " " else char for char in f"b save {name}"), "enter"]
        return play(app, keys, (300, 60))[-2]

    file = tmp_path / "breaks.toml"
    assert f"1 saved to {file}" in said(str(file))
    assert [item.expression for item in load_breakpoints(file)] == ["topic"]
    assert "is there already" in said(str(file))
    assert "1 saved" in said(f"{file}!")
    assert "No such file" in said(str(tmp_path / "none" / "breaks.toml"))


def test_a_breakpoint_deleted_while_the_search_runs_stops_nowhere():
    async def run() -> str:
        app = inspector(TOPICS, "3")
        app._navigator.breaks = Breakpoints().add("topic")
        async with app.run_test(size=(120, 40)) as pilot:
            await app.workers.wait_for_complete()
            navigator = app.screen.navigator
            stop = drained(navigator.scout.seek(place_of(navigator.position, None, None), 1, navigator.breaks.items))
            navigator.breaks = Breakpoints()
            app.screen.on_sought(Sought(navigator.epoch, 1, 1, over=True, found=stop))
            await pilot.pause()
            assert navigator.address == "t03"
            return frame(app)[-2]

    assert "no longer on" in asyncio.run(run())


def test_a_breakpoint_is_no_change_between_two_requests():
    here = Navigator(Replay(TOPICS), "5")
    table = PANELS[8].table
    list(here.inspection(step=here.reference).breaks)
    here.breaks = Breakpoints().add("topic")
    here.scout.watch(["topic"])
    shown = marked(table(here.inspection()), table(here.inspection(step=here.reference)))
    assert [row.mark for row in shown.rows] == ["="]


def test_breakpoints_under_a_fork_stop_where_the_fork_differs():
    here = Navigator(Replay(TOPICS))
    here.set_fork("gatekeeper.overlap_switch=0")
    here.breaks = Breakpoints().add("topic")
    index = here.scout.index
    index.add("topic")
    assert list(index.scan())
    assert index.hits("topic") == ()
