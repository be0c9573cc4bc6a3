"""The inspector: one request in nine panels. Keys move the navigator and the desk; both are drawn; nothing else is kept.

Every widget is mounted once; the plan of the size decides which are seen, and only those are filled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.screen import Screen
from textual.worker import Worker, WorkerState, get_current_worker

from ctxinspect.errors import CtxInspectError
from ctxinspect.tui.actions import footer_text
from ctxinspect.tui.commands import run_command
from ctxinspect.tui.jobs import summaries
from ctxinspect.tui.layout import MIN_HEIGHT, MIN_WIDTH, Area, plan
from ctxinspect.tui.messages import Indexed
from ctxinspect.tui.screens.reading import ReadingScreen
from ctxinspect.tui.state import Desk, Navigator
from ctxinspect.tui.widgets.bindings import bindings_for
from ctxinspect.tui.widgets.command_line import CommandLine
from ctxinspect.tui.widgets.line_list import LineList
from ctxinspect.tui.widgets.planned import PlannedLayout
from ctxinspect.tui.widgets.row import LineRow, Rule
from ctxinspect.tui.widgets.text_view import TextView
from ctxinspect.view.header import header_line, timeline
from ctxinspect.view.messages import messages_table
from ctxinspect.view.narration import log_line
from ctxinspect.view.panels import PANELS, panel_named
from ctxinspect.view.sentence import request_sentence
from ctxinspect.view.stages import stage_line
from ctxinspect.view.table import Cell, Detail

if TYPE_CHECKING:
    from collections.abc import Callable

    from textual.app import ComposeResult
    from textual.binding import BindingType
    from textual.layout import Layout

    from ctxinspect.pipeline.plan import Step
    from ctxinspect.view.inspection import Inspection, ViewLabel

__all__ = ["InspectScreen"]

_ROWS = ("header", "sentence", "timeline", "stages", "tabs", "log", "footer", "hint")
_RULES = 6
_BATCH = 50
"""Summaries that arrive together."""


class InspectScreen(Screen[None]):
    """Draws the state of an inspection."""

    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = bindings_for("inspect")

    def __init__(self, navigator: Navigator) -> None:
        super().__init__()
        self.navigator = navigator
        self.desk = Desk(focus=7 if navigator.label == "RECORDED" else 3)
        self._planned = PlannedLayout(self.areas)
        self._placed: tuple[Area, ...] = ()
        self._drawn: tuple[Step, ViewLabel] | None = None
        move, desk = navigator, self.desk
        self._moves: dict[str, Callable[[], str | None]] = {
            "request.next": lambda: move.move_request(1),
            "request.prev": lambda: move.move_request(-1),
            "turn.next": lambda: move.move_turn(1),
            "turn.prev": lambda: move.move_turn(-1),
            "event.next": lambda: move.move_event(1),
            "event.prev": lambda: move.move_event(-1),
            "request.first": lambda: move.move_end(last=False),
            "request.last": lambda: move.move_end(last=True),
            "panel.next": lambda: desk.focus_by(1),
            "panel.prev": lambda: desk.focus_by(-1),
            "zoom": lambda: desk.focus_panel(desk.focus),
            "back": desk.leave_zoom,
            **{f"panel.{spec.number}": lambda n=spec.number: desk.focus_panel(n) for spec in PANELS},  # type: ignore[misc]
        }
        self._others: dict[str, Callable[[], None]] = {
            "view.cycle": self._cycle_view,
            "text": self._open_text,
            "log": lambda: self._read(Detail("LOG", (Cell("\n".join(desk.log) or "no move yet"),))),
            "command": self._ask,
        }

    # --- building ---

    def compose(self) -> ComposeResult:
        """Every row, rule and panel there will ever be."""
        for name in _ROWS:
            yield LineRow(id=name)
        for spec in PANELS:
            yield LineList(str(spec.number), id=f"panel-{spec.number}")
        yield LineList(id="compare")
        yield TextView(id="detail")
        for number in range(_RULES):
            yield Rule(id=f"rule-{number}")
        yield CommandLine(id="command")

    @property
    def layout(self) -> Layout:
        """Widgets stand where the plan says."""
        return self._planned

    def areas(self, width: int, height: int) -> tuple[Area, ...]:
        """The plan for this size, focus and zoom; the command line takes the log row while it is open."""
        compare = self.navigator.other_label is not None
        caps = {"panel-3": max(4, len(self._panel(3).table.rows) + 2)}
        if self.navigator.label == "RECORDED":
            caps = dict.fromkeys(("panel-2", "panel-3", "row-a"), 3)
        areas = plan(width, height, focus=self.desk.focus, zoom=self.desk.zoom, compare=compare, caps=caps)
        command = self.query(CommandLine).first()
        if not command.display:
            return areas
        return tuple(Area("command", a.x, a.y, a.width, a.height) if a.name == "log" else a for a in areas)

    def on_mount(self) -> None:
        """Start the index; the first size event draws."""
        self.say(self._told())
        self._index()

    # --- the whole session, in the background ---

    @work(thread=True, exclusive=True, exit_on_error=False, group="index")
    def _index(self) -> None:
        worker = get_current_worker()
        navigator = self.navigator
        label = navigator.label
        batch = []
        found = summaries(
            navigator.replay_of(label), navigator.view_of(label), navigator.index, lambda: worker.is_cancelled
        )
        for summary in found:
            batch.append(summary)
            if len(batch) >= _BATCH:
                self.post_message(Indexed(label, tuple(batch)))
                batch = []
        self.post_message(Indexed(label, tuple(batch)))

    def on_indexed(self, message: Indexed) -> None:
        """Summaries have arrived: the strip and the turns show more."""
        if message.label == self.navigator.label:
            self.navigator.take(message.summaries)
            self._draw_timeline()
            if "panel-1" in self._visible():
                self._panel(1).redraw()

    # --- acting ---

    def action_act(self, action: str) -> None:
        """Do an action of the registry by its id."""
        if action in self._others:
            self._others[action]()
            return
        before = self.navigator.position
        stayed = self._moves[action]()
        self._draw()
        if stayed is not None:
            self.say(stayed)
        elif before != self.navigator.position:
            self.say(self._told())

    def say(self, text: str) -> None:
        """One line in the log row, opened by the position; the log keeps it."""
        self.desk.log.append(f"{self.navigator.address}  {text}")
        self._row("log").show([Cell(f" {self.navigator.address}  ", "title"), Cell(text, "dim")])

    def _cycle_view(self) -> None:
        shown = self.navigator.cycle_view()
        if shown is None:
            self.say("STAY   a native session has one view, its REPLAY; :set PATH=VALUE makes a FORK beside it")
            return
        self.changed(f"VIEW   {shown}")

    def changed(self, text: str) -> None:
        """Another view or fork: everything is drawn and indexed again."""
        self._draw()
        self._index()
        self.say(text)

    def _ask(self) -> None:
        self.query_one(CommandLine).ask()
        self._place()

    def _open_text(self) -> None:
        """Everything about the row; in the turns panel, go to that turn."""
        key = self._panel(self.desk.focus).key
        if self.desk.focus == 1 and key is not None and int(key) != self.navigator.position.turn:
            self.navigator.go_to(key)
            self._draw()
            self.say(self._told())
            return
        self._read(self._detail())

    def _read(self, detail: Detail) -> None:
        self.app.push_screen(ReadingScreen(detail))

    def on_command_line_given(self, message: CommandLine.Given) -> None:
        """Run what was typed; what is wrong with it is said in the log row."""
        self._place()
        self._panel(self.desk.focus).focus(scroll_visible=False)
        if not message.text:
            return
        try:
            done = run_command(self.navigator, message.text)
        except CtxInspectError as error:
            self.say(f"ERROR  {error}")
            return
        if done.leave:
            self.app.exit()
        elif done.view_changed:
            self.changed(done.text)
        else:
            self._draw()
            self.say(done.text or self._told())

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Work that failed is said, never lost."""
        if event.state is WorkerState.ERROR:
            self.say(f"ERROR  the index stopped: {type(event.worker.error).__name__}: {event.worker.error}")

    def on_line_list_moved(self, message: LineList.Moved) -> None:
        """Another row: explain it."""
        if message.source.id == f"panel-{self.desk.focus}":
            self._draw_detail()

    def on_line_list_opened(self, message: LineList.Opened) -> None:
        """A double click reads the row in full."""
        message.stop()
        self._open_text()

    def on_descendant_focus(self) -> None:
        """A click into a panel gives it the keys."""
        focused = self.focused
        if isinstance(focused, LineList) and focused.number and int(focused.number) != self.desk.focus:
            self.desk.focus = int(focused.number)
            self._draw()

    def on_resize(self) -> None:
        """Another size: other areas, the same position and rows."""
        self._draw()

    # --- drawing ---

    def _panel(self, number: int) -> LineList:
        return self.query_one(f"#panel-{number}", LineList)

    def _row(self, name: str) -> LineRow:
        return self.query_one(f"#{name}", LineRow)

    def _visible(self) -> set[str]:
        return {area.name for area in self.areas(*self.size)}

    def _told(self) -> str:
        inspection = self.navigator.inspection()
        return log_line(inspection.trace)

    def _draw(self) -> None:
        """Draw the position in every panel that is seen."""
        inspection = self.navigator.inspection()
        visible = self._visible()
        opened = self._opening_rows(inspection)
        with self.app.batch_update():
            self._draw_rows(inspection)
            for spec in PANELS:
                if spec.number in opened or f"panel-{spec.number}" in visible:
                    self._panel(spec.number).show(spec.table(inspection), opened.get(spec.number))
            self._place()
            other = self.navigator.other_label
            if other is not None and "compare" in visible:
                self.query_one("#compare", LineList).show(messages_table(self.navigator.inspection(other)))
            if not self.query_one(CommandLine).display:
                self._panel(self.desk.focus).focus(scroll_visible=False)
            self._draw_detail()

    def _place(self) -> None:
        """Arrange anew where the plan is another; a child has to ask, or the toolkit keeps its arrangement."""
        areas = self.areas(*self.size)
        if areas != self._placed:
            self._placed = areas
            self._row("header").refresh(layout=True)

    def _opening_rows(self, inspection: Inspection) -> dict[int, str | None]:
        """By panel, the row a new position opens at: its turn, the rule that fired, the first message that is new.

        The components are always among them: the plan asks how many there are.
        """
        trace = inspection.trace
        rows: dict[int, str | None] = {1: str(trace.turn_id), 3: None}
        here = (inspection.step, inspection.label)
        if here != self._drawn:
            self._drawn = here
            rows[2] = trace.gate.rule if trace.gate else None
            rows[7] = str(trace.prefix.common_messages) if trace.prefix else "0"
        return rows

    def _draw_rows(self, inspection: Inspection) -> None:
        width, height = self.size
        self._row("header").show(header_line(inspection, width))
        sentence = request_sentence(inspection.trace, fates=inspection.fates, width=width - 1)
        self._row("sentence").show([Cell(f" {sentence}", "highlight")])
        self._draw_timeline()
        self._row("stages").show(stage_line(inspection.trace, width, here=self.desk.stage))
        tabs: list[Cell] = []
        for spec in PANELS:
            text = f"{spec.number}{spec.short}"
            here = spec.number == self.desk.focus
            tabs += [Cell(" "), Cell(f"[{text}]" if here else text, "title" if here else "dim")]
        self._row("tabs").show(tabs)
        self._row("footer").show([Cell(footer_text("inspect", width=width), "dim")])
        self._row("hint").show([Cell(f"terminal {width}x{height}, need {MIN_WIDTH}x{MIN_HEIGHT}")])

    def _draw_timeline(self) -> None:
        letters = self.navigator.turn_letters()
        self._row("timeline").show(timeline(letters, self.navigator.position.turn, self.size.width))

    def _detail(self) -> Detail:
        spec = panel_named(self.desk.focus)
        panel = self._panel(spec.number)
        if panel.key is None:
            return Detail(spec.name, (Cell(panel.table.empty),))
        return spec.detail(self.navigator.inspection(), panel.key)

    def _draw_detail(self) -> None:
        if "detail" in self._visible():
            self.query_one("#detail", TextView).show(self._detail())
