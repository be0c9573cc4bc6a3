"""The registry of actions: the one list that feeds key bindings, footer, help screen, command names and the key table.

Every action has a key in printable ASCII, Tab, Enter, arrows or F-keys, which survives ssh and tmux. Keys are unique in
a scope together with the scopes that are active around it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, TypeAlias

__all__ = [
    "ACTIONS",
    "SCOPE_TITLES",
    "VERBS",
    "Action",
    "Scope",
    "action_named",
    "bound_keys",
    "footer_text",
    "key_label",
    "keys_of",
    "scoped",
]

Scope: TypeAlias = Literal["app", "inspect", "list", "text", "diff", "knobs", "picker"]


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


def _rows(scope: Scope, *rows: tuple[str, str, str, str, int, str]) -> tuple[Action, ...]:
    """Actions from rows of id, verb, label, keys parted by blanks, rank in the footer, help."""
    return tuple(
        Action(id_, verb, label, help_, tuple(keys.split()), scope, rank)
        for id_, verb, label, keys, rank, help_ in rows
    )


_PANEL_NAMES = ("turns", "gate", "components", "anchors", "recall", "window", "messages", "findings", "breakpoints")

ACTIONS: tuple[Action, ...] = (
    *_rows(
        "inspect",
        ("request.next", "next", "request", ". ctrl+right f10", 1, "Go to the next request."),
        ("request.prev", "back", "request", "comma ctrl+left", 1, "Go to the previous request."),
        ("turn.next", "turn-next", "turn", "] J", 2, "Go to the next turn's last request."),
        ("turn.prev", "turn-back", "turn", "[ K", 2, "Go to the previous turn's last request."),
        (
            "step.next",
            "step",
            "stage",
            "s f11",
            3,
            "One stage forward, or one decision inside a stage; crosses requests.",
        ),
        (
            "step.prev",
            "step-back",
            "stage",
            "S",
            3,
            "One stage back, or one decision inside a stage; crosses requests.",
        ),
        ("level.in", "in", "into", "i", 0, "Into the stage, then into its first decision."),
        ("level.out", "out", "out", "u escape", 0, "Out of the decision, the stage, the zoom."),
        ("run.next", "continue", "stop", "c f5", 5, "Go on to the next stop of a breakpoint."),
        ("run.prev", "reverse-continue", "stop", "C", 5, "Go back to the stop before."),
        ("break.set", "set-break", "break", "b f9", 6, "Break on what is under the cursor; on panel 9, edit."),
        ("break.switch", "switch-break", "on/off", "space", 0, "Switch the breakpoint under the cursor on or off."),
        ("break.delete", "delete-break", "delete", "X", 0, "Delete the breakpoint under the cursor."),
        ("event.next", "event-next", "event", "} e", 4, "Go to the next request with an error, cut or switch."),
        ("event.prev", "event-back", "event", "{ E", 4, "Go to the previous request with an error, cut or switch."),
        ("request.first", "first", "first", "0", 0, "Go to the first request of the session."),
        ("request.last", "last", "last", "$", 0, "Go to the last request of the session."),
        ("why", "why", "why", "W", 7, "Why is the row's text in this request, or not, and what would have kept it."),
        ("track", "track", "track", "T", 0, "Follow the row's text through every request."),
        ("diff", "diff", "diff", "d", 8, "Compare this request with the one its rows are marked against."),
        ("diff.mark", "diff-mark", "diff", "D", 0, "Compare this request with the mark."),
        ("diff.views", "diff-views", "diff", "=", 0, "Compare RECORDED with REPLAY, or REPLAY with FORK."),
        ("search", "search", "find", "/", 10, "Look for a text in the panel; tab: in the request, the session."),
        ("search.next", "search-next", "next match", "n", 0, "Go to the next match."),
        ("search.prev", "search-back", "match before", "N", 0, "Go to the match before."),
        ("filter", "filter-turns", "filter", "f", 0, "List only turns where an expression holds, or all again."),
        ("mark", "mark", "mark", "m", 0, "Mark this request."),
        ("mark.back", "mark-back", "to mark", "'", 0, "Go to the mark, and mark the place left."),
        (
            "since",
            "since",
            "since",
            "M",
            0,
            "Mark rows against the previous turn, previous request, mark, or place before.",
        ),
        ("whatif", "whatif", "what if", "w", 9, "Turn the settings as knobs: what would the model see then."),
        ("drop", "drop", "drop", "-", 0, "Fork without what is under the cursor; :reset undoes it."),
        ("view.cycle", "view", "view", "a", 12, "Cycle RECORDED, REPLAY and FORK, as many as there are."),
    ),
    *(
        Action(
            f"panel.{n}",
            f"panel {n}",
            name,
            f"Go to the {name} panel; again: zoom it.",
            (str(n), *(("B",) if n == 9 else ())),
            "inspect",
        )
        for n, name in enumerate(_PANEL_NAMES, 1)
    ),
    *_rows(
        "inspect",
        ("panel.next", "panel-next", "panel", "tab", 0, "Go to the next panel."),
        ("panel.prev", "panel-back", "panel", "shift+tab backspace", 0, "Go to the previous panel."),
        ("zoom", "zoom", "zoom", "z +", 14, "Give the whole screen to the panel, or take it back."),
        ("text", "text", "text", "enter", 13, "Read everything about the row; on panel 1, go there."),
        ("reload", "reload", "reload", "R", 0, "Read the file again; the position stays."),
        ("follow", "follow", "follow", "F", 0, "Follow the file while it grows, or no longer."),
        ("log", "log", "log", "L", 0, "Show the log of all moves."),
        ("yank", "yank", "copy", "y", 11, "Copy: row, row as JSON, text, request, address, settings, command."),
        ("export", "export", "write", "x", 16, "Write this request to a file: JSON, Markdown, text, SVG, HTML."),
        ("pager", "pager", "pager", "v", 0, "Read everything about the row in $PAGER."),
        ("editor", "editor", "editor", "V", 0, "Open everything about the row in $VISUAL or $EDITOR."),
        ("text.wrap", "wrap", "wrap", "Z", 0, "Wrap long lines of the text about the row, or leave them long."),
        (
            "text.raw",
            "raw",
            "raw",
            "r",
            0,
            "Show the text about the row with every hidden character escaped, or as it is.",
        ),
        ("text.left", "text-left", "text left", "<", 0, "Half a screen left in long lines of the text about the row."),
        ("text.right", "text-right", "text right", ">", 0, "Half a screen right in long lines of that text."),
        ("command", "command", "command", ":", 15, "A command: 42, t42r3, set PATH=VALUE, reset, an action's name."),
    ),
    *_rows(
        "list",
        ("list.down", "down", "down", "j down", 0, "One row down."),
        ("list.up", "up", "up", "k up", 0, "One row up."),
        ("list.page-down", "page-down", "page down", "ctrl+f pagedown", 0, "A page down."),
        ("list.page-up", "page-up", "page up", "ctrl+b pageup", 0, "A page up."),
        ("list.half-down", "half-down", "half down", "ctrl+d", 0, "Half a page down."),
        ("list.half-up", "half-up", "half up", "ctrl+u", 0, "Half a page up."),
        ("list.top", "top", "top", "g home", 0, "To the first row."),
        ("list.bottom", "bottom", "bottom", "G end", 0, "To the last row."),
        ("list.left", "left", "left", "h left", 0, "Half a screen left."),
        ("list.right", "right", "right", "l right", 0, "Half a screen right, to what is cut off."),
        ("list.sort", "sort", "sort", "o", 0, "Sort the rows by the next column, after the last one not at all."),
        ("list.reverse", "reverse", "reverse", "O", 0, "Turn the order of the rows round."),
    ),
    *_rows(
        "text",
        ("text.close", "close", "back", "enter escape q", 1, "Close this screen."),
        ("text.filter", "filter", "filter", "/", 2, "Show only lines with a text; escape shows all again."),
        ("reading.yank", "copy-text", "copy", "y", 3, "Copy the whole text."),
        ("reading.wrap", "wrap-text", "wrap", "Z", 4, "Wrap long lines, or leave them long."),
        ("reading.raw", "raw-text", "raw", "r", 5, "Show every hidden character escaped, or the text as it is."),
        ("reading.pager", "page-text", "pager", "v", 6, "Read the text in $PAGER."),
        ("reading.editor", "edit-text", "editor", "V", 0, "Open the text in $VISUAL or $EDITOR."),
    ),
    *_rows(
        "knobs",
        ("knob.less", "less", "turn", "left h", 1, "Turn the knob down, or to the choice before."),
        ("knob.more", "more", "turn", "right l", 1, "Turn the knob up, or to the next choice."),
        ("knob.less10", "less10", "turn x10", "H", 2, "Turn it down by ten steps."),
        ("knob.more10", "more10", "turn x10", "L", 2, "Turn it up by ten steps."),
        ("knob.value", "value", "value", "enter", 3, "Type a value."),
        ("knob.reset", "reset-knob", "reset", "0", 4, "Back to the recorded value."),
        ("knob.reset-all", "reset-all", "reset all", "R", 5, "All back to the recorded values."),
        ("knob.diff", "knob-diff", "diff", "d", 6, "Compare this request before and after."),
        ("knob.close", "knob-close", "back", "escape w", 7, "Go back; the fork stays."),
    ),
    *_rows(
        "diff",
        ("diff.close", "diff-close", "back", "enter escape q", 1, "Close this screen."),
        ("diff.sides", "sides", "side by side", "|", 2, "Unified, or side by side."),
        ("diff.full", "full", "everything", "U", 3, "Changes only, or everything."),
    ),
    *_rows("picker", ("pick.open", "open", "open", "enter", 1, "Open the session under the cursor.")),
    *_rows(
        "app",
        ("help", "help", "keys", "? f1", 20, "Show every key."),
        ("palette", "palette", "palette", "ctrl+p", 0, "Find an action by a part of its name."),
        ("quit", "quit", "quit", "q", 21, "Close the screen on top, else leave."),
        ("leave", "exit", "leave", "ctrl+q", 0, "Leave at once."),
        ("suspend", "suspend", "suspend", "ctrl+z", 0, "Back to the shell for a while; `fg` comes back."),
        ("copy", "copy", "copy or leave", "ctrl+c", 0, "Copy the selected text; with none selected, leave."),
    ),
)
"""All actions, in the order the help screen shows them."""

VERBS: dict[str, str] = {action.verb: action.id for action in ACTIONS if action.scope == "inspect"}
"""Action ids of the inspector by their names on the command line."""

_LABELS = {"comma": ",", "pagedown": "PgDn", "pageup": "PgUp", "escape": "esc", "f1": "F1"}
SCOPE_TITLES: dict[Scope, str] = {
    "inspect": "Stepping and panels",
    "list": "In a list or a text",
    "text": "In a full screen",
    "diff": "In a comparison",
    "knobs": "Turning knobs",
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


def bound_keys(app: object) -> Mapping[str, Sequence[str]]:
    """Keys that an application gave to actions, by their ids."""
    given: Mapping[str, Sequence[str]] = getattr(app, "bound", {})
    return given


def key_label(key: str) -> str:
    """A key as it is written for people, in ASCII."""
    return _LABELS.get(key, key)


def keys_of(action: Action) -> str:
    """All keys of an action for people: `. ctrl+right`."""
    return " ".join(key_label(key) for key in action.keys)


def footer_text(*scopes: Scope, width: int = 80, bound: Mapping[str, Sequence[str]] = MappingProxyType({})) -> str:
    """The footer: first keys and labels of the ranked actions; actions of one rank share an entry (`./, request`).

    The last entries are never cut: where the width is short, middle ones go. `bound` are keys given to actions by id;
    an action without keys is left out.
    """
    ranked: dict[int, list[Action]] = {}
    for action in scoped(*scopes, "app"):
        if action.footer and bound.get(action.id, action.keys):
            ranked.setdefault(action.footer, []).append(action)
    entries = [
        "/".join(key_label(bound.get(action.id, action.keys)[0]) for action in group) + " " + group[0].label
        for _, group in sorted(ranked.items())
    ]
    if "inspect" in scopes:
        entries.insert(-2, "1-9 panel")
    while len(entries) > 2 and len("  ".join(entries)) + 2 > width:
        del entries[-3]
    return " " + "  ".join(entries)
