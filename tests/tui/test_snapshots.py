"""Pictures of the screen: each panel over the whole of a small terminal, the whole app, menu, palette and help.

`--snapshot-update` takes new ones; look at them before they are committed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pytest

from ctxinspect.readers import load
from ctxinspect.readers.samples import sample_paths
from tests.support.frames import inspector

if TYPE_CHECKING:
    from textual.pilot import Pilot

SESSION = load(sample_paths()["rag_pressure"])


def taken(snap_compare, size: tuple[int, int], keys: Sequence[str], theme: str = "ctx-dark") -> bool:
    """Whether the screen after these keys, all background work done, is the picture that was taken."""
    app = inspector(SESSION, "t4")
    app.theme = theme

    async def settle(pilot: Pilot[None]) -> None:
        await app.workers.wait_for_complete()
        await pilot.press(*keys)
        await app.workers.wait_for_complete()
        await pilot.pause(0.3)

    return snap_compare(app, terminal_size=size, run_before=settle)


@pytest.mark.parametrize("digit", list("123456789"))
def test_each_panel_over_the_whole_screen(snap_compare, digit):
    assert taken(snap_compare, (80, 24), [digit, "z"] if digit != "3" else ["z"])


@pytest.mark.parametrize("size", [(80, 24), (120, 40)], ids=lambda size: f"{size[0]}x{size[1]}")
@pytest.mark.parametrize("theme", ["ctx-dark", "ctx-ansi"])
def test_the_whole_app(snap_compare, size, theme):
    assert taken(snap_compare, size, ["7"], theme)


@pytest.mark.parametrize(
    ("name", "keys"),
    [("menu", ["y"]), ("palette", ["ctrl+p"]), ("help", ["?"]), ("prompt", [":", *"set wi"]), ("text", ["enter"])],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_opens_over_it(snap_compare, name, keys):
    assert taken(snap_compare, (80, 24), keys)
