"""The app: theme, size of the house, and which screen is on top. It holds no session logic."""

from __future__ import annotations

from typing import ClassVar

from textual.app import App
from textual.binding import BindingType

from ctxinspect.tui.screens.inspect import InspectScreen
from ctxinspect.tui.screens.picker import PickerScreen
from ctxinspect.tui.state import Navigator
from ctxinspect.tui.theme import ANSI_THEME, DARK_THEME, no_color, pick_theme

__all__ = ["InspectorApp"]


class InspectorApp(App[None]):
    """The inspector on a session, or on the picker where there is none."""

    TITLE = "ctxinspect"
    ENABLE_COMMAND_PALETTE = False
    CSS_PATH = "styles/inspector.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [("ctrl+q", "quit", "quit"), ("ctrl+c", "quit", "quit")]

    def __init__(self, navigator: Navigator | None, *, file: str | None = None, theme: str | None = None) -> None:
        super().__init__(ansi_color=True if no_color() else None)
        self.animation_level = "none"
        self.navigator = navigator
        self.file = file
        self.register_theme(DARK_THEME)
        self.register_theme(ANSI_THEME)
        self.theme = theme or pick_theme()

    def on_mount(self) -> None:
        """Open the first screen."""
        self.push_screen(PickerScreen() if self.navigator is None else InspectScreen(self.navigator, self.file))

    def inspect(self, navigator: Navigator, file: str | None) -> None:
        """Open the inspector on a session, over the picker."""
        self.push_screen(InspectScreen(navigator, file))
