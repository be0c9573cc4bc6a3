"""Colours: roles to styles, in a painted black theme and in one that keeps the terminal's own colours.

No role is the only carrier of a meaning. The overrides of the toolkit's defaults stand here once: no icons, no
gradients, no animation, no scrollbars (lists and texts say in words where they are).
"""

from __future__ import annotations

import os

from rich.style import Style
from textual.theme import BUILTIN_THEMES, Theme

from ctxinspect.view.table import Role

__all__ = ["ANSI", "BASE_CSS", "DARK", "no_color", "pick_theme", "role_styles"]

DARK = Theme(
    name="ctx-dark",
    primary="#5EEAD4",
    secondary="#A78BFA",
    accent="#A78BFA",
    warning="#FBBF24",
    error="#F87171",
    success="#5EEAD4",
    foreground="#FFFFFF",
    background="#000000",
    surface="#000000",
    panel="#000000",
    dark=True,
    variables={"scrollbar": "#6B7280", "scrollbar-background": "#000000", "scrollbar-corner-color": "#000000"},
)
ANSI = Theme(
    name="ctx-ansi",
    primary="ansi_cyan",
    secondary="ansi_magenta",
    accent="ansi_magenta",
    warning="ansi_yellow",
    error="ansi_red",
    success="ansi_cyan",
    foreground="ansi_default",
    background="ansi_default",
    surface="ansi_default",
    panel="ansi_default",
    dark=True,
    ansi=True,
    variables=dict(BUILTIN_THEMES["ansi-dark"].variables),
)

_DARK: dict[Role, Style] = {
    "text": Style(color="#FFFFFF", bgcolor="#000000"),
    "title": Style(color="#FFFFFF", bgcolor="#000000", bold=True),
    "dim": Style(color="#8B93A1", bgcolor="#000000"),
    "highlight": Style(color="#5EEAD4", bgcolor="#000000"),
    "warn": Style(color="#FBBF24", bgcolor="#000000"),
    "error": Style(color="#F87171", bgcolor="#000000", bold=True),
    "accent": Style(color="#A78BFA", bgcolor="#000000"),
}
_ANSI: dict[Role, Style] = {
    "text": Style(),
    "title": Style(bold=True),
    "dim": Style(color="bright_black"),
    "highlight": Style(color="cyan"),
    "warn": Style(color="yellow"),
    "error": Style(color="red", bold=True),
    "accent": Style(color="magenta"),
}


_PLAIN: dict[Role, Style] = {role: Style(bold=style.bold) for role, style in _ANSI.items()}


def no_color() -> bool:
    """Whether NO_COLOR is set and not empty."""
    return bool(os.environ.get("NO_COLOR"))


def pick_theme() -> str:
    """`CTXINSPECT_THEME`, else painted black where the terminal shows all colours, else the terminal's own colours."""
    asked = os.environ.get("CTXINSPECT_THEME")
    if asked in (DARK.name, ANSI.name):
        return asked
    full = os.environ.get("COLORTERM") in ("truecolor", "24bit")
    return DARK.name if full and not no_color() else ANSI.name


def role_styles(*, ansi: bool) -> dict[Role, Style]:
    """The style of each role: painted on black, or in the terminal's sixteen colours on its own background."""
    if no_color():
        return _PLAIN
    return _ANSI if ansi else _DARK


BASE_CSS = """
* { scrollbar-size: 0 0; }
Screen { background: $background; color: $foreground; layout: vertical; overflow: hidden; }
ModalScreen { background: $background; }
ToastRack { display: none; }
Tooltip { display: none; }
"""
