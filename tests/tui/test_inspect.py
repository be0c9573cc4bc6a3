"""Keys lead where they say; hostile content is shown and does nothing; every size is survived."""

from __future__ import annotations

import asyncio
import json

import pytest

from ctxinspect.pipeline.replay import Replay
from ctxinspect.readers import load
from ctxinspect.readers.samples import sample_paths
from ctxinspect.tui.app import InspectorApp
from ctxinspect.tui.state import Navigator
from ctxinspect.tui.widgets.line_list import LineList
from tests.support.build import call, result, round_, session, turn
from tests.support.frames import check_frame, frame, inspector, play
from tests.support.shared import case_file

STORY = session(
    turn("redis lock", "fine", round_([call("a", "read", {"path": "x"})], [result("a", "ok")])),
    turn("bread oven", "bake"),
    turn("redis lock", None),
    title="story",
)


def sample(name: str) -> InspectorApp:
    return inspector(load(sample_paths()[name]))


def test_stepping_keys_move_and_the_header_says_where():
    assert "t2/3" in play(inspector(STORY))[0]
    assert "t1/3" in play(inspector(STORY), ["comma"])[0]
    assert "t0r1/3" in play(inspector(STORY), ["comma", "comma"])[0]
    assert "t0/3" in play(inspector(STORY), ["0"])[0]
    assert "t2/3" in play(inspector(STORY), ["0", "$"])[0]
    assert "t0r1/3" in play(inspector(STORY), ["K", "["])[0]


def test_the_sentence_stands_on_top():
    assert play(inspector(STORY))[1].strip().startswith("1 of 2 turns in; t1 out: no anchor in common")


def test_a_digit_focuses_a_panel_and_again_zooms_it():
    lines = play(inspector(STORY), ["7"])
    assert any(">7 MESSAGES" in line for line in lines)
    assert any("3 COMPONENTS" in line for line in lines)
    zoomed = play(inspector(STORY), ["7", "7"])
    assert not any("3 COMPONENTS" in line for line in zoomed)
    assert any(">7 MESSAGES" in line for line in zoomed)


def test_enter_shows_a_message_whole_and_q_comes_back():
    made = inspector(session(turn("word " * 900 + "the end", None)))
    lines = play(made, ["7", "enter", "G"])
    assert any("the end" in line for line in lines)
    assert any(">7 MESSAGES" in line for line in play(inspector(STORY), ["7", "enter", "q"]))


def test_enter_on_a_turn_goes_there():
    assert "t0r1/3" in play(inspector(STORY), ["1", "g", "enter"])[0]


def test_the_help_shows_every_key_and_closes():
    assert any("Go to the next request" in line for line in play(inspector(STORY), ["?"]))
    assert "t2/3" in play(inspector(STORY), ["?", "q"])[0]


def test_tab_goes_round_the_panels():
    assert any(">4 ANCHORS" in line for line in play(inspector(STORY), ["tab"]))
    assert any(">2 GATE" in line for line in play(inspector(STORY), ["backspace"]))


def test_q_leaves_the_zoom_before_it_leaves():
    lines = play(inspector(STORY), ["z", "q"])
    assert any("7 MESSAGES" in line for line in lines)


@pytest.mark.parametrize("key", ["q", "ctrl+q", "ctrl+c"])
def test_it_can_be_left(key):
    async def use() -> bool:
        app = inspector(STORY)
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press(key)
            await pilot.pause()
            return app._exit

    assert asyncio.run(use())


def test_the_selection_explains_itself():
    lines = play(inspector(STORY), ["2", "g", "j", "j", "j"])
    assert any("needs more" in line for line in lines)


def test_a_command_forks_and_the_header_says_so():
    lines = play(inspector(STORY), [":", *"set window.strategy=aggressive", "enter"])
    assert "FORK" in lines[0]
    assert any("6 WINDOW" in line and "input budget" in line for line in lines)
    assert any("FORK   --set window.strategy=aggressive" in line for line in lines)


def test_what_is_wrong_with_a_command_is_said_in_the_log_row():
    assert any("ERROR  no command 'fly'" in line for line in play(inspector(STORY), [":", *"fly", "enter"]))


def test_a_native_session_says_that_it_has_one_view():
    assert any("one view, its REPLAY" in line for line in play(inspector(STORY), ["a"]))


def test_a_foreign_session_opens_as_recorded_and_its_replay_is_labelled(tmp_path):
    path = tmp_path / "chat.json"
    path.write_text(
        json.dumps({"messages": [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "yo"}]})
    )
    navigator = Navigator(Replay(load(path)))
    assert "RECORDED" in play(InspectorApp(navigator))[0]
    assert "REPLAY (not what was sent)" in play(InspectorApp(Navigator(Replay(load(path)))), ["a"])[0]
    both = play(InspectorApp(Navigator(Replay(load(path)))), size=(160, 45))
    assert any("MESSAGES RECORDED" in line and "MESSAGES REPLAY" in line for line in both)


@pytest.mark.parametrize("number", ["097", "098", "101", "104"])
def test_hostile_content_is_shown_in_every_panel_and_does_nothing(number):
    made = Replay(load(case_file(number)))
    keys = [key for digit in "123456789" for key in (digit, "j", "enter", "q")]
    lines = play(InspectorApp(Navigator(made)), [*keys, "a", "7", "7"])
    assert all(char.isprintable() or char == "\u200d" for line in lines for char in line)


def test_brackets_of_a_message_are_on_the_screen_literally():
    text = "rows: list[int] = cfg['a'][0]; [[door open] knock:[soft one]]; [on red]hot; [$accent]x; C:\\dir\\ ; tail \\"
    lines = play(inspector(session(turn(text, None))), ["7", "enter"])
    assert any(text in line for line in lines)


@pytest.mark.parametrize("size", [(70, 24), (66, 24), (40, 10), (20, 5), (10, 3), (3, 3), (1, 1)])
def test_every_size_is_survived_and_growing_again_shows_all(size):
    async def use() -> tuple[list[str], list[str]]:
        app = sample("broken")
        async with app.run_test(size=size) as pilot:
            await pilot.press("7", "j", "comma", "4", "z", "z")
            await pilot.pause()
            small = frame(app)
            await pilot.resize_terminal(200, 60)
            await pilot.pause()
            large = frame(app)
            await pilot.resize_terminal(*size)
            await pilot.pause()
            return small, large

    small, large = asyncio.run(use())
    assert len(small) == size[1]
    assert all(f"{digit} " in "\n".join(large) for digit in range(1, 10))


def test_a_resize_keeps_position_and_selection():
    async def use() -> tuple[str | None, str | None]:
        app = sample("broken")
        async with app.run_test(size=(120, 40)) as pilot:
            await pilot.press("7", "g", "j", "j", "j")
            before = app.screen.query_one("#panel-7", LineList).key
            await pilot.resize_terminal(80, 24)
            await pilot.pause()
            return before, app.screen.query_one("#panel-7", LineList).key

    before, after = asyncio.run(use())
    assert before == after is not None


def test_rows_all_end_in_the_same_column():
    for width in (40, 80, 120):
        app = inspector(load(sample_paths()["topics100"]), "t50")

        async def use(width=width, app=app) -> set[int]:
            async with app.run_test(size=(width, 40)) as pilot:
                await pilot.press("7")
                await pilot.pause()
                return {strip.cell_length for strip in app.screen._compositor.render_strips()}

        assert asyncio.run(use()) == {width}


def test_an_ascii_session_has_an_ascii_frame():
    assert all(line.isascii() for line in play(inspector(STORY)))


def test_few_widgets_are_mounted_whatever_the_session_holds():
    many = session(*[turn(f"question {at}", f"answer {at}") for at in range(500)])

    async def use() -> int:
        app = inspector(many)
        async with app.run_test(size=(120, 40)):
            return len(app.screen.query("*"))

    assert asyncio.run(use()) <= 100


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
@pytest.mark.parametrize("name", ["rag_pressure", "home_assistant"])
def test_the_screen_is_the_approved_one(name, size, request):
    lines = play(sample(name), size=size)
    check_frame(f"{name}-{size[0]}x{size[1]}", lines)


@pytest.mark.parametrize("size", [(80, 24)])
@pytest.mark.parametrize("digit", list("123456789"))
def test_every_panel_is_the_approved_one(digit, size):
    check_frame(f"network_ops-{digit}-{size[0]}x{size[1]}", play(sample("network_ops"), [digit], size))


def test_without_colour_every_state_is_still_a_word(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    text = "\n".join(play(sample("rag_pressure")))
    assert all(word in text for word in ("truncated", "dropped", "kept", "SWITCH"))
