"""The inspector as the configuration wants it: keys, footer, help, layout, the log in a file, what was typed before."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from ctxinspect.config import Config, resolve_keys
from ctxinspect.config.options import LayoutConfig
from ctxinspect.errors import UsageError
from ctxinspect.tui.actions import ACTIONS, footer_text
from ctxinspect.tui.app import InspectorApp
from ctxinspect.tui.history import History
from ctxinspect.tui.jobs import open_navigator
from ctxinspect.tui.layout import size_class
from ctxinspect.tui.move_log import mirror_to

SAMPLE = Path(__file__).resolve().parents[2] / "sample_sessions" / "network_ops.json"


def used(app: InspectorApp, *keys: str, size=(120, 40)):
    """The app's screen after these keys."""

    async def use():
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            for key in keys:
                await pilot.press(key)
                await pilot.pause()
            screen = app.screen
            return screen.navigator.address, screen.seen(), list(screen.desk.log)

    return asyncio.run(use())


def app_with(keys: dict[str, list[str]], **more) -> InspectorApp:
    app = InspectorApp(open_navigator(SAMPLE), **more)
    bound = resolve_keys(ACTIONS, keys).keys
    app.set_keymap({action.id: ",".join(bound[action.id]) for action in ACTIONS if bound[action.id] != action.keys})
    return app


def test_an_action_answers_to_the_keys_it_was_given_and_not_to_its_own():
    assert used(app_with({"request.prev": ["x"]}), "x")[0] == "t6r1"
    assert used(app_with({"request.prev": ["x"]}), "comma")[0] == "t7"


def test_a_key_that_another_action_had_is_taken_from_it():
    assert used(app_with({"request.prev": ["j"]}), "j")[0] == "t6r1"


def test_an_action_without_keys_answers_to_none():
    assert used(app_with({"request.prev": []}), "comma", "ctrl+left")[0] == "t7"


def test_the_footer_shows_the_keys_that_were_given():
    assert "x/, request" in footer_text("inspect", width=200, bound={"request.next": ["x"]})
    assert "request" in footer_text("inspect", width=200, bound={"request.next": []})
    assert "request" not in footer_text("inspect", width=200, bound={"request.next": [], "request.prev": []})


def test_the_layouts_begin_where_the_configuration_says():
    assert size_class(100, 40) == "narrow"
    assert size_class(100, 40, (80, 100, 200)) == "std"
    wide = Config(layout=LayoutConfig(narrow=60, std=90, wide=110))
    assert "rule-5" in used(InspectorApp(open_navigator(SAMPLE), config=wide), size=(120, 60))[1]
    assert "rule-5" not in used(InspectorApp(open_navigator(SAMPLE)), size=(120, 60))[1]


def test_every_move_stands_in_the_file_of_the_log(tmp_path):
    path = tmp_path / "moves.log"
    path.write_text("before\n")
    log = used(InspectorApp(open_navigator(SAMPLE), mirror=mirror_to(path)), "comma", "comma", "]")[2]
    assert path.read_text("utf-8").splitlines() == ["before", *log]
    assert len(log) >= 3


def test_a_log_that_cannot_be_opened_is_refused_in_a_line(tmp_path):
    with pytest.raises(UsageError, match=r"--log .*absent"):
        mirror_to(tmp_path / "absent" / "moves.log")


def test_a_line_of_the_log_steers_no_terminal(tmp_path):
    path = tmp_path / "moves.log"
    mirror_to(path)("t1  \x1b]0;title\x07 \u202e two\nlines")
    assert "\x1b" not in path.read_text("utf-8")
    assert len(path.read_text("utf-8").splitlines()) == 1


def test_what_was_typed_is_there_in_the_next_run(tmp_path):
    file = tmp_path / "state" / "history.json"
    history = History(2, file)
    for text in ("one", "two", "two", "three"):
        history.keep("command", text)
    history.keep("search", "needle")
    assert History(2, file).of("command") == ["two", "three"]
    assert History(2, file).of("search") == ["needle"]
    assert file.stat().st_mode & 0o077 == 0
    assert History(0, file).of("command") == []


@pytest.mark.parametrize("text", ["", "[]", "{", '{"command": 3, "search": [1, "a"]}'])
def test_a_broken_history_is_no_error(tmp_path, text):
    file = tmp_path / "history.json"
    file.write_text(text)
    assert History(5, file).of("command") == []


def test_prompts_share_the_history_of_the_run(tmp_path):
    file = tmp_path / "history.json"
    history = History(5, file)
    used(InspectorApp(open_navigator(SAMPLE), history=history), "colon", "3", "enter")
    assert list(json.loads(file.read_text()).values()) == [["3"]]
