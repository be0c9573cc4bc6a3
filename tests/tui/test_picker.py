"""Without a file, sessions are found and opened from a list."""

from __future__ import annotations

import asyncio

import pytest

from ctxinspect.tui.app import InspectorApp
from ctxinspect.tui.screens.inspect import InspectScreen
from tests.support.frames import frame, play


@pytest.fixture(autouse=True)
def _own_home(tmp_path, monkeypatch):
    for name in ("HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))


def test_samples_are_listed_where_nothing_else_is_found():
    lines = play(InspectorApp(None))
    assert any("topics100.json" in line and "sample" in line for line in lines)


def test_enter_opens_the_session_under_the_cursor():
    async def use() -> bool:
        app = InspectorApp(None)
        async with app.run_test(size=(120, 40)) as pilot:
            await app.workers.wait_for_complete()
            await pilot.press("enter")
            await app.workers.wait_for_complete()
            await pilot.pause()
            return isinstance(app.screen, InspectScreen)

    assert asyncio.run(use())


def test_a_file_that_is_no_session_is_one_line_and_the_list_stays(tmp_path, monkeypatch):
    folder = tmp_path / "claude_config_dir" / "projects" / "p"
    folder.mkdir(parents=True)
    (folder / "bad.jsonl").write_text("no json at all [/x]\n")

    async def use() -> list[str]:
        app = InspectorApp(None)
        async with app.run_test(size=(120, 40)) as pilot:
            await app.workers.wait_for_complete()
            await pilot.press("enter")
            await app.workers.wait_for_complete()
            await pilot.pause()
            return frame(app)

    lines = asyncio.run(use())
    assert any("bad.jsonl" in line for line in lines[:10])
    assert any("bad.jsonl" in line for line in lines[-2:])
