"""Breakpoints: set on what is under the cursor, switched, edited, deleted, saved; going on to the next stop and back.

A run that finds no stop stays where it is and says so; it never jumps to an end silently.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from ctxinspect.errors import UsageError
from ctxinspect.pipeline.breakpoints import Breakpoints, dump_breakpoints, load_breakpoints
from ctxinspect.pipeline.hit_index import Direction, Stop, place_of
from ctxinspect.text.sanitize import one_line
from ctxinspect.trace.types import STAGES
from ctxinspect.tui.files import write_new
from ctxinspect.tui.prompts import Prompt
from ctxinspect.tui.stops import write_breaks
from ctxinspect.view.marks import GONE
from ctxinspect.view.proposals import proposals

if TYPE_CHECKING:
    from ctxinspect.tui.screens.inspect import InspectScreen

__all__ = ["ACTS", "ANSWERS", "COMMANDS", "arrive"]

_PANEL = 9


def _set(screen: InspectScreen, breaks: Breakpoints, text: str) -> None:
    """Take over another collection: look for its hits, keep it, say what happened."""
    navigator = screen.navigator
    navigator.breaks = breaks
    navigator.scout.watch(item.expression for item in breaks)
    screen.look_ahead()
    screen.draw()
    screen.say(text)
    if navigator.breaks_file is not None:
        try:
            write_breaks(navigator.breaks_file, breaks)
        except OSError as error:
            screen.say(f"{text}; not saved: {error.strerror}")


def _prompt(screen: InspectScreen) -> None:
    """Propose what fits the row; up and down go through the wider ones."""
    number = screen.desk.focus
    if number == _PANEL and screen.panel(_PANEL).key is not None:
        _edit(screen)
        return
    key = screen.panel(number).key if number != _PANEL else None
    found = proposals(screen.navigator.inspection(), number, None if key and key.startswith(GONE) else key)
    screen.ask(Prompt("break", "break on", "an expression, for example: topic margin<0.05", options=found), found[0])


def _add(screen: InspectScreen, text: str) -> None:
    breaks = screen.navigator.breaks.add(text)
    _set(screen, breaks, f"BREAK  B{breaks.last_id} on {text}")


def _add_once(screen: InspectScreen, text: str) -> None:
    breaks = screen.navigator.breaks.add(text, once=True)
    _set(screen, breaks, f"BREAK  B{breaks.last_id} on {text}, one time")


def _under(screen: InspectScreen) -> int:
    key = screen.panel(_PANEL).key
    if screen.desk.focus != _PANEL or key is None or not key.isdigit():
        raise UsageError("no breakpoint under the cursor; 9 goes to the breakpoints, b sets one")
    return int(key)


def _switch(screen: InspectScreen) -> None:
    number = _under(screen)
    breaks = screen.navigator.breaks.toggle(number)
    _set(screen, breaks, f"BREAK  B{number} {'on' if breaks.get(number).enabled else 'off'}")


def _delete(screen: InspectScreen) -> None:
    number = _under(screen)
    _set(screen, screen.navigator.breaks.remove(number), f"BREAK  B{number} deleted")


def _edit(screen: InspectScreen) -> None:
    number = _under(screen)
    prompt = Prompt("break edit", f"B{number} on", "an expression", about=str(number))
    screen.ask(prompt, screen.navigator.breaks.get(number).expression)


def _edited(screen: InspectScreen, number: int, text: str) -> None:
    _set(screen, screen.navigator.breaks.replace(number, text), f"BREAK  B{number} on {text}")


# --- running ---


def _run(direction: Direction) -> Callable[[InspectScreen], None]:
    def act(screen: InspectScreen) -> None:
        navigator = screen.navigator
        if not navigator.breaks.enabled:
            screen.say("STAY   no breakpoint is on; b sets one on this row, } and { go to events")
            return
        screen.seek(place_of(navigator.position, navigator.stage, navigator.decision), direction)

    return act


def arrive(screen: InspectScreen, stop: Stop) -> None:
    """Stand at a stop; breakpoints that stop one time only are gone now."""
    navigator = screen.navigator
    breaks, index, hit = navigator.breaks, navigator.scout.index, stop.hits[0]
    names = []
    for item in [item for item in breaks.enabled if item.id in stop.ids]:
        names.append(f"B{item.id} hit {index.rank(item.expression, stop.place)}/{index.count_text(item.expression)}")
        if item.once:
            breaks = breaks.remove(item.id)
    if not names:  # deleted, or switched off, while the search ran
        screen.say("STAY   the breakpoint that was searched for is no longer on")
        return
    if breaks is not navigator.breaks:
        _set(screen, breaks, "BREAK  a one-time breakpoint has stopped and is gone")
    stage = next((stage for stage in STAGES if stage == hit.stage), None)
    screen.move(lambda at: at.stand(hit.step, stage, hit.number))
    screen.say(f"{', '.join(names)}  {one_line(hit.text)}")


# --- commands ---


def _number(text: str) -> int:
    word = text.strip().removeprefix("B")
    if not word.isdigit():
        msg = f"{text.strip()!r} is no breakpoint number; the first column of panel 9 has them"
        raise UsageError(msg)
    return int(word)


def _b(screen: InspectScreen, rest: str) -> None:
    verb, _, path = rest.partition(" ")
    if verb == "save" and path.strip():
        _save(screen, path.strip())
    elif verb == "load" and path.strip():
        _load(screen, path.strip())
    elif verb in ("save", "load"):
        msg = f"b {verb}: expected a file, for example: b {verb} breaks.toml"
        raise UsageError(msg)
    elif rest.strip():
        _add(screen, rest.strip())
    else:
        _prompt(screen)


def _save(screen: InspectScreen, name: str) -> None:
    """Write them to a file for `lint --breaks`; `!` behind the name writes over one that is there."""
    breaks = screen.navigator.breaks
    if not len(breaks):
        raise UsageError("no breakpoint is set, so there is nothing to save; b sets one")
    file = Path(name.removesuffix("!").strip()).expanduser()
    try:
        write_new(file, dump_breakpoints(breaks).encode(), replace=name.endswith("!"))
    except OSError as error:
        msg = f"{file}: {error.strerror or error}"
        raise UsageError(msg) from None
    screen.say(f"BREAK  {len(breaks)} saved to {file}; ctxinspect lint --breaks {file} FILE runs them")


def _load(screen: InspectScreen, name: str) -> None:
    """Take the breakpoints of a file in the place of those that are set."""
    file = Path(name).expanduser()
    try:
        loaded = load_breakpoints(file)
    except OSError as error:
        msg = f"{file}: {error.strerror or error}"
        raise UsageError(msg) from None
    _set(screen, loaded, f"BREAK  {len(loaded)} loaded from {file}")


def _cond(screen: InspectScreen, rest: str) -> None:
    number, _, expression = rest.strip().partition(" ")
    if not expression.strip():
        raise UsageError("cond: expected a number and an expression, for example: cond 3 topic margin<0.05")
    _edited(screen, _number(number), expression.strip())


def _ignore(screen: InspectScreen, rest: str) -> None:
    number, _, count = rest.strip().partition(" ")
    if not count.strip().isdigit():
        raise UsageError("ignore: expected a number and a count, for example: ignore 3 5")
    item = _number(number)
    _set(
        screen,
        screen.navigator.breaks.with_ignore(item, int(count)),
        f"BREAK  B{item} passes over its first {count.strip()} stops",
    )


def _enabled(*, on: bool) -> Callable[[InspectScreen, str], None]:
    def command(screen: InspectScreen, rest: str) -> None:
        number = _number(rest)
        _set(screen, screen.navigator.breaks.toggle(number, enabled=on), f"BREAK  B{number} {'on' if on else 'off'}")

    return command


def _remove(screen: InspectScreen, rest: str) -> None:
    number = _number(rest)
    _set(screen, screen.navigator.breaks.remove(number), f"BREAK  B{number} deleted")


ACTS: Mapping[str, Callable[[InspectScreen], None]] = {
    "run.next": _run(1),
    "run.prev": _run(-1),
    "break.set": _prompt,
    "break.switch": _switch,
    "break.delete": _delete,
}
"""What each action id does."""

COMMANDS: Mapping[str, Callable[[InspectScreen, str], None]] = {
    "b": _b,
    "break": _b,
    "tb": _add_once,
    "cond": _cond,
    "ignore": _ignore,
    "enable": _enabled(on=True),
    "disable": _enabled(on=False),
    "delete": _remove,
}
"""What each word of the command line does."""

ANSWERS: Mapping[str, Callable[[InspectScreen, str, str], None]] = {
    "break": lambda screen, _, text: _add(screen, text),
    "break edit": lambda screen, about, text: _edited(screen, _number(about), text),
}
"""What is done with the answer to each kind of question."""
