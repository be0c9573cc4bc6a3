"""Keys by action: the registry's own, those of the configuration in their place, and what clashes.

Whatever is asked for, a key does one thing only where several scopes are active together: what was asked for keeps the
key, a default gives way, and of two that were asked for the first in the registry's order has it. Every such loss is
reported in a line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from ctxinspect.errors import UsageError
from ctxinspect.text.nearest import nearest

__all__ = ["EVERYWHERE", "Bindings", "Keyed", "key_fault", "resolve_keys"]

EVERYWHERE = ("list", "app")
"""Scopes that are active together with that of any screen."""

_NAMED = frozenset({
    "tab", "enter", "space", "escape", "backspace", "delete", "insert", "up", "down", "left", "right", "pageup",
    "pagedown", "home", "end", "comma", "full_stop", "colon", "semicolon", "slash", "backslash", "question_mark",
    "exclamation_mark", "dollar_sign", "plus", "minus", "underscore", "equals_sign", "asterisk",
    "left_square_bracket", "right_square_bracket", "left_curly_bracket", "right_curly_bracket", "vertical_line",
    "apostrophe", "quotation_mark", "number_sign", "percent_sign", "ampersand", "at", "circumflex_accent",
    "grave_accent", "tilde", "less_than_sign", "greater_than_sign", "left_parenthesis", "right_parenthesis",
})  # fmt: skip
_SAME = {"i": "tab", "m": "enter", "j": "enter", "h": "backspace", "left_square_bracket": "escape", "[": "escape"}


class Keyed(Protocol):
    """What is needed of an action: id, scope, default keys."""

    @property
    def id(self) -> str:
        """Its name in the configuration."""

    @property
    def keys(self) -> tuple[str, ...]:
        """Its default keys."""

    @property
    def scope(self) -> str:
        """Where it holds."""


@dataclass(frozen=True, slots=True)
class Bindings:
    """The keys of every action by its id, and a line for each key that could not be given as asked."""

    keys: Mapping[str, tuple[str, ...]]
    clashes: tuple[str, ...] = ()


def resolve_keys(
    actions: Sequence[Keyed],
    overrides: Mapping[str, Sequence[str]],
) -> Bindings:
    """The keys of all actions under these overrides (an empty list takes an action's keys away).

    Raises UsageError for an id that no action has and for a key that no terminal sends.
    """
    known = [action.id for action in actions]
    for action_id, keys in overrides.items():
        if action_id not in known:
            msg = f"keys.{action_id}: no such action; {nearest(action_id, known) or '`ctxinspect keys` lists all'}"
            raise UsageError(msg)
        for key in keys:
            if fault := key_fault(key):
                msg = f"keys.{action_id}: {fault}"
                raise UsageError(msg)
    bound = {action.id: tuple(dict.fromkeys(overrides.get(action.id, action.keys))) for action in actions}
    clashes: list[str] = []
    for scope in dict.fromkeys(action.scope for action in actions if action.scope not in EVERYWHERE):
        together = (scope, *EVERYWHERE)
        _part([action for action in actions if action.scope in together], overrides, bound, clashes)
    lost = [f"{action.id} has no key left" for action in actions if action.keys and not bound[action.id]
            and overrides.get(action.id) != () and overrides.get(action.id) != []]  # fmt: skip
    return Bindings(bound, tuple(dict.fromkeys(clashes + lost)))


def _part(
    actions: Sequence[Keyed],
    overrides: Mapping[str, Sequence[str]],
    bound: dict[str, tuple[str, ...]],
    clashes: list[str],
) -> None:
    """Give every key that several of these actions have to one of them, unless they share it by default."""
    asked_first = sorted(actions, key=lambda action: action.id not in overrides)
    for key in dict.fromkeys(key for action in asked_first for key in bound[action.id]):
        holders = [action for action in asked_first if key in bound[action.id]]
        if len(holders) < 2 or not any(action.id in overrides for action in holders):
            continue
        keeper, *losers = holders
        for action in losers:
            bound[action.id] = tuple(other for other in bound[action.id] if other != key)
            clashes.append(f"key {key}: {keeper.id} has it, so {action.id} loses it")


def key_fault(key: str) -> str:
    """What is wrong with the name of a key; empty where a terminal can send it."""
    *modifiers, last = re.split(r"\+(?=.)", key)
    if any(word not in ("ctrl", "shift", "alt") for word in modifiers) or len(modifiers) != len(set(modifiers)):
        return f"{key!r} is no key; modifiers are ctrl, shift and alt, as in ctrl+x"
    if (
        not (len(last) == 1 and last.isprintable())
        and last not in _NAMED
        and not re.fullmatch(r"f([1-9]|1\d|2[0-4])", last)
    ):
        close = nearest(last, sorted(_NAMED))
        return f"{key!r} is no key; " + (close or "expected one character, or a name such as tab, f5 or ctrl+x")
    if modifiers == ["ctrl"] and last in _SAME:
        return f"a terminal sends {_SAME[last]} for {key}"
    return ""
