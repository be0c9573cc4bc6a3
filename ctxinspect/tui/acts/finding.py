"""Search and filter: looking for a text, going from match to match, showing only turns where something holds.

A number of matches is said only when the scan is over; while it runs its progress is said instead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ctxinspect.errors import UsageError
from ctxinspect.pipeline.plan import Step
from ctxinspect.pipeline.predicate import parse
from ctxinspect.text.sanitize import one_line
from ctxinspect.tui.prompts import Prompt
from ctxinspect.tui.widgets.command_line import CommandLine
from ctxinspect.view.search import (
    SCOPES,
    Pattern,
    Place,
    Scope,
    find_in_panel,
    find_in_request,
    find_in_session,
)

if TYPE_CHECKING:
    from ctxinspect.tui.screens.inspect import InspectScreen
    from ctxinspect.tui.screens.workbench import Progress

__all__ = ["ACTS", "ANSWERS", "COMMANDS", "Search", "refilter", "turned"]

_FILTER = Prompt(
    "filter", "only turns where", "an expression such as: drop role=tool; ! before it: where it does not hold"
)


@dataclass(frozen=True)
class Search:
    """What is looked for and where; the places are of the request and panel they were looked for in."""

    text: str = ""
    scope: Scope = "panel"
    is_regex: bool = False
    found: tuple[Place, ...] | None = None
    of: tuple[Step, int] | None = None
    """Request and panel that were searched; null for the whole session."""


# --- search ---


def _prompt(search: Search) -> Prompt:
    kind = "regex" if search.is_regex else "text"
    return Prompt("search", f"/ {kind} in {search.scope}:", "tab: panel, request, session; ctrl+r: regular expression")


def _ask(screen: InspectScreen) -> None:
    screen.ask(_prompt(screen.search))


def turned(screen: InspectScreen, key: str) -> None:
    """Tab in the prompt goes to the next scope, ctrl+r turns regular expressions on and off."""
    search = screen.search
    if key == "tab":
        search = replace(search, scope=SCOPES[(SCOPES.index(search.scope) + 1) % len(SCOPES)])
    else:
        search = replace(search, is_regex=not search.is_regex)
    screen.search = search
    screen.ask(_prompt(search), screen.query_one(CommandLine).value)


def _look(screen: InspectScreen, by: int) -> None:
    """Scan, then go to the first match from the cursor on."""
    search, navigator = screen.search, screen.navigator
    panel = screen.desk.focus
    inspection = navigator.inspection()
    pattern = Pattern(search.text, search.is_regex)

    def job(tell: Progress) -> tuple[Place, ...]:
        if search.scope == "panel":
            return find_in_panel(inspection, panel, pattern)
        if search.scope == "request":
            return find_in_request(inspection, pattern, tell)
        session, step_of = navigator.replay.session, navigator.replay.step
        return find_in_session(session, pattern, step_of, inspection.step, tell)

    def show(found: tuple[Place, ...]) -> None:
        of = None if search.scope == "session" else (inspection.step, panel if search.scope == "panel" else 0)
        screen.search = replace(search, found=found, of=of)
        slow = f"; {pattern.slow} texts were given up: the expression is too slow for them" if pattern.slow else ""
        if found:
            _go(screen, by, slow)
        else:
            screen.say(f"FIND   0 matches of {search.text!r} in this {search.scope}{slow}; / then tab widens the scope")

    screen.work_out("find", job, show)


def _go(screen: InspectScreen, by: int, more: str = "") -> None:
    """To the nearest match in a direction, round the end."""
    search, navigator = screen.search, screen.navigator
    found = search.found or ()
    at = _nearest(screen, found, by)
    place = found[at]
    if place.step != navigator.position:
        screen.move(lambda here: here.stand(place.step, here.stage))
    if screen.desk.focus != place.panel:
        screen.desk.focus = place.panel
    screen.draw()
    screen.panel(place.panel).go_to_key(place.key)
    screen.draw_detail()
    text = one_line(place.around)
    screen.say(f"FIND   match {at + 1} of {len(found)} in this {search.scope}: ...{text}...{more}")


def _nearest(screen: InspectScreen, found: tuple[Place, ...], by: int) -> int:
    steps = {step: at for at, step in enumerate(screen.navigator.replay.steps)}
    panel = screen.panel(screen.desk.focus)

    def rank(place: Place) -> tuple[int, int, int]:
        row = screen.panel(place.panel).table.index(place.key) if place.step == screen.navigator.position else -1
        return steps.get(place.step, 0), place.panel, -1 if row is None else row

    here = (screen.navigator.index, screen.desk.focus, panel.cursor if panel.key is not None else -1)
    ranks = [rank(place) for place in found]
    if by > 0:
        return next((at for at, own in enumerate(ranks) if own > here), 0)
    return next((at for at in range(len(ranks) - 1, -1, -1) if ranks[at] < here), len(ranks) - 1)


def _again(by: int) -> Callable[[InspectScreen], None]:
    def act(screen: InspectScreen) -> None:
        search = screen.search
        if not search.text:
            raise UsageError("nothing was looked for yet; / asks for a text")
        panel = screen.desk.focus if search.scope == "panel" else 0
        fresh = search.scope == "session" or search.of == (screen.navigator.position, panel)
        if search.found and fresh:
            _go(screen, by)
        else:
            _look(screen, by)

    return act


def _search(screen: InspectScreen, text: str) -> None:
    screen.search = replace(screen.search, text=text, found=None)
    _look(screen, 1)


# --- filter ---


def _toggle_filter(screen: InspectScreen) -> None:
    if screen.navigator.only is not None:
        screen.navigator.only = None
        screen.draw()
        screen.say("FILTER off: all turns are listed")
        return
    screen.ask(_FILTER)


def refilter(screen: InspectScreen) -> None:
    """List anew what the filter lists: the view, the fork or the file is another one."""
    if screen.navigator.only is not None:
        _filter(screen, screen.navigator.only[0], told=False)


def _filter(screen: InspectScreen, text: str, *, told: bool = True) -> None:
    """List only the turns in which the expression holds somewhere (`!`: in none of whose requests it does)."""
    expression = text.strip()
    negated = expression.startswith("!")
    expression = expression.removeprefix("!").strip()
    parse(expression)
    navigator = screen.navigator
    scout, epoch, turns = navigator.scout, navigator.epoch, len(navigator.replay.session.turns)
    total = len(navigator.replay.steps)

    def job(tell: Progress) -> tuple[int, ...]:
        scout.watch([expression])
        with scout.borrowed():
            for done, _ in enumerate(scout.index.scan(), 1):
                tell(done, total)
        holds = {hit.step.turn for hit in scout.index.hits(expression)}
        return tuple(turn for turn in range(turns) if (turn in holds) != negated)

    def show(found: tuple[int, ...]) -> None:
        if screen.navigator.epoch != epoch:  # found under another view
            _filter(screen, text)
            return
        screen.navigator.only = (text, found) if found else None
        screen.draw()
        if not found:
            screen.say(f"FILTER 0 of {turns} turns match `{text}`; all are listed")
        elif told:
            screen.say(f"FILTER {len(found)} of {turns} turns match `{text}`; f lists all again")

    screen.work_out("filter", job, show)


ACTS: Mapping[str, Callable[[InspectScreen], None]] = {
    "search": _ask,
    "search.next": _again(1),
    "search.prev": _again(-1),
    "filter": _toggle_filter,
}
"""What each action id does."""

COMMANDS: Mapping[str, Callable[[InspectScreen, str], None]] = {
    "filter": lambda screen, rest: _filter(screen, rest) if rest.strip() else _toggle_filter(screen),
    "find": lambda screen, rest: _search(screen, rest.strip()) if rest.strip() else _ask(screen),
}
"""What each word of the command line does."""

ANSWERS: Mapping[str, Callable[[InspectScreen, str, str], None]] = {
    "search": lambda screen, _, text: _search(screen, text),
    "filter": lambda screen, _, text: _filter(screen, text),
}
"""What is done with the answer to each kind of question."""
