"""The palette: the toolkit's own, fed from the registry alone, in our colours and without its icon and its frames."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from textual.binding import Binding
from textual.command import CommandPalette, DiscoveryHit, Hit, Provider
from textual.content import Content
from textual.widgets import Input

from ctxinspect.tui.actions import ACTIONS, Action, key_label

if TYPE_CHECKING:
    from textual.command import Hits
    from textual.dom import DOMNode

__all__ = ["ActionPalette", "Actions"]

_HIDDEN = {"palette", "list.down", "list.up"}


class Actions(Provider):
    """Every action that can be done on the screen under the palette."""

    def _offers(self) -> list[tuple[Action, str, Callable[[], None]]]:
        bound: dict[str, tuple[str, ...]] = getattr(self.app, "bound", {})
        takers = {id_: taker for taker in (self.app, self.focused, self.screen) for id_ in _action_ids(taker)}
        offers: list[tuple[Action, str, Callable[[], None]]] = []
        for action in ACTIONS:
            act = getattr(takers.get(action.id), "action_act", None)
            if act is not None and action.id not in _HIDDEN:
                keys = " ".join(key_label(key) for key in bound.get(action.id, action.keys))
                offers.append((action, f"{action.verb:<18} {keys:<16} {action.help}", partial(act, action.id)))
        return offers

    async def discover(self) -> Hits:
        """All of them, in the order of the help screen."""
        for action, text, act in self._offers():
            yield DiscoveryHit(Content(text), act, text=action.verb)

    async def search(self, query: str) -> Hits:
        """Those whose name or help fits what was typed."""
        matcher = self.matcher(query)
        for action, text, act in self._offers():
            score = matcher.match(action.verb) or 0.01 * (query.lower() in action.help.lower())
            if score > 0:
                yield Hit(score, Content(text), act, text=action.verb)


def _action_ids(taker: DOMNode | None) -> list[str]:
    """The ids of the actions whose keys this screen, widget or app takes."""
    bindings = type(taker).BINDINGS if taker is not None else []
    return [binding.id for binding in bindings if isinstance(binding, Binding) and binding.id]


class ActionPalette(CommandPalette):
    """One line to type in, the actions under it."""

    CSS = """
    ActionPalette { background: transparent; align-horizontal: left; }
    ActionPalette > Vertical { margin-top: 0; background: $background; }
    ActionPalette #--input { border: none; background: $background; }
    ActionPalette #--input.--list-visible { border: none; }
    ActionPalette SearchIcon { display: none; }
    ActionPalette LoadingIndicator { display: none; }
    ActionPalette CommandInput, ActionPalette CommandInput:focus { border: none; height: 1; padding: 0 1; }
    ActionPalette CommandList, ActionPalette CommandList:focus {
        border: none; max-height: 90%; background: $background; color: $foreground;
        text-wrap: nowrap; text-overflow: clip;
    }
    ActionPalette CommandList > .option-list--option { padding: 0 1; text-style: none; color: $foreground; }
    ActionPalette CommandList > .option-list--option-highlighted {
        text-style: reverse; color: $foreground; background: $background;
    }
    ActionPalette > .command-palette--help-text { color: $foreground; text-style: none; }
    """

    def __init__(self) -> None:
        super().__init__([Actions], placeholder="an action, or a part of its name")

    def on_mount(self) -> None:
        """Nothing blinks."""
        self.query_one(Input).cursor_blink = False
