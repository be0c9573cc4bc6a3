"""Two themes and the styles of the roles. The dark one paints its own background; the other keeps the terminal's colours.

Colour repeats what words and letters say; without colour nothing is lost.
"""

from __future__ import annotations

import os

from rich.style import Style
from textual.theme import Theme

__all__ = ["ANSI_THEME", "DARK_THEME", "no_color", "pick_theme", "role_style"]

DARK_THEME = Theme(
    name="ctx-dark",
    primary="#5EEAD4",
    secondary="#A78BFA",
    warning="#FBBF24",
    error="#F87171",
    success="#5EEAD4",
    accent="#A78BFA",
    foreground="#FFFFFF",
    background="#000000",
    surface="#000000",
    panel="#000000",
    dark=True,
)
ANSI_THEME = Theme(
    name="ctx-ansi",
    primary="ansi_cyan",
    secondary="ansi_magenta",
    warning="ansi_yellow",
    error="ansi_red",
    success="ansi_cyan",
    accent="ansi_magenta",
    foreground="ansi_default",
    background="ansi_default",
    surface="ansi_default",
    panel="ansi_default",
    dark=True,
    ansi=True,
)
_DARK = {
    "text": Style(color="#FFFFFF"),
    "dim": Style(color="#8B93A1"),
    "highlight": Style(color="#5EEAD4"),
    "warn": Style(color="#FBBF24"),
    "error": Style(color="#F87171", bold=True),
    "accent": Style(color="#A78BFA"),
    "title": Style(color="#5EEAD4", bold=True),
}
_ANSI = {
    "text": Style(),
    "dim": Style(color="bright_black"),
    "highlight": Style(color="cyan"),
    "warn": Style(color="yellow"),
    "error": Style(color="red", bold=True),
    "accent": Style(color="magenta"),
    "title": Style(color="cyan", bold=True),
}
_PLAIN = {role: Style(bold=style.bold) for role, style in _DARK.items()}


def no_color() -> bool:
    """Whether NO_COLOR is set and not empty."""
    return bool(os.environ.get("NO_COLOR"))


def pick_theme() -> str:
    """`CTXINSPECT_THEME`, else the painted theme on a terminal of true colour, else the terminal's own colours."""
    asked = os.environ.get("CTXINSPECT_THEME")
    if asked in ("ctx-dark", "ctx-ansi"):
        return asked
    if no_color():
        return "ctx-ansi"
    return "ctx-dark" if os.environ.get("COLORTERM") in ("truecolor", "24bit") else "ctx-ansi"


def role_style(role: str, theme: str) -> Style:
    """The style of a role under a theme."""
    table = _PLAIN if no_color() else (_DARK if theme == "ctx-dark" else _ANSI)
    return table.get(role, table["text"])
