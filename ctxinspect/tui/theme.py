"""Colours: roles to styles, in a painted black theme, in one that keeps the terminal's own colours, and in any other.

No role is the only carrier of a meaning. The overrides of the toolkit's defaults stand here once: no icons, no
gradients, no animation, no scrollbars (lists and texts say in words where they are).
"""

from __future__ import annotations

import os

from rich.style import Style
from textual.color import Color
from textual.theme import BUILTIN_THEMES, Theme

from ctxinspect.view.table import Role

__all__ = ["ANSI", "BASE_CSS", "DARK", "contrast", "no_color", "pick_theme", "role_styles"]

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


def role_styles(theme: Theme) -> dict[Role, Style]:
    """The style of each role: painted on the theme's background, or in the terminal's sixteen colours on its own."""
    if no_color():
        return _PLAIN
    if theme.ansi:
        return _ANSI
    return _DARK if theme.name == DARK.name else _painted(theme.name, theme)


_READ = 3.5
"""Contrast of a word that is told apart by its colour too."""
_KNOWN: dict[str, dict[Role, Style]] = {}


def _painted(name: str, theme: Theme) -> dict[Role, Style]:
    """The roles in the colours of one of the toolkit's themes; dim is text two thirds of the way from its background."""
    if name not in _KNOWN:
        made = theme.to_color_system().generate()
        back, front = Color.parse(made["background"]), Color.parse(made["foreground"])
        dim = back.blend(front, 0.66, alpha=1.0)

        def style(color: str, *, bold: bool = False) -> Style:
            read = _readable(Color.parse(made[color]), front, back)
            return Style(color=read.rich_color, bgcolor=back.rich_color, bold=bold or None)

        _KNOWN[name] = {
            "text": Style(color=front.rich_color, bgcolor=back.rich_color),
            "title": Style(color=front.rich_color, bgcolor=back.rich_color, bold=True),
            "dim": Style(color=_readable(dim, front, back).rich_color, bgcolor=back.rich_color),
            "highlight": style("primary"),
            "warn": style("warning"),
            "error": style("error", bold=True),
            "accent": style("accent"),
        }
    return _KNOWN[name]


def _readable(color: Color, front: Color, back: Color) -> Color:
    """A colour that was made for a theme's widgets, towards the text's colour until it can be read on the background."""
    for share in (0.0, 0.2, 0.4, 0.6, 0.8):
        read = color.blend(front, share, alpha=1.0)
        if contrast(read, back) >= _READ:
            return read
    return front


def contrast(one: Color, other: Color) -> float:
    """The contrast ratio of WCAG 2.1 (1 to 21), from relative luminances."""
    bright, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def _luminance(color: Color) -> float:
    parts = [part / 255 for part in color.rgb]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


BASE_CSS = """
* { scrollbar-size: 0 0; }
Screen { background: $background; color: $foreground; layout: vertical; overflow: hidden; }
ModalScreen { background: $background; }
ToastRack { display: none; }
Tooltip { display: none; }
"""
