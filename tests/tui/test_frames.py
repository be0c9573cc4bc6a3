"""Approved screens: every panel with Chinese text, the widest layout, and no colour; every state is a word."""

from __future__ import annotations

import asyncio

import pytest

from ctxinspect.pipeline.replay import Replay
from ctxinspect.readers import load
from ctxinspect.readers.samples import sample_paths
from ctxinspect.text.clip import cell_width
from ctxinspect.tui.app import InspectorApp
from ctxinspect.tui.state import Navigator
from ctxinspect.view.panels import PANELS
from tests.support.chinese import chinese_session
from tests.support.frames import check_frame, frame, inspector, play

CHINESE = chinese_session()
STATES = {
    1: ("SWITCH", "cont", "kept", "dropped", "now"),
    2: ("SWITCH", "yes", "no"),
    3: ("kept", "truncated", "dropped"),
    4: ("new", "nowhere"),
    5: ("taken", "covers"),
    6: ("left", "window", "priming"),
    7: ("system", "user", "asst"),
    8: ("warn", "error"),
    9: ("on", "off"),
}
"""Words that carry the states of each panel, in a session that has them."""


def sample(name: str, at: str | None = None) -> InspectorApp:
    return inspector(load(sample_paths()[name]), at)


@pytest.mark.parametrize("digit", list("123456789"))
def test_every_panel_with_chinese_text_is_the_approved_one(digit):
    keys = [*([":", *'b text "窗户"', "enter"] if digit == "9" else []), digit]
    lines = play(inspector(CHINESE), keys, (80, 24))
    assert any("\u4e00" <= char <= "\u9fff" for line in lines[:1] + lines[5:-2] for char in line)
    check_frame(f"chinese-{digit}-80x24", lines)


@pytest.mark.parametrize(
    ("name", "at", "keys"),
    [("home_assistant", "t5r2", ["7"]), ("rag_pressure", "t6", ["j", "j", "j", "j", "j", "j"])],
)
def test_the_widest_layout_is_the_approved_one(name, at, keys):
    check_frame(f"{name}-200x60", play(sample(name, at), keys, (200, 60)))


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
def test_wide_characters_never_move_a_column(size):
    for digit in "17":
        for line in play(inspector(CHINESE), [digit], size):
            assert cell_width(line) <= size[0]
    if size[0] >= 120:
        lines = play(inspector(CHINESE), ["7"], size)
        column = 39 if size[0] < 200 else 59
        assert {_cell(line, column) for line in lines[4:30]} == {"|"}


def _cell(line: str, at: int) -> str:
    """What stands in the cell `at` of a line."""
    used = 0
    for char in line:
        if used == at:
            return char
        used += cell_width(char)
    return ""


@pytest.mark.parametrize("digit", range(1, 10))
def test_without_colour_every_state_of_a_panel_is_a_word(digit, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")

    async def use() -> tuple[str, set[str]]:
        app = InspectorApp(
            Navigator(Replay(load(sample_paths()["broken"] if digit == 8 else sample_paths()["rag_pressure"])))
        )
        async with app.run_test(size=(120, 40)) as pilot:
            await pilot.press(*(["9", "b", "enter"] if digit == 9 else []))
            await pilot.press(*(str(digit) if digit != app.screen.desk.focus else ""))
            if digit == 9:
                await pilot.press("g", "space")
            await app.workers.wait_for_complete()
            await pilot.pause()
            colors = {
                str(color.name)
                for strip in app.screen._compositor.render_strips()
                for segment in strip
                if segment.style
                for color in (segment.style.color, segment.style.bgcolor)
                if color is not None
            }
            return "\n".join(frame(app)), colors

    text, colors = asyncio.run(use())
    assert colors <= {"default"}
    missing = [word for word in STATES[digit] if word not in text]
    assert missing == []
    assert f">{digit} {PANELS[digit - 1].name.upper()[:4]}" in text
