"""The page of keys is the one that the registry of actions writes, and every action's default keys stand on it once."""

from __future__ import annotations

from pathlib import Path

from ctxinspect.tui.actions import ACTIONS
from ctxinspect.tui.keys_page import keys_page

PAGE = Path(__file__).resolve().parents[2] / "docs" / "keys.md"


def test_every_action_stands_on_the_page_as_it_is():
    page = PAGE.read_text("utf-8")
    assert all(page.count(f"| `{action.id}` | `{action.verb}` | {action.help} |") == 1 for action in ACTIONS)
    assert page == keys_page(), "write it anew: ctxinspect keys --format md --defaults > docs/keys.md"
