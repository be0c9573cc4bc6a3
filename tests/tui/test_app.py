"""The inspector opens, steps both ways and survives hostile content and tiny terminals."""

from __future__ import annotations

import asyncio

import pytest

from ctxinspect.pipeline.replay import Replay
from ctxinspect.view.sentence import request_sentence
from tests.support.build import session, turn

HOSTILE = "see [/INST] [/] [bold]x \x1b]52;c;aGk=\x07 \x9b \u202e \x00 \ud83d end"


def test_the_sentence_of_hostile_content_is_built_without_an_error():
    replay = Replay(session(turn(HOSTILE, HOSTILE), turn("next", None)))
    assert request_sentence(replay.trace(1), 0)


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (40, 10), (1, 1)])
def test_the_app_opens_and_steps_at_every_size(size, tmp_path):
    from ctxinspect.tui.app import InspectorApp
    from ctxinspect.tui.launch import open_navigator

    path = tmp_path / "s.json"
    path.write_text(session(turn("a [/INST]", "b [/]"), turn("c", None)).model_dump_json(), "utf-8")

    async def use() -> bool:
        app = InspectorApp(open_navigator(path))
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await pilot.press("comma", "full_stop", "7", "j", "a", "question_mark", "q")
            await pilot.resize_terminal(120, 40)
            await pilot.pause()
        return app.return_code in (0, None)

    assert asyncio.run(use())


def test_nothing_moves_by_itself_and_no_decoration_is_mounted():
    from textual.widgets import Digits, Footer, Header, LoadingIndicator, Sparkline, Tabs, Tree

    from tests.support.frames import inspector

    async def use() -> tuple[str, list[str]]:
        app = inspector(session(turn("a", "b"), turn("c", None)))
        found: list[str] = []
        async with app.run_test(size=(120, 40)) as pilot:
            for keys in ([], ["?"], ["q", "y"], ["escape", "ctrl+p"]):
                await pilot.press(*keys)
                await pilot.pause()
                for kind in (Digits, Footer, Header, LoadingIndicator, Sparkline, Tabs, Tree):
                    found += [type(item).__name__ for item in app.screen.query(kind) if item.display]
        return app.animation_level, found

    assert asyncio.run(use()) == ("none", [])


@pytest.mark.parametrize("key", [":", "ctrl+p"])
def test_no_cursor_blinks(key):
    from textual.widgets import Input

    from tests.support.frames import inspector

    async def use() -> list[bool]:
        app = inspector(session(turn("a", "b"), turn("c", None)))
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press(key)
            await pilot.pause()
            return [field.cursor_blink for field in app.screen.query(Input)]

    assert asyncio.run(use()) == [False]
