"""A file is read again or followed at the same position; what goes wrong is said, and the last good state stays."""

from __future__ import annotations

import asyncio
import json

import pytest

from ctxinspect.pipeline.breakpoints import Breakpoints
from ctxinspect.tui.acts.files import watch_file
from ctxinspect.tui.app import InspectorApp
from ctxinspect.tui.jobs import open_navigator
from ctxinspect.tui.renewal import first_changed_turn, renewed, settle
from tests.support.frames import frame, inspector, play

HEAD = {"format": "ctxinspect/1", "title": "live"}


def written(path, turns: int, **more):
    lines = [json.dumps({**HEAD, **more})]
    lines += [json.dumps({"user": f"question {n} redis", "assistant": f"answer {n}"}) for n in range(turns)]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


@pytest.fixture
def recording(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return written(tmp_path / "live.jsonl", 3)


async def _played(app: InspectorApp, keys, change, after=()) -> list[str]:
    async def settled() -> None:
        await app.workers.wait_for_complete()
        await pilot.pause()

    async with app.run_test(size=(120, 40)) as pilot:
        await settled()
        for key in keys:
            await pilot.press(key)
            await settled()
        change()
        watch_file(app.screen)
        await settled()
        for key in after:
            await pilot.press(key)
            await settled()
        return frame(app)


def played(path, keys, change, after=(), at=None) -> list[str]:
    app = InspectorApp(open_navigator(path, at=at), theme="ctx-dark")
    return asyncio.run(_played(app, keys, change, after))


def test_following_goes_along_to_the_new_last_request(recording):
    lines = played(recording, ["F"], lambda: written(recording, 5))
    assert "t4/5" in lines[0]
    assert "FOLLOW" in lines[0]
    assert "+2 requests, 5 turns" in lines[-2]


def test_following_stays_where_someone_reads(recording):
    lines = played(recording, ["F"], lambda: written(recording, 5), at="1")
    assert "t1/5" in lines[0]


def test_following_leaves_what_was_said_to_someone_who_reads_elsewhere(recording):
    lines = played(recording, ["F", ":", "x", "y", "z", "enter"], lambda: written(recording, 5), at="1")
    assert "no command 'xyz'" in lines[-2]
    lines = played(recording, ["F"], lambda: written(recording, 7), ["L"], at="1")
    assert any("+2 requests, 7 turns" in line for line in lines)


def test_reading_again_keeps_the_position_and_says_what_is_new(recording):
    lines = played(recording, [], lambda: written(recording, 4), ["R"], at="t1.window")
    assert "t1/4" in lines[0]
    assert "READ" in lines[-2]
    assert "+1 requests, 4 turns" in lines[-2]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda path: written(path, 1), "shorter than what was read"),
        (lambda path: path.unlink(), "the file is gone"),
        (lambda path: written(path, 6, title="another session"), "holds something else"),
    ],
)
def test_a_file_that_shrinks_goes_or_is_replaced_is_told_and_the_last_good_state_stays(recording, change, said):
    lines = played(recording, ["F"], lambda: change(recording))
    assert said in lines[-2]
    assert "t2/3" in lines[0]
    assert "FOLLOW" not in lines[0]


def test_reading_a_file_again_that_is_gone_says_so(recording):
    lines = played(recording, [], recording.unlink, ["R"])
    assert "ERROR" in lines[-2]
    assert "t2/3" in lines[0]


def test_a_session_from_a_pipe_cannot_be_read_again(recording):
    app = inspector(open_navigator(recording).replay.session)
    assert "no file to read again" in play(app, ["R"])[-2]


def test_only_turns_before_the_first_that_changed_keep_what_is_known_of_them(recording):
    old = open_navigator(recording)
    list(old.scout.look(0, lambda: False))
    session = open_navigator(written(recording, 5)).replay.session
    assert first_changed_turn(old.replay.session, session) == 3
    other = open_navigator(written(recording, 5, title="other")).replay.session
    assert first_changed_turn(old.replay.session, other) == 0


def test_a_move_made_while_the_file_is_read_counts(recording):
    old = open_navigator(recording, at="1")
    new = renewed(old, open_navigator(written(recording, 5)).replay.session)
    old.go_to("0.window")
    old.breaks = Breakpoints().add("topic")
    settle(old, new)
    assert (new.address, new.breaks) == ("t0.window", old.breaks)


def test_a_reading_that_another_question_took_the_place_of_is_made_up_for(recording):
    async def run() -> str:
        app = InspectorApp(open_navigator(recording), theme="ctx-dark")
        async with app.run_test(size=(120, 40)) as pilot:
            await pilot.press("F")
            await app.workers.wait_for_complete()
            written(recording, 5)
            app.screen.follower.load()
            app.screen.unread = True
            watch_file(app.screen)
            await app.workers.wait_for_complete()
            await pilot.pause()
            assert not app.screen.unread
            return frame(app)[0]

    assert "t4/5" in asyncio.run(run())


def test_a_session_read_again_stands_where_the_old_one_stood(recording):
    old = open_navigator(recording, at="t1.window")
    old.set_fork("window.strategy=aggressive")
    old.breaks = Breakpoints().add("topic")
    old.mark, old.since = old.position, "mark"
    new = renewed(old, open_navigator(written(recording, 5)).replay.session)
    assert (new.address, new.label, new.fork_flags) == (old.address, "FORK", old.fork_flags)
    assert (new.mark, new.since, new.breaks) == (old.mark, "mark", old.breaks)
