"""Questions about a text or about two requests: why, track, diff. The answers are worked out beside the screen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ctxinspect.errors import UsageError
from ctxinspect.pipeline.compare import compare_steps
from ctxinspect.pipeline.plan import Step
from ctxinspect.pipeline.track import Track, track
from ctxinspect.pipeline.why import Why, why
from ctxinspect.tui.prompts import Prompt
from ctxinspect.tui.screens.diff import DiffScreen
from ctxinspect.tui.state import view_behind
from ctxinspect.view.address import parse_address
from ctxinspect.view.asked import row_text
from ctxinspect.view.inspection import ViewLabel, position_text
from ctxinspect.view.table import Cell, Detail
from ctxinspect.view.track import track_lines, track_strip
from ctxinspect.view.why import why_lines

if TYPE_CHECKING:
    from ctxinspect.tui.screens.inspect import InspectScreen
    from ctxinspect.tui.screens.workbench import Progress

__all__ = ["ACTS", "ANSWERS", "COMMANDS"]

_WHY = Prompt("why", "why", "words to look for in the whole session: why are they in this request, or not")
_TRACK = Prompt("track", "track", "words to follow through every request")


def _selected(screen: InspectScreen) -> str:
    """The text selected with the mouse, else what the row under the cursor is about."""
    selected = screen.get_selected_text()
    if selected:
        return selected.strip()
    return row_text(screen.navigator.inspection(), screen.desk.focus, screen.panel(screen.desk.focus).key)


# --- why ---


def _why(screen: InspectScreen, text: str) -> None:
    navigator = screen.navigator
    scout, step, view = navigator.scout, navigator.position, view_behind(navigator.label)
    where = _named(screen, step)

    def job(tell: Progress) -> Why:
        with scout.borrowed() as replay:
            return why(replay, step, text, view=view, progress=tell)

    def show(found: Why) -> None:
        blocks = tuple(Cell(line) for line in why_lines(found))
        screen.read(Detail(f"WHY {text!r} in {where}", blocks))
        screen.say(f"WHY    {found.count('in')} in, {found.count('partly')} partly, {found.count('out')} out: {text}")

    screen.work_out("why", job, show)


# --- track ---


def _track(screen: InspectScreen, text: str) -> None:
    navigator = screen.navigator
    scout, view = navigator.scout, view_behind(navigator.label)

    def job(tell: Progress) -> Track:
        with scout.borrowed() as replay:
            return track(replay, [text], view=view, progress=tell)

    def show(found: Track) -> None:
        strip = track_strip(found, max(10, screen.size.width - 4))
        blocks = (Cell(strip, "title"), Cell("# in, + partly, . out; a cell a request, first to last", "dim"), Cell(""))
        screen.read(Detail(f"TRACK {text!r}", (*blocks, *(Cell(line) for line in track_lines(found)))))
        screen.say(f"TRACK  {text}")

    screen.work_out("track", job, show)


# --- diff ---


def _named(screen: InspectScreen, step: Step) -> str:
    return position_text(step, len(screen.navigator.replay.session.turns))


def _diff_steps(screen: InspectScreen, before: Step, after: Step) -> None:
    navigator = screen.navigator
    replay, view = navigator.replay_of(navigator.label), view_behind(navigator.label)
    found = compare_steps(replay, before, replay, after, views=(view, view))
    title = f"DIFF {_named(screen, before)} -> {_named(screen, after)} {navigator.label}"
    screen.app.push_screen(DiffScreen(title, found))
    screen.say(title)


def _diff_reference(screen: InspectScreen) -> None:
    before = screen.navigator.reference
    if before is None:
        msg = f"no {screen.since_text()} to compare with; M chooses another reference, :diff 41 42 compares any two"
        raise UsageError(msg)
    _diff_steps(screen, before, screen.navigator.position)


def _diff_mark(screen: InspectScreen) -> None:
    mark = screen.navigator.mark
    if mark is None:
        raise UsageError("no mark is set; m marks this request, D then compares with it")
    _diff_steps(screen, mark, screen.navigator.position)


def _diff_views(screen: InspectScreen) -> None:
    """This request under the two views that stand beside each other: recording and replay, or replay and fork."""
    navigator = screen.navigator
    labels = navigator.labels
    if len(labels) < 2:
        raise UsageError("one view only: w or :set PATH=VALUE makes a FORK to compare with")
    sides: tuple[ViewLabel, ViewLabel] = ("REPLAY", "FORK") if navigator.forked is not None else ("RECORDED", "REPLAY")
    before, after = (navigator.replay_of(label) for label in sides)
    views = (view_behind(sides[0]), view_behind(sides[1]))
    found = compare_steps(before, navigator.position, after, navigator.position, views=views)
    title = f"DIFF {navigator.address} {sides[0]} -> {sides[1]}"
    screen.app.push_screen(DiffScreen(title, found))
    screen.say(title)


def _diff(screen: InspectScreen, rest: str) -> None:
    words = rest.split()
    if not words:
        _diff_reference(screen)
    elif words == ["mark"]:
        _diff_mark(screen)
    elif words in (["fork"], ["recorded"], ["views"]):
        _diff_views(screen)
    elif len(words) in (1, 2):
        replay = screen.navigator.replay
        steps = [replay.step(address.turn, address.request) for address in map(parse_address, words)]
        _diff_steps(screen, steps[0], steps[1] if len(steps) == 2 else screen.navigator.position)
    else:
        raise UsageError("diff: expected one or two addresses, mark, or views; for example: diff 41 42")


def _ask(prompt: Prompt) -> Callable[[InspectScreen], None]:
    return lambda screen: screen.ask(prompt, _selected(screen))


def _asked(prompt: Prompt, answer: Callable[[InspectScreen, str], None]) -> Callable[[InspectScreen, str], None]:
    def command(screen: InspectScreen, rest: str) -> None:
        if rest.strip():
            answer(screen, rest.strip())
        else:
            screen.ask(prompt, _selected(screen))

    return command


ACTS: Mapping[str, Callable[[InspectScreen], None]] = {
    "why": _ask(_WHY),
    "track": _ask(_TRACK),
    "diff": _diff_reference,
    "diff.mark": _diff_mark,
    "diff.views": _diff_views,
}
"""What each action id does."""

COMMANDS: Mapping[str, Callable[[InspectScreen, str], None]] = {
    "why": _asked(_WHY, _why),
    "track": _asked(_TRACK, _track),
    "diff": _diff,
}
"""What each word of the command line does."""

ANSWERS: Mapping[str, Callable[[InspectScreen, str, str], None]] = {
    "why": lambda screen, _, text: _why(screen, text),
    "track": lambda screen, _, text: _track(screen, text),
}
"""What is done with the answer to each kind of question."""
