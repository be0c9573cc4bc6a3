"""Keys that come together are done one after the other, each where the one before has led."""

from __future__ import annotations

import asyncio

import pytest
from textual import events
from textual.keys import _character_to_key

from ctxinspect.readers import load
from ctxinspect.readers.samples import sample_paths
from tests.support.frames import frame, inspector

TOPICS = load(sample_paths()["topics100"])


def typed(*keys: str) -> list[str]:
    """The screen after keys that all came at once."""

    async def use() -> list[str]:
        app = inspector(TOPICS)
        async with app.run_test(size=(120, 40)) as pilot:
            await app.workers.wait_for_complete()
            for key in keys:
                single = len(key) == 1
                app.post_message(events.Key(_character_to_key(key) if single else key, key if single else None))
            for _ in range(8):
                await pilot.pause(0.02)
            await app.workers.wait_for_complete()
            await pilot.pause()
            return frame(app)

    return asyncio.run(use())


def test_a_whole_command_can_be_typed_at_once():
    assert "t42/100" in typed(*":42", "enter")[0]


def test_steps_are_all_made():
    assert "t94/100" in typed(*[","] * 5)[0]


def test_a_menu_gets_the_key_behind_the_one_that_opened_it():
    assert "COPY   " in "\n".join(typed(*"7jyp"))


@pytest.mark.parametrize("keys", [("enter", "q", "["), ("?", "q", "["), ("ctrl+p", "escape", "[")])
def test_a_screen_that_opens_and_closes_in_between_loses_no_key(keys):
    assert "t98/100" in typed(*keys)[0]
