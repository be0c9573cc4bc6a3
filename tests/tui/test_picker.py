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


def test_a_folder_lists_its_own_sessions_by_their_place_in_it(tmp_path):
    deep = tmp_path / "project" / "deep"
    deep.mkdir(parents=True)
    (deep / "run.json").write_text('{"model": "gpt-4o", "messages": [{"role": "user", "content": "Mend the gate"}]}')
    app = InspectorApp(None)
    app.folder = tmp_path / "project"
    lines = play(app, size=(120, 40))
    assert "pick a session in" in lines[0]
    assert any("openai_chat" in line and "Mend the gate  (deep/run.json)" in line for line in lines)
    assert not any("sample" in line for line in lines)


def test_a_folder_without_sessions_says_so(tmp_path):
    app = InspectorApp(None)
    app.folder = tmp_path
    assert any(f"No session found in {tmp_path}" in line for line in play(app, size=(200, 40)))
