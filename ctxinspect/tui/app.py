"""The terminal application: theme, keys that hold everywhere, which screen is on top. It holds no session logic."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual import events, work
from textual.app import App
from textual.worker import Worker, WorkerState, get_current_worker

from ctxinspect.config import Config
from ctxinspect.errors import CtxInspectError
from ctxinspect.tui.copying import copy_text
from ctxinspect.tui.history import History
from ctxinspect.tui.jobs import open_navigator
from ctxinspect.tui.programs import Programs
from ctxinspect.tui.recent import remember
from ctxinspect.tui.screens.inspect import InspectScreen
from ctxinspect.tui.screens.loading import LoadingScreen
from ctxinspect.tui.screens.menu import MenuScreen
from ctxinspect.tui.screens.palette import ActionPalette
from ctxinspect.tui.screens.picker import PickerScreen
from ctxinspect.tui.screens.reading import ReadingScreen, help_detail
from ctxinspect.tui.theme import ANSI, BASE_CSS, DARK, no_color, pick_theme
from ctxinspect.tui.thrift import Thrift
from ctxinspect.tui.type_ahead import TypeAhead
from ctxinspect.tui.widgets.bindings import bindings_for

if TYPE_CHECKING:
    from textual.binding import BindingType, Keymap
    from textual.driver import Driver

    from ctxinspect.tui.state import Navigator

__all__ = ["InspectorApp"]

_NO_KEY = "f99"
"""A key that no terminal sends: what an action has whose keys were taken away."""


class InspectorApp(App[None]):
    """The inspector on a session, or the picker where there is none."""

    TITLE = "ctxinspect"
    ENABLE_COMMAND_PALETTE = False
    CSS = BASE_CSS
    BINDINGS: ClassVar[list[BindingType]] = bindings_for("app")

    folder: Path | None = None
    """Where the picker looks for sessions; None: where tools keep them."""

    def __init__(
        self,
        navigator: Navigator | None,
        *,
        theme: str | None = None,
        show_secrets: bool = False,
        programs: Programs | None = None,
        config: Config | None = None,
        history: History | None = None,
        mirror: Callable[[str], None] | None = None,
    ) -> None:
        super().__init__(ansi_color=True if no_color() else None)
        self.animation_level = "none"
        self._navigator = navigator
        self.show_secrets = show_secrets
        self.programs = programs or Programs.from_environment()
        self.config = config or Config()
        self.history = history or History(self.config.history_size)
        """What was typed before; every prompt looks here."""
        self._mirror = mirror
        self._keys = TypeAhead(self, super().on_event)
        self.bound: dict[str, tuple[str, ...]] = {}
        """Keys that were given to actions, by the actions' ids; the others have those of the registry."""
        self.failure: BaseException | None = None
        """What ended the app against its will; whoever ran it raises it."""
        self.register_theme(DARK)
        self.register_theme(ANSI)
        self.theme = theme or pick_theme()

    async def on_event(self, event: events.Event) -> None:
        """Keys one after the other, all else as the toolkit does it."""
        if isinstance(event, events.Key) and not event.is_forwarded:
            await self._keys.take(event)
        else:
            await super().on_event(event)

    def get_driver_class(self) -> type[Driver]:
        """The toolkit's driver for this terminal, writing fewer bytes."""
        driver: type[Driver] = super().get_driver_class()
        thrift = Thrift()

        class Thrifty(driver):  # type: ignore[valid-type, misc]
            """Says a style only where it changes."""

            def write(self, data: str) -> None:
                super().write(thrift.rewrite(data))

        return Thrifty

    def set_keymap(self, keymap: Keymap) -> None:
        """Give actions other keys; the help screen shows them."""
        self.bound = {action: tuple(keys.split(",")) if keys else () for action, keys in keymap.items()}
        # The toolkit would take no keys for no change.
        super().set_keymap({action: keys or _NO_KEY for action, keys in keymap.items()})

    def on_mount(self) -> None:
        """Open the first screen."""
        self.push_screen(PickerScreen(self.folder) if self._navigator is None else self._inspector(self._navigator))

    def _inspector(self, navigator: Navigator) -> InspectScreen:
        """The inspector's screen as the configuration wants it."""
        screen = InspectScreen(navigator)
        layout = self.config.layout
        screen.desk.steps = (layout.narrow, layout.std, layout.wide)
        screen.desk.mirror = self._mirror
        return screen

    def open_path(self, path: str) -> None:
        """Load a file that was picked, with progress, off the event loop."""
        self.push_screen(LoadingScreen(path))
        self._read(path)

    @work(thread=True, exclusive=True, exit_on_error=False, group="load")
    def _read(self, path: str) -> None:
        worker = get_current_worker()
        shown = -1

        def progress(done: int, total: int) -> None:
            nonlocal shown
            percent = 100 * done // total if total else 0
            if percent != shown and not worker.is_cancelled:
                shown = percent
                self.call_from_thread(self._progress, percent)

        try:
            navigator = open_navigator(
                Path(path),
                progress=progress,
                show_secrets=self.show_secrets,
                preparing=lambda turns: self.call_from_thread(self._preparing, turns),
            )
        except CtxInspectError as error:
            self.call_from_thread(self._refused, error)
            return
        remember(Path(path))
        self.call_from_thread(self._loaded, navigator)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Reading failed in a way nobody foresaw: leave, and let the caller report it."""
        if event.state is WorkerState.ERROR:
            self.failure = event.worker.error
            self.exit()

    def _handle_exception(self, error: Exception) -> None:
        """Keep the error for whoever ran the app: a traceback on the terminal would show raw content."""
        self.failure = error
        super()._handle_exception(error)

    def _print_error_renderables(self) -> None:
        """Nothing is printed here; see `_handle_exception`."""
        self._exit_renderables.clear()

    def _progress(self, percent: int) -> None:
        if isinstance(self.screen, LoadingScreen):
            self.screen.say(percent)

    def _preparing(self, turns: int) -> None:
        if isinstance(self.screen, LoadingScreen):
            self.screen.prepare(turns)

    def _loaded(self, navigator: Navigator) -> None:
        if isinstance(self.screen, LoadingScreen):
            self.switch_screen(self._inspector(navigator))

    def _refused(self, error: CtxInspectError) -> None:
        if isinstance(self.screen, LoadingScreen):
            self.pop_screen()
        if isinstance(self.screen, PickerScreen):
            self.screen.say(str(error))

    def action_act(self, action: str) -> None:
        """Actions that hold everywhere."""
        if action == "help":
            if not isinstance(self.screen, ReadingScreen):
                self.push_screen(ReadingScreen(help_detail(self.bound), prose=True))
        elif action == "palette":
            if not isinstance(self.screen, ActionPalette | MenuScreen):
                self.push_screen(ActionPalette())
        elif action == "suspend":
            self.action_suspend_process()
        elif action == "copy" and (text := self.screen.get_selected_text()):
            copy_text(self, text, getattr(self.screen, "say", self.log.info))
        elif action == "quit" and isinstance(self.screen, InspectScreen) and self.screen.desk.zoom:
            self.screen.action_act("zoom")
        elif action == "quit" and len(self.screen_stack) > 2:
            self.screen.dismiss()
        else:
            self.exit()
