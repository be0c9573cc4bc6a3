"""The command line: addresses, settings, and every action by its name; unique prefixes and gdb's words will do."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ctxinspect.errors import UsageError
from ctxinspect.settings import setting_paths
from ctxinspect.text.nearest import nearest
from ctxinspect.tui import stepping
from ctxinspect.tui.actions import VERBS
from ctxinspect.tui.acts import asking, finding, reading, stops
from ctxinspect.tui.prompts import Prompt
from ctxinspect.tui.state import SINCE

if TYPE_CHECKING:
    from ctxinspect.tui.screens.inspect import InspectScreen

__all__ = ["ANSWERS", "COMMAND", "COMMANDS", "run_typed"]

_GDB: Mapping[str, str] = {
    "n": "request.next",
    "rn": "request.prev",
    "s": "step.next",
    "rs": "step.prev",
    "c": "run.next",
    "rc": "run.prev",
    "up": "level.out",
    "finish": "level.out",
}
"""What a debugger's user types without thinking."""


def _set(screen: InspectScreen, rest: str) -> None:
    if "=" not in rest:
        raise UsageError("set: expected PATH=VALUE, for example: set window.strategy=aggressive")
    screen.navigator.set_fork(rest.strip())
    screen.changed(f"FORK   --set {' --set '.join(screen.navigator.fork_flags)}")


def _reset(screen: InspectScreen, rest: str) -> None:
    del rest
    screen.navigator.reset_fork()
    screen.changed("RESET  the fork is dropped; the recording was never touched")


def _since(screen: InspectScreen, rest: str) -> None:
    mode = next((mode for mode in SINCE if mode == rest.strip()), None)
    if mode is None:
        msg = f"since {rest.strip()!r}: {nearest(rest.strip(), SINCE) or 'expected ' + ', '.join(SINCE)}"
        raise UsageError(msg)
    if mode == "mark" and screen.navigator.mark is None:
        raise UsageError("no mark is set; m marks this request, then rows can be marked against it")
    screen.navigator.since = mode
    screen.draw()
    screen.say(f"SINCE  rows are marked against the {screen.since_text()}")


def _quit(screen: InspectScreen, rest: str) -> None:
    del rest
    screen.app.exit()


COMMANDS: Mapping[str, Callable[[InspectScreen, str], None]] = {
    "set": _set,
    "reset": _reset,
    "since": _since,
    "q": _quit,
    "quit": _quit,
    **stops.COMMANDS,
    **reading.COMMANDS,
    **asking.COMMANDS,
    **finding.COMMANDS,
}
"""What each word of the command line does, given the rest of the line."""

COMMAND = Prompt(
    "command",
    ":",
    "42 or t42r3.window; set PATH=VALUE; b EXPR; since mark; any action's name; q",
    (
        *(f"set {path}=" for path in setting_paths()),
        *(f"since {mode}" for mode in SINCE),
        *sorted(COMMANDS),
        *sorted(VERBS),
    ),
)
"""The question that `:` asks."""


def run_typed(screen: InspectScreen, words: str) -> None:
    """Do what was typed. Raises UsageError or SettingsError saying what would be right."""
    verb, _, rest = words.strip().partition(" ")
    if verb[:1] in "+-" and verb[1:].isdigit():
        screen.move(lambda at: stepping.move_turn(at, int(verb)))
    elif verb.lstrip("t")[:1].isdigit():
        screen.move(lambda at: at.go_to(words))
    elif words in VERBS or (verb in _GDB and not rest):
        screen.action_act(VERBS.get(words) or _GDB[verb])
    elif verb in COMMANDS:
        COMMANDS[verb](screen, rest)
    else:
        _by_prefix(screen, verb, rest)


def _by_prefix(screen: InspectScreen, verb: str, rest: str) -> None:
    names = sorted({*COMMANDS, *VERBS})
    found = [name for name in names if name.startswith(verb)]
    if len(found) == 1:
        run_typed(screen, f"{found[0]} {rest}".strip())
        return
    if found:
        msg = f"{verb!r} could be {', '.join(found)}"
        raise UsageError(msg)
    hint = (
        nearest(verb, names) or "expected an address such as 42 or t42r3, set PATH=VALUE, b EXPR, or an action's name"
    )
    msg = f"no command {verb!r}; {hint}"
    raise UsageError(msg)


ANSWERS: Mapping[str, Callable[[InspectScreen, str, str], None]] = {
    COMMAND.kind: lambda screen, _, text: run_typed(screen, text)
}
"""What is done with the answer to each kind of question."""
