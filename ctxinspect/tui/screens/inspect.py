"""The inspector: one request in nine panels. Acts move the navigator and the desk; the board draws where they stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ctxinspect.errors import CtxInspectError
from ctxinspect.readers import Follower
from ctxinspect.tui.acts.files import watch_file
from ctxinspect.tui.acts.finding import Search, refilter, turned
from ctxinspect.tui.acts.registry import ACTS, ANSWERS
from ctxinspect.tui.acts.stops import arrive
from ctxinspect.tui.messages import Sought
from ctxinspect.tui.screens.reading import ReadingScreen
from ctxinspect.tui.screens.workbench import Workbench
from ctxinspect.tui.widgets.bindings import bindings_for
from ctxinspect.tui.widgets.command_line import CommandLine
from ctxinspect.tui.widgets.line_list import LineList
from ctxinspect.view.decisions import STAGE_PANELS, decision_at
from ctxinspect.view.narration import log_line
from ctxinspect.view.panels import panel_named
from ctxinspect.view.table import Cell, Detail

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.binding import BindingType

    from ctxinspect.tui.prompts import Prompt
    from ctxinspect.tui.state import Navigator

__all__ = ["InspectScreen"]

_POLL = 0.5
"""Seconds between two looks at a followed file."""


class InspectScreen(Workbench):
    """One session, one position, nine panels: what the keys do."""

    BINDINGS: ClassVar[list[BindingType]] = bindings_for("inspect")

    search: Search = Search()
    """What was looked for last."""
    follower: Follower | None = None
    """What reads the file again, once it was asked for."""
    unread = False
    """Whether a reading was begun that another question took the place of, so that it was never shown."""

    def on_mount(self) -> None:
        """Start to look ahead; the first size event draws."""
        self.say(self.navigator.notice or self.told())
        self.look_ahead()
        self.set_interval(_POLL, lambda: watch_file(self))

    def on_sought(self, message: Sought) -> None:
        """Stand at the stop, or say that there is none, or how far the search is."""
        navigator = self.navigator
        if message.epoch != navigator.epoch:
            return
        if message.found is not None:
            arrive(self, message.found)
        elif message.over:
            way = "after" if message.direction > 0 else "before"
            on = len(navigator.breaks.enabled)
            self.say(f"STAY   no stop {way} {navigator.address} ({on} breakpoint{'' if on == 1 else 's'} on)")
        else:
            self.say(f"RUN    {message.done}/{len(navigator.replay.steps)} requests looked at; esc gives up")

    def action_act(self, action: str) -> None:
        """Do an action of the registry by its id."""
        try:
            if action == "level.out" and self.stop_running():
                self.unread = False
                return
            ACTS[action](self)
        except CtxInspectError as error:
            self.say(f"ERROR  {error}")

    def move(self, move: Callable[[Navigator], str | None]) -> None:
        """Move, draw, and say where we are now or why we stayed; a stage brings its panel to the front."""
        navigator = self.navigator
        before = (navigator.position, navigator.stage, navigator.decision)
        stayed = move(navigator)
        staged = (navigator.stage, navigator.decision) != before[1:]
        if staged and navigator.stage is not None:
            self.desk.focus = STAGE_PANELS[navigator.stage]
        self.draw()
        if stayed is not None:
            self.say(stayed)
        elif before != (navigator.position, navigator.stage, navigator.decision):
            self.say(self.told())

    def told(self) -> str:
        """The line of the log for the position: the decision we stand at, else the request."""
        navigator = self.navigator
        trace = navigator.trace(navigator.label)
        if navigator.stage is not None and navigator.decision is not None:
            found = decision_at(trace, navigator.stage, navigator.decision)
            if found is not None:
                return found.text
        return log_line(trace)

    def say_focus(self) -> None:
        """Say which panel has the keys, for whoever follows the log instead of the picture."""
        spec = panel_named(self.desk.focus)
        self.say(f"PANEL  {spec.number} {spec.name}{', whole screen' if self.desk.zoom else ''}: {spec.help}")

    def changed(self, text: str) -> None:
        """Another view or fork: everything is drawn and indexed again."""
        self.draw()
        self.look_ahead()
        self.say(text)
        refilter(self)

    def take_over(self, navigator: Navigator) -> None:
        """Show another navigator: the same session, read again."""
        self.navigator = navigator
        self.draw()
        self.look_ahead()
        refilter(self)

    def ask(self, prompt: Prompt, value: str = "") -> None:
        """Open the prompt row with a question; the answer goes to what `ANSWERS` has for its kind."""
        self.row("sign").show([Cell(f" {prompt.sign}", "title")])
        self.query_one(CommandLine).ask(prompt, value)
        self.place()

    def read(self, detail: Detail) -> None:
        """Show a text in a full screen."""
        self.app.push_screen(ReadingScreen(detail))

    def on_command_line_given(self, message: CommandLine.Given) -> None:
        """Act on the answer; what is wrong with it is said in the log row."""
        self.place()
        self.take_keys()
        if not message.text:
            return
        try:
            ANSWERS[message.prompt.kind](self, message.prompt.about, message.text)
        except CtxInspectError as error:
            self.say(f"ERROR  {error}")

    def on_command_line_turned(self, message: CommandLine.Turned) -> None:
        """Tab or ctrl+r in the prompt of a search."""
        if message.prompt.kind == "search":
            turned(self, message.key)

    def on_line_list_moved(self, message: LineList.Moved) -> None:
        """Another row: explain it."""
        if message.source.id == f"panel-{self.desk.focus}":
            self.draw_detail()

    def on_line_list_opened(self, message: LineList.Opened) -> None:
        """A double click reads the row in full."""
        message.stop()
        self.action_act("text")

    def on_descendant_focus(self) -> None:
        """A click into a panel gives it the keys."""
        focused = self.focused
        if isinstance(focused, LineList) and focused.number and int(focused.number) != self.desk.focus:
            self.desk.focus = int(focused.number)
            self.draw()
            self.say_focus()
