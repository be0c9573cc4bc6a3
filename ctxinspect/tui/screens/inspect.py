"""The inspector's screen: bars above, panels, the detail of the selected row, a log line and the keys below.

It only moves the navigator and draws what the view builds from its trace. Panels are updated in place; what is hidden is
not built.
"""

from __future__ import annotations

from typing import ClassVar

from textual import events, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Input
from textual.worker import get_current_worker

from ctxinspect.errors import CtxInspectError
from ctxinspect.pipeline.plan import Step
from ctxinspect.tui.actions import ACTIONS, key_label
from ctxinspect.tui.layout import Layout, layout_for
from ctxinspect.tui.screens.text import TextScreen, help_detail
from ctxinspect.tui.state import Navigator
from ctxinspect.tui.summaries import in_step_order
from ctxinspect.tui.widgets.bars import Bar
from ctxinspect.tui.widgets.table_view import TableView
from ctxinspect.tui.widgets.text_view import TextView
from ctxinspect.view.header import header_line, timeline
from ctxinspect.view.inspection import Inspection, StepSummary
from ctxinspect.view.panels import PANELS, panel_named
from ctxinspect.view.sentence import request_sentence
from ctxinspect.view.stages import stage_line
from ctxinspect.view.table import Cell

__all__ = ["InspectScreen"]

_FOOTER = tuple(action for action in ACTIONS if action.footer)


class InspectScreen(Screen[None]):
    """One session, one position, nine panels."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(",".join(action.keys), action.name, action.label, id=action.id, priority=action.keys[0] == "tab")
        for action in ACTIONS
    ]

    def __init__(self, navigator: Navigator, file: str | None = None) -> None:
        super().__init__()
        self.navigator = navigator
        self.file = file
        self.focused_panel = 7 if navigator.shown == "recorded" else 3
        self.zoomed = False
        self.inspection: Inspection = navigator.inspection()
        self.arranged: Layout | None = None

    # --- building ---

    def compose(self) -> ComposeResult:
        """All widgets there will ever be; what a size has no room for is hidden."""
        yield Bar("header", reverse=True)
        yield Bar("sentence")
        yield Bar("timeline")
        yield Bar("stages")
        yield Bar("tabs")
        views = {spec.name: TableView(spec.name, spec.number) for spec in PANELS}
        with Horizontal(id="body"):
            with Vertical(id="left"):
                yield views["turns"]
                yield views["gate"]
                yield views["breakpoints"]
            with Vertical(id="right"):
                yield views["components"]
                with Horizontal(id="mid"):
                    yield views["anchors"]
                    yield views["recall"]
                yield views["messages"]
                with Horizontal(id="low"):
                    yield views["findings"]
                    yield views["window"]
            with Vertical(id="other-side"):
                yield TableView("other", 7)
        yield TextView("detail")
        yield Bar("log")
        yield Bar("keys")
        command = Input(placeholder="42 go to | set PATH=VALUE fork | reset | q", id="command", compact=True)
        command.display = False
        yield command

    def on_mount(self) -> None:
        """Draw the first position, then index the session in the background."""
        self.place_panels()
        self.draw()
        self.view_of(self.focused_panel).focus()
        self.index_session()

    # --- drawing ---

    def view_of(self, number: int) -> TableView:
        """The panel with this digit."""
        return self.query_one(f"#panel-{panel_named(number).name}", TableView)

    def place_panels(self) -> None:
        """Show the panels that this size has room for."""
        width, height = self.app.size
        other = self.navigator.replay.session.foreign or self.navigator.forked is not None
        layout = layout_for(width, height, self.focused_panel, zoomed=self.zoomed, other=other)
        self.arranged = layout
        for name in ("tiny", "narrow", "std", "wide"):
            self.set_class(layout.size == name, f"-{name}")
        for spec in PANELS:
            self.view_of(spec.number).set_class(spec.number not in layout.panels, "hidden")
        shown = set(layout.panels)
        for container, members in {"left": {1, 2, 9}, "right": {3, 4, 5, 6, 7, 8}, "mid": {4, 5}, "low": {6, 8}}.items():
            self.query_one(f"#{container}").set_class(not members & shown, "hidden")
        self.query_one("#other-side").set_class(not layout.other, "hidden")
        self.query_one("#detail").set_class(not layout.detail, "hidden")
        self.query_one("#tabs").set_class(not layout.tabs, "hidden")
        self.query_one("#keys").set_class(not layout.footer, "hidden")
        for bar in ("sentence", "timeline", "stages", "log"):
            self.query_one(f"#{bar}").set_class(not layout.chrome or (layout.size == "tiny" and bar != "sentence"), "hidden")

    def draw(self) -> None:
        """Draw the position: bars, visible panels, the detail of the selected row."""
        self.inspection = inspection = self.navigator.inspection()
        assert self.arranged is not None
        with self.app.batch_update():
            self.draw_bars()
            for number in self.arranged.panels:
                spec = panel_named(number)
                key = str(inspection.trace.turn_id) if number == 1 else None
                self.view_of(number).show(spec.table(inspection), key)
            if self.arranged.other:
                self.draw_other()
            self.draw_detail()

    def draw_bars(self) -> None:
        """The lines around the panels."""
        inspection, width = self.inspection, self.app.size.width
        assert self.arranged is not None
        self.query_one("#header", Bar).show(header_line(inspection, width))
        sentence = request_sentence(inspection.trace, inspection.first_visible)
        self.query_one("#sentence", Bar).show([Cell(f" {sentence}", "highlight")])
        self.draw_timeline()
        self.query_one("#stages", Bar).show(stage_line(inspection.trace, short=width < 120))
        tabs = [Cell(" ")]
        for spec in PANELS:
            label = f"{spec.number}{spec.short}"
            here = spec.number == self.focused_panel
            tabs.append(Cell(f"[{label}] " if here else f"{label} ", "title" if here else "dim"))
        self.query_one("#tabs", Bar).show(tabs)
        self.draw_keys()

    def draw_timeline(self) -> None:
        """The strip of events, as far as they are known."""
        here = self.navigator.position.turn
        cells = timeline(self.navigator.turn_letters, here, self.app.size.width)
        self.query_one("#timeline", Bar).show(cells)

    def draw_keys(self) -> None:
        """The footer: the shown keys, as many as fit."""
        cells, left = [Cell(" ")], self.app.size.width - 1
        for action in _FOOTER:
            text = f"{key_label(action.keys[0])} {action.label}  "
            if len(text) > left:
                break
            cells += [Cell(f"{key_label(action.keys[0])} ", "highlight"), Cell(f"{action.label}  ", "dim")]
            left -= len(text)
        self.query_one("#keys", Bar).show(cells)

    def draw_other(self) -> None:
        """The messages of the other view, beside these."""
        other = self.navigator.other_inspection()
        view = self.query_one("#panel-other", TableView)
        if other is not None:
            table = panel_named(7).table(other)
            view.show(type(table)(f"{other.label} messages", table.summary, table.columns, table.rows, table.empty))

    def draw_detail(self) -> None:
        """What the selected row of the focused panel means."""
        view = self.view_of(self.focused_panel)
        key = view.selected_key
        if key is not None and self.arranged is not None and self.arranged.detail:
            self.query_one("#detail", TextView).show(panel_named(self.focused_panel).detail(self.inspection, key))

    def say(self, text: str, role: str = "text") -> None:
        """One line in the log row."""
        address = self.navigator.position.address
        self.query_one("#log", Bar).show([Cell(f" {address}  ", "title"), Cell(text, role)])  # type: ignore[arg-type]

    # --- events ---

    def on_resize(self, event: events.Resize) -> None:  # noqa: ARG002
        """Another size: other panels, same position, same selection."""
        if self.arranged is not None:
            self.place_panels()
            self.draw()

    def on_table_view_selected(self, message: TableView.Selected) -> None:
        """Another row: its detail; in the turns panel it is also a step to that turn."""
        self.draw_detail()
        message.stop()

    def on_table_view_opened(self, message: TableView.Opened) -> None:
        """A second click opens."""
        message.stop()
        self.action_full_text()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Focus by mouse is focus too."""
        widget = event.widget
        if isinstance(widget, TableView) and widget.panel != "other" and widget.digit != self.focused_panel:
            self.focused_panel = widget.digit
            self.draw_bars()
            self.draw_detail()

    # --- actions ---

    def stepped(self, moved: bool) -> None:  # noqa: FBT001
        """Draw after a move, or say why there was none."""
        if moved:
            self.draw()
            self.say(request_sentence(self.inspection.trace, self.inspection.first_visible))
        else:
            self.say(self.navigator.message, "warn")

    def action_request(self, by: int) -> None:
        """One request on or back."""
        self.stepped(self.navigator.move_request(by))

    def action_turn(self, by: int) -> None:
        """One turn on or back."""
        self.stepped(self.navigator.move_turn(by))

    def action_event(self, by: int) -> None:
        """To the next or previous event."""
        self.stepped(self.navigator.move_event(by))

    def action_end(self, last: int) -> None:
        """To the first or last request."""
        self.stepped(self.navigator.move_end(last))

    def action_cycle_view(self) -> None:
        """RECORDED, REPLAY, FORK."""
        before = self.navigator.shown
        text = self.navigator.cycle_view()
        if self.navigator.shown != before:
            self.refresh_view()
        self.say(text)

    def refresh_view(self) -> None:
        """Another view or fork: everything is drawn and indexed again."""
        self.navigator.summaries = {}
        self.place_panels()
        self.draw()
        self.index_session()

    def action_focus_panel(self, number: int) -> None:
        """Focus a panel; a second press zooms it."""
        self.zoomed = not self.zoomed if number == self.focused_panel else False
        self.focused_panel = number
        self.rearrange()

    def rearrange(self) -> None:
        """After a change of focus or zoom."""
        self.place_panels()
        self.draw()
        self.view_of(self.focused_panel).focus()

    def action_next_panel(self, by: int) -> None:
        """The next panel by digit."""
        self.zoomed = False
        self.focused_panel = (self.focused_panel - 1 + by) % len(PANELS) + 1
        self.rearrange()

    def action_zoom(self) -> None:
        """Maximise or restore."""
        self.zoomed = not self.zoomed
        self.rearrange()

    def action_back(self) -> None:
        """Leave zoom."""
        if self.zoomed:
            self.action_zoom()

    def action_list_move(self, by: int) -> None:
        """Move the cursor of the focused panel."""
        self.view_of(self.focused_panel).move(by)

    def action_list_end(self, last: int) -> None:
        """First or last row."""
        view = self.view_of(self.focused_panel)
        view.select(len(view.table.rows) - 1 if last else 0)

    def action_full_text(self) -> None:
        """The selected row in full; in the turns panel, go to that turn."""
        view = self.view_of(self.focused_panel)
        key = view.selected_key
        if key is None:
            return
        if self.focused_panel == 1 and int(key) != self.navigator.position.turn:
            self.stepped(self.navigator.go_to_turn(int(key)))
            return
        self.app.push_screen(TextScreen(panel_named(self.focused_panel).detail(self.inspection, key)))

    def action_help(self) -> None:
        """Every key."""
        self.app.push_screen(TextScreen(help_detail()))

    def action_leave(self) -> None:
        """Close zoom, else the screen, else the program."""
        if self.zoomed:
            self.action_zoom()
        elif len(self.app.screen_stack) > 2:  # noqa: PLR2004 - the default screen and the picker
            self.app.pop_screen()
        else:
            self.app.exit()

    def action_command_line(self) -> None:
        """Ask for a command."""
        command = self.query_one("#command", Input)
        command.display = True
        command.value = ""
        command.focus()

    def on_key(self, event: events.Key) -> None:
        """Escape leaves the command line."""
        command = self.query_one("#command", Input)
        if event.key == "escape" and command.display:
            event.stop()
            self.close_command()

    def close_command(self) -> None:
        """Hide the command line."""
        self.query_one("#command", Input).display = False
        self.view_of(self.focused_panel).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Run a command; what is wrong with it is said in the log row."""
        words = event.value.strip()
        self.close_command()
        try:
            self.run_command(words)
        except CtxInspectError as error:
            self.say(str(error), "error")

    def run_command(self, words: str) -> None:
        """`42`, `t42r3`, `set PATH=VALUE`, `reset`, `help`, `q`."""
        verb, _, rest = words.partition(" ")
        if verb == "set":
            text = self.navigator.set_fork(rest.strip())
            self.refresh_view()
            self.say(text, "accent")
        elif verb == "reset":
            text = self.navigator.reset_fork()
            self.refresh_view()
            self.say(text)
        elif verb in ("q", "quit"):
            self.app.exit()
        elif verb in ("help", "?"):
            self.action_help()
        elif words:
            self.stepped(self.navigator.go_to(words))

    # --- the whole session, in the background ---

    @work(thread=True, exclusive=True, exit_on_error=False, group="index")
    def index_session(self) -> None:
        """Summaries of every request, nearest first; they arrive in batches and never touch a widget from here."""
        worker = get_current_worker()
        batch: dict[Step, StepSummary] = {}
        for summary in in_step_order(self.navigator):
            if worker.is_cancelled:
                return
            batch[summary.step] = summary
            if len(batch) >= 50:  # noqa: PLR2004 - a batch a redraw
                self.app.call_from_thread(self.take_summaries, batch)
                batch = {}
        self.app.call_from_thread(self.take_summaries, batch)

    def take_summaries(self, batch: dict[Step, StepSummary]) -> None:
        """Summaries have arrived: the timeline and the turns show them."""
        self.navigator.summaries.update(batch)
        if not self.is_current:
            return
        self.draw_timeline()
        if self.arranged is not None and 1 in self.arranged.panels:
            self.view_of(1).refresh()


