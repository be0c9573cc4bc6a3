"""The registry of actions: the one list that feeds key bindings, footer, help screen, command names and the key table.

Every action has a key in printable ASCII, Tab, Enter, arrows or F-keys, which survives ssh and tmux. Keys are unique in
a scope together with the scopes that are active around it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

__all__ = [
    "ACTIONS",
    "SCOPE_TITLES",
    "Action",
    "Scope",
    "action_named",
    "footer_text",
    "key_label",
    "keys_of",
    "scoped",
]

Scope: TypeAlias = Literal["app", "inspect", "list", "text", "picker"]


@dataclass(frozen=True, slots=True)
class Action:
    """One action: id, verb (its name on a command line), label (a word or two), help (a sentence), keys, scope.

    `footer` orders the actions shown in the footer; 0 means not shown there.
    """

    id: str
    verb: str
    label: str
    help: str
    keys: tuple[str, ...]
    scope: Scope
    footer: int = 0


ACTIONS: tuple[Action, ...] = (
    Action("request.next", "next", "request", "Go to the next request.", (".", "ctrl+right"), "inspect", 1),
    Action("request.prev", "back", "request", "Go to the previous request.", ("comma", "ctrl+left"), "inspect", 1),
    Action("turn.next", "turn-next", "turn", "Go to the next turn's last request.", ("]", "J"), "inspect", 2),
    Action("turn.prev", "turn-back", "turn", "Go to the previous turn's last request.", ("[", "K"), "inspect", 2),
    Action(
        "event.next",
        "event-next",
        "event",
        "Go to the next request with an error, cut or switch.",
        ("}", "e"),
        "inspect",
        3,
    ),
    Action(
        "event.prev",
        "event-back",
        "event",
        "Go to the previous request with an error, cut or switch.",
        ("{", "E"),
        "inspect",
        3,
    ),
    Action("request.first", "first", "first", "Go to the first request of the session.", ("0",), "inspect"),
    Action("request.last", "last", "last", "Go to the last request of the session.", ("$",), "inspect"),
    Action(
        "view.cycle", "view", "view", "Cycle RECORDED, REPLAY and FORK, as many as there are.", ("a",), "inspect", 4
    ),
    *(
        Action(
            f"panel.{n}", f"panel {n}", name, f"Go to the {name} panel; a second press zooms it.", (str(n),), "inspect"
        )
        for n, name in enumerate(
            ("turns", "gate", "components", "anchors", "recall", "window", "messages", "findings", "breakpoints"), 1
        )
    ),
    Action("panel.next", "panel-next", "panel", "Go to the next panel.", ("tab",), "inspect"),
    Action("panel.prev", "panel-back", "panel", "Go to the previous panel.", ("shift+tab", "backspace"), "inspect"),
    Action("zoom", "zoom", "zoom", "Give the whole screen to the panel, or take it back.", ("z", "+"), "inspect", 6),
    Action("back", "back-out", "back", "Leave the zoom.", ("u", "escape"), "inspect"),
    Action("text", "text", "text", "Open everything about the row in a full screen.", ("enter",), "inspect", 5),
    Action("log", "log", "log", "Show the log of all moves.", ("L",), "inspect"),
    Action(
        "command",
        "command",
        "command",
        "Go to an address, or fork: 42, t42r3, set PATH=VALUE, reset.",
        (":",),
        "inspect",
        7,
    ),
    Action("list.down", "down", "down", "One row down.", ("j", "down"), "list"),
    Action("list.up", "up", "up", "One row up.", ("k", "up"), "list"),
    Action("list.page-down", "page-down", "page down", "A page down.", ("ctrl+f", "pagedown"), "list"),
    Action("list.page-up", "page-up", "page up", "A page up.", ("ctrl+b", "pageup"), "list"),
    Action("list.half-down", "half-down", "half down", "Half a page down.", ("ctrl+d",), "list"),
    Action("list.half-up", "half-up", "half up", "Half a page up.", ("ctrl+u",), "list"),
    Action("list.top", "top", "top", "To the first row.", ("g", "home"), "list"),
    Action("list.bottom", "bottom", "bottom", "To the last row.", ("G", "end"), "list"),
    Action("text.close", "close", "back", "Close this screen.", ("enter", "escape", "q"), "text", 1),
    Action("pick.open", "open", "open", "Open the session under the cursor.", ("enter",), "picker", 1),
    Action("help", "help", "keys", "Show every key.", ("?", "f1"), "app", 8),
    Action("quit", "quit", "quit", "Close the screen on top, else leave.", ("q",), "app", 9),
    Action("leave", "exit", "leave", "Leave at once.", ("ctrl+q",), "app"),
    Action("copy", "copy", "copy or leave", "Copy the selected text; with none selected, leave.", ("ctrl+c",), "app"),
)
"""All actions, in the order the help screen shows them."""

_LABELS = {"comma": ",", "pagedown": "PgDn", "pageup": "PgUp", "escape": "esc", "f1": "F1"}
SCOPE_TITLES: dict[Scope, str] = {
    "inspect": "Stepping and panels",
    "list": "In a list or a text",
    "text": "In a full screen",
    "picker": "Choosing a session",
    "app": "Everywhere",
}
"""What each scope is called in the help screen."""


def action_named(action_id: str) -> Action:
    """The action of this id; KeyError where there is none."""
    return {action.id: action for action in ACTIONS}[action_id]


def scoped(*scopes: Scope) -> tuple[Action, ...]:
    """The actions of these scopes, in registry order."""
    return tuple(action for action in ACTIONS if action.scope in scopes)


def key_label(key: str) -> str:
    """A key as it is written for people, in ASCII."""
    return _LABELS.get(key, key)


def keys_of(action: Action) -> str:
    """All keys of an action for people: `. ctrl+right`."""
    return " ".join(key_label(key) for key in action.keys)


def footer_text(*scopes: Scope, width: int = 80) -> str:
    """The footer: first keys and labels of the ranked actions; actions of one rank share an entry (`./, request`).

    The last entries are never cut: where the width is short, middle ones go.
    """
    ranked: dict[int, list[Action]] = {}
    for action in scoped(*scopes, "app"):
        if action.footer:
            ranked.setdefault(action.footer, []).append(action)
    entries = [
        "/".join(key_label(action.keys[0]) for action in group) + " " + group[0].label
        for _, group in sorted(ranked.items())
    ]
    if "inspect" in scopes:
        entries.insert(-2, "1-9 panel")
    while len(entries) > 2 and len("  ".join(entries)) + 2 > width:
        del entries[-3]
    return " " + "  ".join(entries)
