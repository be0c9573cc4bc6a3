"""The one registry of actions: it feeds key bindings, footer, help screen and the table of keys in the docs.

Every action has at least one key that survives ssh and tmux: printable ASCII, Tab, Enter, arrows or F1 to F10.
"""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["ACTIONS", "Action", "key_label"]


@dataclass(frozen=True, slots=True)
class Action:
    """One thing the user can do: `id` is stable, `name` the method that does it, `keys` Textual's names, first shown."""

    id: str
    name: str
    label: str
    help: str
    keys: tuple[str, ...]
    group: str
    footer: bool = False


def _panel(digit: int, label: str) -> Action:
    return Action(
        f"focus.{digit}", f"focus_panel({digit})", label, f"Focus {label}; again to zoom.", (str(digit),), "Panels"
    )


ACTIONS: tuple[Action, ...] = (
    Action("request.next", "request(1)", "next request", "One request on.", ("full_stop", "right"), "Stepping", True),
    Action("request.prev", "request(-1)", "previous request", "One request back.", ("comma", "left"), "Stepping", True),
    Action(
        "turn.next",
        "turn(1)",
        "next turn",
        "One turn on, to its last request.",
        ("right_square_bracket", "J", "ctrl+right"),
        "Stepping",
        True,
    ),
    Action(
        "turn.prev",
        "turn(-1)",
        "previous turn",
        "One turn back, to its last request.",
        ("left_square_bracket", "K", "ctrl+left"),
        "Stepping",
        True,
    ),
    Action(
        "event.next",
        "event(1)",
        "next event",
        "Next request with a finding, a cut or a switch.",
        ("e", "right_curly_bracket"),
        "Stepping",
        True,
    ),
    Action(
        "event.prev",
        "event(-1)",
        "previous event",
        "Previous request with a finding, a cut or a switch.",
        ("E", "left_curly_bracket"),
        "Stepping",
    ),
    Action("step.first", "end(0)", "first request", "The first request of the session.", ("0",), "Stepping"),
    Action("step.last", "end(1)", "last request", "The last request of the session.", ("dollar_sign",), "Stepping"),
    Action("view.cycle", "cycle_view", "view", "Cycle RECORDED, REPLAY and FORK.", ("a",), "Views", True),
    Action("view.zoom", "zoom", "zoom", "Maximise the focused panel, or restore.", ("z",), "Views", True),
    Action("view.text", "full_text", "full text", "The selected row, whole, in a pager.", ("enter",), "Views", True),
    Action("view.back", "back", "back", "Leave zoom or a screen.", ("escape",), "Views"),
    *(
        _panel(digit, label)
        for digit, label in enumerate(
            ("turns", "gate", "components", "anchors", "recall", "window", "messages", "findings", "breakpoints"), 1
        )
    ),
    Action("list.down", "list_move(1)", "down", "Next row of the focused panel.", ("j", "down"), "Panels"),
    Action("list.up", "list_move(-1)", "up", "Previous row of the focused panel.", ("k", "up"), "Panels"),
    Action("list.top", "list_end(0)", "top", "First row of the focused panel.", ("g", "home"), "Panels"),
    Action("list.bottom", "list_end(1)", "bottom", "Last row of the focused panel.", ("G", "end"), "Panels"),
    Action("panel.next", "next_panel(1)", "next panel", "Focus the next panel.", ("tab",), "Panels"),
    Action("panel.prev", "next_panel(-1)", "previous panel", "Focus the previous panel.", ("shift+tab",), "Panels"),
    Action(
        "command", "command_line", "command", ":42 go to, :set PATH=VALUE fork, :reset, :q.", ("colon",), "Other", True
    ),
    Action("help", "help", "keys", "Every key.", ("question_mark", "f1"), "Other", True),
    Action("quit", "leave", "quit", "Close what is on top, else quit.", ("q",), "Other", True),
    Action("quit.now", "quit", "quit at once", "Quit from anywhere.", ("ctrl+q", "ctrl+c"), "Other"),
)

_LABELS = {
    "full_stop": ".",
    "comma": ",",
    "right_square_bracket": "]",
    "left_square_bracket": "[",
    "right_curly_bracket": "}",
    "left_curly_bracket": "{",
    "dollar_sign": "$",
    "question_mark": "?",
    "colon": ":",
    "escape": "esc",
    "f1": "F1",
}


def key_label(key: str) -> str:
    """A key as printed on a keyboard, ASCII only."""
    return _LABELS.get(key, key)
