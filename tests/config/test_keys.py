"""A key does one thing: what was asked for keeps it, a default gives way, and every loss is said."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxinspect.config.keys import EVERYWHERE, key_fault, resolve_keys
from ctxinspect.errors import UsageError
from ctxinspect.tui.actions import ACTIONS


@dataclass(frozen=True)
class Act:
    id: str
    keys: tuple[str, ...]
    scope: str = "inspect"


ACTS = (Act("next", (".", "f10")), Act("prev", ("comma",)), Act("down", ("j",), "list"), Act("close", ("q",), "text"),
        Act("quit", ("q",), "app"))  # fmt: skip


def test_without_overrides_every_action_has_its_own_keys():
    assert resolve_keys(ACTS, {}).keys == {act.id: act.keys for act in ACTS}
    assert resolve_keys(ACTS, {}).clashes == ()


def test_an_override_takes_the_place_of_the_defaults():
    bindings = resolve_keys(ACTS, {"next": ["n"], "prev": []})
    assert (bindings.keys["next"], bindings.keys["prev"], bindings.clashes) == (("n",), (), ())


def test_a_default_gives_way_and_the_loss_is_said():
    bindings = resolve_keys(ACTS, {"next": ["j"]})
    assert (bindings.keys["next"], bindings.keys["down"]) == (("j",), ())
    assert bindings.clashes == ("key j: next has it, so down loses it", "down has no key left")


def test_of_two_that_were_asked_for_the_first_has_it():
    bindings = resolve_keys(ACTS, {"prev": ["x"], "next": ["x", "n"]})
    assert (bindings.keys["next"], bindings.keys["prev"]) == (("x", "n"), ())
    assert bindings.clashes[0] == "key x: next has it, so prev loses it"


def test_scopes_that_are_never_active_together_may_share_a_key():
    assert resolve_keys(ACTS, {"close": [".", "q"]}).clashes[0] == "key q: close has it, so quit loses it"
    assert resolve_keys(ACTS, {"close": ["."]}).clashes == ()


def test_an_unknown_id_and_a_key_that_no_terminal_sends_are_refused():
    with pytest.raises(UsageError, match=r'keys\.nxt: no such action; did you mean "next"'):
        resolve_keys(ACTS, {"nxt": ["n"]})
    with pytest.raises(UsageError, match=r"keys\.next: a terminal sends tab for ctrl\+i"):
        resolve_keys(ACTS, {"next": ["ctrl+i"]})
    with pytest.raises(UsageError, match='did you mean "pagedown"'):
        resolve_keys(ACTS, {"next": ["pgdown"]})


@pytest.mark.parametrize(
    "key", ["n", "N", "?", "+", "ctrl+x", "ctrl++", "shift+tab", "f5", "ctrl+shift+left", "comma", "]"]
)
def test_these_are_keys(key):
    assert key_fault(key) == ""


@pytest.mark.parametrize("key", ["", "nn", "crtl+x", "f25", "ctrl+ctrl+x", "ctrl+m", "\x1b"])
def test_these_are_none(key):
    assert key_fault(key)


def test_the_defaults_of_the_registry_are_keys_that_do_not_clash():
    assert [key for action in ACTIONS for key in action.keys if key_fault(key)] == []
    assert resolve_keys(ACTIONS, {}).clashes == ()


@given(
    st.dictionaries(
        st.sampled_from([a.id for a in ACTIONS]), st.lists(st.sampled_from(list("abcjkq.]")), max_size=2), max_size=5
    )
)
def test_after_any_rebinding_no_key_that_was_touched_means_two_things(overrides):
    bindings = resolve_keys(ACTIONS, overrides)
    for screen in {action.scope for action in ACTIONS}:
        scopes = (screen, *EVERYWHERE)
        owners: dict[str, list[str]] = {}
        for action in ACTIONS:
            if action.scope in scopes:
                for key in bindings.keys[action.id]:
                    owners.setdefault(key, []).append(action.id)
        assert [ids for ids in owners.values() if len(ids) > 1 and set(ids) & set(overrides)] == []
