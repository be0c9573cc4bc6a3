"""What the inspector looks like: every widget mounted once, placed by the plan of the size, filled from one inspection.

Drawing changes nothing but the screen; what is seen follows from the navigator and the desk alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.reactive import Reactive
from textual.screen import Screen
from textual.widget import Widget

from ctxinspect.tui.actions import bound_keys, footer_text
from ctxinspect.tui.layout import MIN_HEIGHT, MIN_WIDTH, Area, plan
from ctxinspect.tui.state import Desk, Navigator
from ctxinspect.tui.widgets.command_line import CommandLine
from ctxinspect.tui.widgets.line_list import LineList
from ctxinspect.tui.widgets.planned import PlannedLayout
from ctxinspect.tui.widgets.row import LineRow, Rule
from ctxinspect.tui.widgets.text_view import TextView
from ctxinspect.view.decisions import STAGE_PANELS, row_of
from ctxinspect.view.header import header_line, timeline
from ctxinspect.view.inspection import position_text
from ctxinspect.view.marks import GONE, marked
from ctxinspect.view.messages import messages_table
from ctxinspect.view.panels import PANELS, panel_named
from ctxinspect.view.sentence import request_sentence
from ctxinspect.view.stages import stage_line
from ctxinspect.view.table import Cell, Detail

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.layout import Layout

    from ctxinspect.pipeline.plan import Step
    from ctxinspect.trace.types import Stage
    from ctxinspect.view.inspection import Inspection, ViewLabel

__all__ = ["Board"]

_ROWS = ("header", "sentence", "timeline", "stages", "tabs", "log", "sign", "footer", "hint")
_RULES = 6
_MARK = len(" FOLLOW")


class Board(Screen[None]):
    """One session, one position, nine panels: the drawing of it."""

    AUTO_FOCUS = ""
    focused: Reactive[Widget | None] = Reactive(None, repaint=False)
    """Who has the keys; the toolkit's own would draw the whole screen when they go to another panel."""

    def __init__(self, navigator: Navigator) -> None:
        super().__init__()
        self.navigator = navigator
        self.desk = Desk(focus=7 if navigator.label == "RECORDED" else 3)
        self._planned = PlannedLayout(self.areas)
        self.following = False
        """Whether the file is followed while it grows."""
        self._placed: tuple[Area, ...] = ()
        self._drawn: tuple[Step, ViewLabel] | None = None
        self._staged: tuple[Step, Stage | None, int | None] | None = None

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
        caps = {"panel-3": max(4, len(self.panel(3).table.rows) + 2)}
        if self.navigator.label == "RECORDED":
            caps = dict.fromkeys(("panel-2", "panel-3", "row-a"), 3)
        areas = plan(
            width, height, focus=self.desk.focus, zoom=self.desk.zoom, compare=compare, caps=caps, steps=self.desk.steps
        )
        command = self.query(CommandLine).first()
        if not command.display:
            return areas
        sign = len(command.prompt.sign) + 1
        asked: list[Area] = []
        for area in areas:
            if area.name == "log":
                asked.append(Area("sign", area.x, area.y, sign, area.height))
                area = Area("command", area.x + sign, area.y, max(0, area.width - sign), area.height)  # noqa: PLW2901
            asked.append(area)
        return tuple(asked)

    def on_resize(self) -> None:
        """Another size: other areas, the same position and rows."""
        self.draw()

    def panel(self, number: int) -> LineList:
        """The panel with this digit."""
        return self.query_one(f"#panel-{number}", LineList)

    def row(self, name: str) -> LineRow:
        """A row around the panels, by its name."""
        return self.query_one(f"#{name}", LineRow)

    def seen(self) -> set[str]:
        """Names of the areas that this size shows."""
        return {area.name for area in self.areas(*self.size)}

    def say(self, text: str) -> None:
        """One line in the log row, opened by the position; the log keeps it."""
        self.desk.note(f"{self.navigator.address}  {text}")
        self.row("log").show([Cell(f" {self.navigator.address}  ", "title"), Cell(text, "dim")])

    def on_line_list_told(self, message: LineList.Told) -> None:
        """A list has something to say."""
        self.say(message.text)

    def draw(self) -> None:
        """Draw the position in every panel that is seen."""
        inspection = self.navigator.inspection()
        visible = self.seen()
        opened = self._opening_rows(inspection)
        since = self.navigator.reference
        reference = self.navigator.inspection(step=since) if since is not None else None
        with self.app.batch_update():
            self._draw_rows(inspection)
            for spec in PANELS:
                if spec.number in opened or f"panel-{spec.number}" in visible:
                    table = spec.table(inspection)
                    against = spec.table(reference) if reference is not None else None
                    self.panel(spec.number).show(marked(table, against), opened.get(spec.number))
            self.place()
            other = self.navigator.other_label
            if other is not None and "compare" in visible:
                self.query_one("#compare", LineList).show(messages_table(self.navigator.inspection(other)))
            if not self.query_one(CommandLine).display:
                self.take_keys()
            self.draw_detail()

    def take_keys(self) -> None:
        """The keys go to the focused panel."""
        self.set_focus(self.panel(self.desk.focus), scroll_visible=False)

    def place(self) -> None:
        """Arrange anew where the plan is another; a child has to ask, or the toolkit keeps its arrangement."""
        areas = self.areas(*self.size)
        if areas != self._placed:
            self._placed = areas
            self.row("header").refresh(layout=True)

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
        stage = self.navigator.stage
        staged = (self.navigator.position, stage, self.navigator.decision)
        if stage is not None and staged != self._staged and (row := row_of(trace, stage, staged[2])) is not None:
            rows[STAGE_PANELS[stage]] = row
        self._staged = staged
        return rows

    def since_text(self) -> str:
        """What rows are marked against, in words: `previous turn t041`."""
        navigator = self.navigator
        name = {"turn": "previous turn", "request": "previous request", "mark": "mark", "last": "request seen before"}
        step = navigator.reference
        where = position_text(step, len(navigator.replay.session.turns)) if step is not None else "(none)"
        return f"{name[navigator.since]} {where}"

    def _draw_rows(self, inspection: Inspection) -> None:
        width, height = self.size
        mark = [Cell(" FOLLOW", "accent")] if self.following else []
        self.row("header").show([*header_line(inspection, width - len(mark) * _MARK), *mark])
        sentence = request_sentence(inspection.trace, fates=inspection.fates, width=width - 1)
        self.row("sentence").show([Cell(f" {sentence}", "highlight")])
        self.draw_timeline()
        self.row("stages").show(self._stages(inspection, width))
        tabs: list[Cell] = []
        for spec in PANELS:
            text = f"{spec.number}{spec.short}"
            here = spec.number == self.desk.focus
            tabs += [Cell(" "), Cell(f"[{text}]" if here else text, "title" if here else "dim")]
        since = self.navigator.reference
        if since is not None:
            tabs.append(Cell(f"  since {position_text(since, len(inspection.session.turns))}", "dim"))
        self.row("tabs").show(tabs)
        self.row("footer").show([Cell(footer_text("inspect", width=width, bound=bound_keys(self.app)), "dim")])
        self.row("hint").show([Cell(f"terminal {width}x{height}, need {MIN_WIDTH}x{MIN_HEIGHT}")])

    def _stages(self, inspection: Inspection, width: int) -> list[Cell]:
        """The verdict of every stage; behind it, where there is room, what rows are marked against."""
        line = stage_line(inspection.trace, width, here=self.navigator.stage)
        step = self.navigator.reference
        if step is None or "tabs" in self.seen():
            return line
        where = position_text(step, len(inspection.session.turns))
        taken = sum(len(text) for text, _ in line)
        for since in (f"marks: since {where} ", f"since {where} "):
            room = width - taken - len(since)
            if room > 1:
                return [*line, Cell(" " * room), Cell(since, "dim")]
        return line

    def draw_timeline(self) -> None:
        """Draw the strip of the session's events."""
        letters = self.navigator.turn_letters()
        self.row("timeline").show(timeline(letters, self.navigator.position.turn, self.size.width))

    def detail(self) -> Detail:
        """Everything about the row under the cursor of the focused panel."""
        spec = panel_named(self.desk.focus)
        panel = self.panel(spec.number)
        if panel.key is None:
            return Detail(spec.name, (Cell(panel.table.empty),))
        since = self.navigator.reference
        if panel.key.startswith(GONE) and since is not None:
            there = spec.detail(self.navigator.inspection(step=since), panel.key.removeprefix(GONE))
            return Detail(f"gone since the {self.since_text()}: {there.title}", there.blocks)
        return spec.detail(self.navigator.inspection(), panel.key)

    def draw_detail(self) -> None:
        """Draw it, where there is a pane for it."""
        if "detail" in self.seen():
            self.query_one("#detail", TextView).show(self.detail())
