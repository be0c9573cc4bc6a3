"""The palette: the toolkit's own, fed from the registry alone, in our colours and without its icon and its frames."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from textual.command import CommandPalette, DiscoveryHit, Hit, Provider
from textual.content import Content

from ctxinspect.tui.actions import Action, Scope, key_label, scoped

if TYPE_CHECKING:
    from textual.command import Hits

__all__ = ["ActionPalette", "Actions"]

_SCOPES: dict[str, tuple[Scope, ...]] = {
    "InspectScreen": ("inspect", "list", "app"),
    "ReadingScreen": ("text", "list", "app"),
    "PickerScreen": ("picker", "list", "app"),
}
"""Which actions can be done on which screen."""
_HIDDEN = {"palette", "list.down", "list.up"}


class Actions(Provider):
    """Every action that can be done on the screen under the palette."""

    def _offers(self) -> list[tuple[Action, str, Callable[[], None]]]:
        scopes = _SCOPES.get(type(self.screen).__name__, ("app",))
        focused = self.focused
        offers: list[tuple[Action, str, Callable[[], None]]] = []
        for action in scoped(*scopes):
            target = focused if action.scope == "list" else self.app if action.scope == "app" else self.screen
            act = getattr(target, "action_act", None)
            if act is not None and action.id not in _HIDDEN:
                keys = " ".join(key_label(key) for key in action.keys)
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
