"""What a row is about is never empty where it has a text: that of a message, of its thinking, or of its calls."""

from __future__ import annotations

from ctxinspect.pipeline.replay import Replay
from ctxinspect.view.asked import row_text
from ctxinspect.view.inspection import Inspection
from ctxinspect.view.panels import PANELS
from tests.support.build import call, result, round_, session, turn


def test_a_message_of_calls_alone_is_about_its_first_call():
    own = session(turn("list the files", "done", round_([call("c1", "list", {"path": "src"})], [result("c1", "a.py")])))
    replay = Replay(own)
    view = Inspection(replay.trace(0, 1), own, replay.settings, "REPLAY")
    keys = [str(at) for at, row in enumerate(view.trace.messages) if row.tool_calls]
    assert keys
    assert all("src" in row_text(view, 7, key) for key in keys)


def test_every_message_with_a_text_is_about_its_beginning():
    own = session(turn("first line\nsecond line"))
    replay = Replay(own)
    view = Inspection(replay.trace(0), own, replay.settings, "REPLAY")
    assert "first line" in [row_text(view, 7, row.key) for row in PANELS[6].table(view).rows]
