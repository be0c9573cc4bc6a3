"""What the command line understands, as one function on the navigator: addresses, forks, marks, leaving."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ctxinspect.errors import UsageError
from ctxinspect.settings import setting_paths
from ctxinspect.text.nearest import nearest
from ctxinspect.tui.prompts import Prompt
from ctxinspect.tui.state import SINCE

if TYPE_CHECKING:
    from ctxinspect.tui.state import Navigator

__all__ = ["COMMAND", "Done", "run_command"]

COMMAND = Prompt(
    "command",
    ":",
    "42 or t42r3 goes there; set PATH=VALUE forks; reset; since turn|request|mark|last; any action's name; q",
    (
        *(f"set {path}=" for path in setting_paths()),
        "reset",
        *(f"since {mode}" for mode in SINCE),
        "q",
    ),
)
"""The question that `:` asks."""


@dataclass(frozen=True, slots=True)
class Done:
    """What a command did: the line to say (empty: the sentence of the position), and what has to be drawn."""

    text: str = ""
    view_changed: bool = False
    leave: bool = False


def run_command(navigator: Navigator, words: str) -> Done:
    """`42`, `t42r3`, `set PATH=VALUE`, `reset`, `q`. Raises UsageError or SettingsError saying what would be right."""
    verb, _, rest = words.partition(" ")
    if verb == "set":
        navigator.set_fork(rest.strip())
        return Done(f"FORK   --set {' --set '.join(navigator.fork_flags)}", view_changed=True)
    if verb == "reset":
        navigator.reset_fork()
        return Done("RESET  the fork is dropped", view_changed=True)
    if verb == "since":
        mode = next((mode for mode in SINCE if mode == rest.strip()), None)
        if mode is None:
            msg = f"since {rest.strip()!r}: {nearest(rest.strip(), SINCE) or 'expected ' + ', '.join(SINCE)}"
            raise UsageError(msg)
        navigator.since = mode
        return Done(f"SINCE  rows are marked against the {mode}")
    if verb in ("q", "quit"):
        return Done(leave=True)
    if not verb.lstrip("t")[:1].isdigit():
        msg = f"no command {verb!r}; give an address such as 42 or t42r3, set PATH=VALUE, reset, or q"
        raise UsageError(msg)
    navigator.go_to(words)
    return Done()
