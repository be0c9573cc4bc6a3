"""The registry is sound: every action has a key that survives ssh and tmux, no key means two things at once."""

from __future__ import annotations

import re

import pytest

from ctxinspect.tui.actions import ACTIONS, footer_text, keys_of, scoped
from ctxinspect.tui.screens.reading import help_detail
from ctxinspect.view.panels import PANELS

SAFE = re.compile(
    r"[!-~]|comma|tab|enter|space|up|down|left|right|pageup|pagedown|home|end|f([1-9]|10)|ctrl\+[abdefgklnprtuwxyz]"
)
BAD = {"ctrl+i", "ctrl+m", "ctrl+j", "ctrl+h", "ctrl+left_square_bracket", "ctrl+s"}
TOGETHER = [("inspect", "list", "app"), ("text", "list", "app"), ("picker", "list", "app")]


@pytest.mark.parametrize(
    "action", [a for a in ACTIONS if a.id not in {"leave", "copy", "panel.prev"}], ids=lambda a: a.id
)
def test_every_action_has_a_key_that_survives_ssh_and_tmux(action):
    assert any(SAFE.fullmatch(key) for key in action.keys)
    assert not BAD & set(action.keys)


def test_the_previous_panel_has_a_key_besides_shift_tab():
    assert "backspace" in next(action for action in ACTIONS if action.id == "panel.prev").keys


@pytest.mark.parametrize("scopes", TOGETHER)
def test_no_key_means_two_things_in_one_screen(scopes):
    keys = [key for scope in scopes for action in scoped(scope) for key in action.keys]
    if "text" in scopes:  # q closes the screen, which is what quit does there
        keys.remove("q")
    assert sorted(keys) == sorted(set(keys))


def test_ids_and_verbs_are_unique_and_every_action_says_what_it_does():
    assert len({action.id for action in ACTIONS}) == len(ACTIONS) == len({action.verb for action in ACTIONS})
    assert all(action.help.endswith(".") for action in ACTIONS)


def test_the_help_screen_has_a_line_for_every_action():
    text = help_detail().text
    assert all(action.help in text and keys_of(action) in text for action in ACTIONS)


def test_the_panel_keys_are_the_panels_digits():
    for spec in PANELS:
        action = next(action for action in ACTIONS if action.id == f"panel.{spec.number}")
        assert action.label == spec.name
        assert action.keys[0] == str(spec.number)


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_the_footer_fits_and_always_shows_help_and_quit(width):
    text = footer_text("inspect", width=width)
    assert len(text) <= width
    assert text.endswith("? keys  q quit")
    assert text.isascii()
